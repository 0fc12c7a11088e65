//! The index of the first Fibonacci number of 1000 digits, added digit by digit.

const DIGITS: usize = 1000;

/// The sum of two numbers given by their digits, the last one first; `larger` is not the shorter one.
fn sum(larger: &[u8], smaller: &[u8]) -> Vec<u8> {
    let mut digits = Vec::with_capacity(larger.len() + 1);
    let mut carry = 0;
    for (i, digit) in larger.iter().enumerate() {
        let total = digit + smaller.get(i).unwrap_or(&0) + carry;
        digits.push(total % 10);
        carry = total / 10;
    }
    if carry > 0 {
        digits.push(carry);
    }
    digits
}

fn main() {
    let mut index = 1;
    let (mut term, mut following) = (vec![1], vec![1]);
    while term.len() < DIGITS {
        let next = sum(&following, &term);
        term = following;
        following = next;
        index += 1;
    }
    println!("{index}");
}
