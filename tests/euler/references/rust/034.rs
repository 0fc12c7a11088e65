//! The sum of all numbers of at least two digits that equal the sum of their digits' factorials.

const FACTORIALS: [usize; 10] = [1, 1, 2, 6, 24, 120, 720, 5040, 40_320, 362_880];
/// Eight digits give 8 * 9! = 2903040 at most, which has seven: no number has more than seven digits.
const LIMIT: usize = 7 * FACTORIALS[9];

fn digit_factorial_sum(number: usize) -> usize {
    let mut sum = 0;
    let mut rest = number;
    while rest > 0 {
        sum += FACTORIALS[rest % 10];
        rest /= 10;
    }
    sum
}

fn main() {
    let sum: usize = (10..=LIMIT).filter(|&number| digit_factorial_sum(number) == number).sum();
    println!("{sum}");
}
