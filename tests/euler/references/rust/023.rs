//! The sum of the positive integers that are not a sum of two abundant numbers.

/// All integers above it are such sums.
const LIMIT: usize = 28_123;

fn main() {
    let mut divisor_sums = vec![0; LIMIT + 1];
    for divisor in 1..=LIMIT / 2 {
        for multiple in (2 * divisor..=LIMIT).step_by(divisor) {
            divisor_sums[multiple] += divisor;
        }
    }
    let abundant: Vec<usize> = (1..=LIMIT).filter(|&n| divisor_sums[n] > n).collect();

    let mut is_sum = vec![false; LIMIT + 1];
    for (i, first) in abundant.iter().enumerate() {
        for sum in abundant[i..].iter().map(|second| first + second).take_while(|&sum| sum <= LIMIT) {
            is_sum[sum] = true;
        }
    }
    let total: usize = (1..=LIMIT).filter(|&n| !is_sum[n]).sum();
    println!("{total}");
}
