//! The sum of the digits of the factorial of 100, multiplied digit by digit.

const NUMBER: u32 = 100;

fn main() {
    let mut digits = vec![1]; // the last one first
    for factor in 2..=NUMBER {
        let mut carry = 0;
        for digit in &mut digits {
            let product = *digit * factor + carry;
            *digit = product % 10;
            carry = product / 10;
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    println!("{}", digits.iter().sum::<u32>());
}
