//! The largest palindrome among the products of two factors of three digits.

fn is_palindrome(number: u32) -> bool {
    let mut reversed = 0;
    let mut rest = number;
    while rest > 0 {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
    }
    reversed == number
}

fn main() {
    let products = (100..1000).flat_map(|a| (a..1000).map(move |b| a * b));
    let largest = products.filter(|&product| is_palindrome(product)).max();
    println!("{}", largest.expect("10201 = 101 * 101 is one"));
}
