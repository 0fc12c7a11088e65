const LIMIT: u32 = 12_000;

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

fn main() {
    let mut count = 0;
    for b in 2..=LIMIT {
        let between = b / 3 + 1..(b + 1) / 2; // 1/3 < a/b < 1/2
        count += between.filter(|&a| gcd(a, b) == 1).count();
    }
    println!("{count}");
}
