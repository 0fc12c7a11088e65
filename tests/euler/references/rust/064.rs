fn main() {
    println!("{}", (1..=10_000).filter(|&n| period(n) % 2 == 1).count());
}

/// The length of the repeating block of the continued fraction of sqrt(n); 0 for a square.
///
/// Each remainder is (sqrt(n) + m) / d; the block ends with the term 2 * floor(sqrt(n)).
fn period(n: u32) -> u32 {
    let root = f64::from(n).sqrt() as u32;
    if root * root == n {
        return 0;
    }
    let (mut m, mut d, mut term, mut length) = (0, 1, root, 0);
    while term != 2 * root {
        m = d * term - m;
        d = (n - m * m) / d;
        term = (root + m) / d;
        length += 1;
    }
    length
}
