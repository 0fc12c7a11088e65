//! The largest prime factor of one number, by trial division.

const NUMBER: u64 = 600_851_475_143;

fn largest_prime_factor(mut number: u64) -> u64 {
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number % divisor == 0 {
            number /= divisor; // what is left has no prime factor below the divisor
        } else {
            divisor += 1;
        }
    }
    number
}

fn main() {
    println!("{}", largest_prime_factor(NUMBER));
}
