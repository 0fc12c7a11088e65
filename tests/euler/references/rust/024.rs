//! The millionth arrangement of the ten digits, found digit by digit in the factorial number system.

const POSITION: usize = 1_000_000;

fn main() {
    let mut digits: Vec<char> = ('0'..='9').collect();
    let mut index = POSITION - 1; // counted from 0
    let mut arrangement = String::new();
    while !digits.is_empty() {
        let block: usize = (1..digits.len()).product(); // arrangements that begin alike
        arrangement.push(digits.remove(index / block));
        index %= block;
    }
    println!("{arrangement}");
}
