//! The sum of all primes below two million, by the sieve of Eratosthenes.

const LIMIT: usize = 2_000_000;

fn main() {
    let mut is_prime = vec![true; LIMIT];
    let mut sum = 0;
    for n in 2..LIMIT {
        if is_prime[n] {
            sum += n as u64;
            for multiple in (n * n..LIMIT).step_by(n) {
                is_prime[multiple] = false;
            }
        }
    }
    println!("{sum}");
}
