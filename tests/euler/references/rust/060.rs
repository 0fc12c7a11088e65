use std::collections::{HashMap, HashSet};

const WANTED: usize = 5;
const SMALL_PRIMES: [u64; 18] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61];

/// For each prime: the smaller ones that fit it.
type Partners = HashMap<u64, HashSet<u64>>;

fn main() {
    let mut best = u64::MAX;
    let mut primes = Vec::new();
    let mut partners = Partners::new();
    let mut p = 3;
    while p < best {
        // p is the largest of the five; the others come from the smaller primes that fit it
        if is_prime(p) {
            let fitting: Vec<u64> = primes
                .iter()
                .copied()
                .filter(|&q| p + q < best && fits(q, p))
                .collect();
            partners.insert(p, fitting.iter().copied().collect());
            best = smallest_sum(p, &fitting, WANTED - 1, best, &partners);
            primes.push(p);
        }
        p += 2;
    }
    println!("{best}");
}

/// The least sum below `best` with `wanted` more of the candidates, which grow and all fit what is chosen.
fn smallest_sum(chosen: u64, candidates: &[u64], wanted: usize, mut best: u64, partners: &Partners) -> u64 {
    if wanted == 0 {
        return best.min(chosen);
    }
    for (i, p) in candidates.iter().enumerate().skip(wanted - 1) {
        if chosen + p >= best {
            break;
        }
        let fitting: Vec<u64> = candidates[..i]
            .iter()
            .copied()
            .filter(|q| partners[p].contains(q))
            .collect();
        best = smallest_sum(chosen + p, &fitting, wanted - 1, best, partners);
    }
    best
}

fn fits(a: u64, b: u64) -> bool {
    // written one behind the other, a and b have the remainder of a + b modulo 3
    (a + b) % 3 != 0 && is_prime(joined(a, b)) && is_prime(joined(b, a))
}

fn joined(a: u64, b: u64) -> u64 {
    let mut shift = 10;
    while shift <= b {
        shift *= 10;
    }
    a * shift + b
}

/// Miller and Rabin's test; the bases 2, 7 and 61 leave no doubt below 4 759 123 141.
fn is_prime(n: u64) -> bool {
    match SMALL_PRIMES.iter().find(|&p| n % p == 0) {
        Some(&p) => n == p,
        None => n > 1 && [2, 7, 61].iter().all(|&base| passes(n, base)),
    }
}

fn passes(n: u64, base: u64) -> bool {
    let twos = (n - 1).trailing_zeros();
    let mut x = power(base, (n - 1) >> twos, n);
    if x == 1 || x == n - 1 {
        return true;
    }
    for _ in 1..twos {
        x = x * x % n;
        if x == n - 1 {
            return true;
        }
    }
    false
}

fn power(base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let (mut result, mut square) = (1, base % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        exponent >>= 1;
    }
    result
}
