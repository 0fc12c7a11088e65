//! Walks through a grid of 20 x 20 cells: each crossing is reached from the left or from above.

const SIZE: usize = 20;

fn main() {
    let mut walks = [1_u64; SIZE + 1]; // to each crossing of the top line
    for _line in 1..=SIZE {
        for crossing in 1..=SIZE {
            walks[crossing] += walks[crossing - 1];
        }
    }
    println!("{}", walks[SIZE]);
}
