//! The smallest number that each of 1 to 20 divides.

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn main() {
    let multiple = (1..=20).fold(1, |multiple, n| multiple / gcd(multiple, n) * n);
    println!("{multiple}");
}
