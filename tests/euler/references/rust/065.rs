fn main() {
    // The numerators follow h(i) = term(i) * h(i-1) + h(i-2), and are in lowest terms.
    let (mut before, mut numerator) = (vec![1], vec![2]);
    for i in 1..100 {
        let next = multiply_add(&numerator, term(i), &before);
        before = numerator;
        numerator = next;
    }
    println!("{}", numerator.iter().sum::<u32>());
}

/// The terms after the 2 at the front, from i = 1: 1, 2, 1, 1, 4, 1, 1, 6, 1, ...
fn term(i: u32) -> u32 {
    if i % 3 == 2 { 2 * (i + 1) / 3 } else { 1 }
}

/// a * factor + b, with numbers as their decimal digits, the last one first; a is the longer one.
fn multiply_add(a: &[u32], factor: u32, b: &[u32]) -> Vec<u32> {
    let mut result = Vec::new();
    let mut carry = 0;
    for (i, digit) in a.iter().enumerate() {
        carry += digit * factor + b.get(i).unwrap_or(&0);
        result.push(carry % 10);
        carry /= 10;
    }
    while carry > 0 {
        result.push(carry % 10);
        carry /= 10;
    }
    result
}
