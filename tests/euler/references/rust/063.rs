fn main() {
    // 10^n has n + 1 digits, so a is at most 9; and 9^n has fewer than n digits from n = 22 on.
    let found: usize = (1..)
        .take_while(|&n| has_n_digits(9, n))
        .map(|n| (1..=9).filter(|&a| has_n_digits(a, n)).count())
        .sum();
    println!("{found}");
}

/// Whether a^n has exactly n digits.
fn has_n_digits(a: u128, n: u32) -> bool {
    a.pow(n) >= 10_u128.pow(n - 1) && a < 10
}
