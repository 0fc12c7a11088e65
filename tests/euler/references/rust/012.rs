//! The first triangular number with more than 500 divisors.

const DIVISORS: u32 = 500;

fn divisor_count(mut number: u32) -> u32 {
    let mut total = 1;
    let mut divisor = 2;
    while divisor * divisor <= number {
        let mut exponent = 0;
        while number % divisor == 0 {
            number /= divisor;
            exponent += 1;
        }
        total *= exponent + 1;
        divisor += 1;
    }
    if number > 1 { total * 2 } else { total }
}

/// The number of divisors of n(n + 1)/2. Of the neighbours n and n + 1 the even one is halved; they have no
/// common factor, so that the numbers of their divisors are multiplied.
fn triangular_divisor_count(n: u32) -> u32 {
    if n % 2 == 0 {
        divisor_count(n / 2) * divisor_count(n + 1)
    } else {
        divisor_count(n) * divisor_count((n + 1) / 2)
    }
}

fn main() {
    let n = (1..).find(|&n| triangular_divisor_count(n) > DIVISORS).expect("there is no last number");
    println!("{}", u64::from(n) * u64::from(n + 1) / 2);
}
