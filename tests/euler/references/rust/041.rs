fn main() {
    let best = (1..=9).rev().find_map(|length| largest_prime(0, length, 0));
    println!("{}", best.expect("2143 at least"));
}

/// The largest prime that goes on after `prefix` with the digits 1 to `length` not in the bit set `used`.
fn largest_prime(prefix: u32, length: u32, used: u32) -> Option<u32> {
    if used.count_ones() == length {
        return is_prime(prefix).then(|| prefix);
    }
    (1..=length)
        .rev()
        .filter(|digit| used & 1 << digit == 0)
        .find_map(|digit| largest_prime(10 * prefix + digit, length, used | 1 << digit))
}

fn is_prime(n: u32) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}
