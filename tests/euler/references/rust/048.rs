const MODULUS: u128 = 10_000_000_000;

fn main() {
    let sum: u128 = (1..=1000).map(|k| power(k, k)).sum();
    println!("{}", sum % MODULUS);
}

fn power(base: u128, exponent: u128) -> u128 {
    (0..exponent).fold(1, |product, _| product * base % MODULUS)
}
