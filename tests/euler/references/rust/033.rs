//! The denominator, in lowest terms, of the product of the fractions that a false cancelling leaves right.

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether the value stays the same when a common digit other than 0 is struck out.
fn qualifies(numerator: u64, denominator: u64) -> bool {
    // A pair is the digit to strike out and the one that is left.
    let pairs = |number: u64| [(number / 10, number % 10), (number % 10, number / 10)];
    pairs(numerator).iter().any(|&(digit, above)| {
        pairs(denominator).iter().any(|&(other, below)| {
            digit == other && digit != 0 && below != 0 && numerator * below == denominator * above
        })
    })
}

fn main() {
    let (mut above, mut below) = (1, 1);
    for denominator in 10..100 {
        for numerator in (10..denominator).filter(|&numerator| qualifies(numerator, denominator)) {
            above *= numerator;
            below *= denominator;
        }
    }
    println!("{}", below / gcd(above, below));
}
