//! The product ab of the polynomial n^2 + an + b that is prime for the most n = 0, 1, 2, ...

const LIMIT: i32 = 1000;
/// At n = b the value is divisible by b, and it is not b itself: no run goes on from there. So n stays at or
/// below 1000, and no value is above this one.
const LARGEST: i32 = 2 * LIMIT * LIMIT + LIMIT;

fn sieve(largest: usize) -> Vec<bool> {
    let mut is_prime = vec![true; largest + 1];
    is_prime[..2].fill(false);
    for n in (2..).take_while(|n| n * n <= largest) {
        if is_prime[n] {
            for multiple in (n * n..=largest).step_by(n) {
                is_prime[multiple] = false;
            }
        }
    }
    is_prime
}

fn main() {
    let sieve = sieve(LARGEST as usize);
    let is_prime = |value: i32| value > 0 && sieve[value as usize];
    let run = |a: i32, b: i32| (0..).take_while(|n| is_prime(n * n + a * n + b)).count();
    let mut best = (0, 0);
    for b in (2..=LIMIT).filter(|&b| is_prime(b)) {
        for a in -LIMIT + 1..LIMIT {
            best = best.max((run(a, b), a * b));
        }
    }
    println!("{}", best.1);
}
