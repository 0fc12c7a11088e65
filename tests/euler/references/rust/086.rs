const TARGET: u64 = 1_000_000;

fn is_square(n: u64) -> bool {
    let root = (n as f64).sqrt().round() as u64;
    root * root == n
}

fn main() {
    // With edges a <= b <= c the shortest way has length sqrt((a + b)^2 + c^2). Count by the longest edge c
    // and by the sum a + b, of which there are as many pairs as a <= b <= c allows.
    let mut rooms = 0;
    let mut c = 0;
    while rooms <= TARGET {
        c += 1;
        for ab in 2..=2 * c {
            if is_square(ab * ab + c * c) {
                let smallest_a = if ab > c { ab - c } else { 1 };
                rooms += ab / 2 + 1 - smallest_a;
            }
        }
    }
    println!("{c}");
}
