//! The sum of the numbers on the diagonals of a spiral of 1001 x 1001 cells.

const SIZE: u64 = 1001;

fn main() {
    let mut number = 1;
    let mut total = 1;
    for side in (3..=SIZE).step_by(2) {
        for _corner in 0..4 {
            number += side - 1; // cells from one corner to the next
            total += number;
        }
    }
    println!("{total}");
}
