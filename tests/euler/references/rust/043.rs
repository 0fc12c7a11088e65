const DIVISORS: [u64; 7] = [2, 3, 5, 7, 11, 13, 17];

fn main() {
    println!("{}", sum(0, 0, 0));
}

/// Sum of all numbers that go on after `prefix`; `used` is the bit set of its `length` digits.
fn sum(prefix: u64, length: usize, used: u32) -> u64 {
    if length == 10 {
        return prefix;
    }
    let first = if length == 0 { 1 } else { 0 };
    (first..10)
        .filter(|digit| used & 1 << digit == 0)
        .map(|digit| (digit, 10 * prefix + digit))
        .filter(|(_, longer)| length < 3 || longer % 1000 % DIVISORS[length - 3] == 0)
        .map(|(digit, longer)| sum(longer, length + 1, used | 1 << digit))
        .sum()
}
