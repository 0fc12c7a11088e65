fn main() {
    // Every hexagonal number is triangular: n(2n-1) is the triangle number of 2n-1.
    let next = (144..).map(|n| n * (2 * n - 1)).find(|&h| is_pentagonal(h));
    println!("{}", next.expect("the range does not end"));
}

/// p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1.
fn is_pentagonal(p: u64) -> bool {
    let root = ((24 * p + 1) as f64).sqrt().round() as u64;
    root * root == 24 * p + 1 && root % 6 == 5
}
