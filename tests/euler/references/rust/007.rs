//! The 10001st prime: each candidate is divided by the primes up to its square root.

const POSITION: usize = 10_001;

/// `primes` holds all primes below the candidate, in order.
fn is_prime(candidate: u32, primes: &[u32]) -> bool {
    primes
        .iter()
        .take_while(|&prime| prime * prime <= candidate)
        .all(|prime| candidate % prime != 0)
}

fn main() {
    let mut primes = Vec::with_capacity(POSITION);
    let mut candidate = 2;
    while primes.len() < POSITION {
        if is_prime(candidate, &primes) {
            primes.push(candidate);
        }
        candidate += 1;
    }
    println!("{}", primes[POSITION - 1]);
}
