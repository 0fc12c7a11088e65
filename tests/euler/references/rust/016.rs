//! The sum of the digits of 2 to the power of 1000, doubled digit by digit.

const EXPONENT: u32 = 1000;

fn main() {
    let mut digits = vec![1_u32]; // the last one first
    for _ in 0..EXPONENT {
        let mut carry = 0;
        for digit in &mut digits {
            let doubled = 2 * *digit + carry;
            *digit = doubled % 10;
            carry = doubled / 10;
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    println!("{}", digits.iter().sum::<u32>());
}
