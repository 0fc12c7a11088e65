//! The product of the one Pythagorean triple whose sum is 1000.

const SUM: u32 = 1000;

fn main() {
    for a in 1..SUM / 3 {
        for b in a + 1..(SUM - a + 1) / 2 {
            let c = SUM - a - b;
            if a * a + b * b == c * c {
                println!("{}", a * b * c);
            }
        }
    }
}
