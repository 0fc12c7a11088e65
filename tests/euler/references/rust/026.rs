//! The d below 1000 whose reciprocal repeats the longest block, by long division.

const LIMIT: usize = 1000;

fn block_length(divisor: usize) -> usize {
    let mut steps = vec![None; divisor]; // remainder -> step at which it came up
    let mut remainder = 1;
    let mut step = 0;
    while remainder != 0 {
        if let Some(first) = steps[remainder].replace(step) {
            return step - first;
        }
        remainder = remainder * 10 % divisor;
        step += 1;
    }
    0
}

fn main() {
    let longest = (2..LIMIT).max_by_key(|&divisor| block_length(divisor));
    println!("{}", longest.expect("there are divisors"));
}
