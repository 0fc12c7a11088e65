//! The square of the sum of 1 to 100, less the sum of the squares.

fn main() {
    let sum: u32 = (1..=100).sum();
    let squares: u32 = (1..=100).map(|n| n * n).sum();
    println!("{}", sum * sum - squares);
}
