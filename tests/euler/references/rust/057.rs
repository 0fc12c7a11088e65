fn main() {
    // One more fraction turns n/d into (n + 2d) / (n + d), which is in lowest terms if n/d is.
    let (mut n, mut d) = (vec![1], vec![1]);
    let mut longer = 0;
    for _ in 0..1000 {
        let sum = add(&n, &d);
        n = add(&sum, &d);
        d = sum;
        if n.len() > d.len() {
            longer += 1;
        }
    }
    println!("{longer}");
}

/// The sum of two numbers given by their decimal digits, the last one first.
fn add(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut sum = Vec::with_capacity(a.len().max(b.len()) + 1);
    let mut carry = 0;
    for i in 0..a.len().max(b.len()) {
        let total = a.get(i).unwrap_or(&0) + b.get(i).unwrap_or(&0) + carry;
        sum.push(total % 10);
        carry = total / 10;
    }
    if carry > 0 {
        sum.push(carry);
    }
    sum
}
