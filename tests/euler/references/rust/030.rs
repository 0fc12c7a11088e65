//! The sum of all numbers of at least two digits that equal the sum of their digits' fifth powers.

/// Seven digits give 7 * 9^5 = 413343 at most, which has six: no number has more than six digits.
const LIMIT: u32 = 6 * 9_u32.pow(5);

fn digit_power_sum(number: u32) -> u32 {
    let mut sum = 0;
    let mut rest = number;
    while rest > 0 {
        sum += (rest % 10).pow(5);
        rest /= 10;
    }
    sum
}

fn main() {
    let sum: u32 = (10..=LIMIT).filter(|&number| digit_power_sum(number) == number).sum();
    println!("{sum}");
}
