fn main() {
    println!("{}", (1..10_000).filter(|&n| is_lychrel(n)).count());
}

fn is_lychrel(n: u32) -> bool {
    let mut digits = digits_of(n);
    for _ in 0..50 {
        digits = plus_its_reverse(&digits);
        if digits.iter().eq(digits.iter().rev()) {
            return false;
        }
    }
    true
}

/// The decimal digits, the last one first.
fn digits_of(n: u32) -> Vec<u8> {
    n.to_string().bytes().rev().map(|digit| digit - b'0').collect()
}

fn plus_its_reverse(digits: &[u8]) -> Vec<u8> {
    let mut sum = Vec::with_capacity(digits.len() + 1);
    let mut carry = 0;
    for (a, b) in digits.iter().zip(digits.iter().rev()) {
        let total = a + b + carry;
        sum.push(total % 10);
        carry = total / 10;
    }
    if carry > 0 {
        sum.push(carry);
    }
    sum
}
