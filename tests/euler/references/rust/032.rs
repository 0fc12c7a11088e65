//! The sum of the products c = a * b that, with their factors, use each of the digits 1 to 9 once.
//!
//! With a below b the factors have 1 and 4 or 2 and 3 digits, and the product has four: other splits of nine
//! digits cannot be balanced.

use std::collections::HashSet;

fn is_pandigital(text: &str) -> bool {
    text.len() == 9 && ('1'..='9').all(|digit| text.contains(digit))
}

fn main() {
    let mut products = HashSet::new();
    for a in 1..100 {
        for product in (a + 1..).map(|b| a * b).take_while(|&product| product < 10_000) {
            if is_pandigital(&format!("{a}{}{product}", product / a)) {
                products.insert(product);
            }
        }
    }
    println!("{}", products.iter().sum::<u32>());
}
