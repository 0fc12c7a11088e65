const LIMIT: usize = 1_000_000;

fn main() {
    let is_prime = prime_flags(LIMIT);
    let primes: Vec<usize> = (0..LIMIT).filter(|&n| is_prime[n]).collect();
    let mut longest = (0, 0); // terms, their sum
    for start in 0..primes.len() {
        let mut sum = 0;
        for (i, p) in primes[start..].iter().enumerate() {
            sum += p;
            if sum >= LIMIT {
                break;
            }
            if is_prime[sum] && i + 1 > longest.0 {
                longest = (i + 1, sum);
            }
        }
    }
    println!("{}", longest.1);
}

fn prime_flags(limit: usize) -> Vec<bool> {
    let mut flags = vec![true; limit];
    flags[..2].fill(false);
    for n in (2..).take_while(|n| n * n < limit) {
        if flags[n] {
            (n * n..limit).step_by(n).for_each(|multiple| flags[multiple] = false);
        }
    }
    flags
}
