fn main() {
    let mut best = 0;
    for a in 1..100 {
        let mut power = vec![1]; // decimal digits, the last one first
        for _ in 1..100 {
            multiply(&mut power, a);
            best = best.max(power.iter().sum());
        }
    }
    println!("{best}");
}

fn multiply(digits: &mut Vec<u32>, factor: u32) {
    let mut carry = 0;
    for digit in digits.iter_mut() {
        carry += *digit * factor;
        *digit = carry % 10;
        carry /= 10;
    }
    while carry > 0 {
        digits.push(carry % 10);
        carry /= 10;
    }
}
