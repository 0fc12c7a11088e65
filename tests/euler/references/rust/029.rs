//! The number of different values of a^b with a and b from 2 to 100.
//!
//! Two powers are equal when they have the same prime factors with the same exponents.

use std::collections::BTreeMap;
use std::collections::HashSet;

const LIMIT: u32 = 100;

/// Prime -> exponent.
fn factors(mut number: u32) -> BTreeMap<u32, u32> {
    let mut exponents = BTreeMap::new();
    let mut divisor = 2;
    while number > 1 {
        while number % divisor == 0 {
            number /= divisor;
            *exponents.entry(divisor).or_insert(0) += 1;
        }
        divisor += 1;
    }
    exponents
}

fn main() {
    let mut powers = HashSet::new();
    for a in 2..=LIMIT {
        let base = factors(a);
        for b in 2..=LIMIT {
            powers.insert(base.iter().map(|(&prime, exponent)| (prime, exponent * b)).collect::<Vec<_>>());
        }
    }
    println!("{}", powers.len());
}
