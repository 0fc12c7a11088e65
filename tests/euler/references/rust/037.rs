fn main() {
    // What is left after striking digits off the right is prime, so candidates grow from such primes.
    let mut sum = 0;
    let mut right_truncatable = vec![2, 3, 5, 7];
    while !right_truncatable.is_empty() {
        right_truncatable = right_truncatable
            .iter()
            .flat_map(|p| [1, 3, 7, 9].map(|digit| 10 * p + digit))
            .filter(|&n| is_prime(n))
            .collect();
        sum += right_truncatable
            .iter()
            .filter(|&&n| survives_from_the_left(n))
            .sum::<u32>();
    }
    println!("{sum}");
}

fn survives_from_the_left(n: u32) -> bool {
    std::iter::successors(Some(10), |power| Some(10 * power))
        .take_while(|&power| power < n)
        .all(|power| is_prime(n % power))
}

fn is_prime(n: u32) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}
