//! The sum of the amicable numbers below 10000.

const LIMIT: u32 = 10_000;

fn sum_of_proper_divisors(number: u32) -> u32 {
    if number == 1 {
        return 0;
    }
    let mut total = 1;
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number % divisor == 0 {
            let other = number / divisor;
            total += if other == divisor { divisor } else { divisor + other };
        }
        divisor += 1;
    }
    total
}

fn is_amicable(number: u32) -> bool {
    let partner = sum_of_proper_divisors(number);
    partner != number && partner > 0 && sum_of_proper_divisors(partner) == number
}

fn main() {
    let sum: u32 = (1..LIMIT).filter(|&number| is_amicable(number)).sum();
    println!("{sum}");
}
