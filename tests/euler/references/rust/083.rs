use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;

fn read(path: &str) -> Vec<Vec<u64>> {
    let text = fs::read_to_string(path).expect("the file is in the working directory");
    text.split_whitespace()
        .map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect()
}

fn main() {
    let matrix = read("matrix.txt");
    let size = matrix.len();

    // Dijkstra: cells leave the queue in the order of their smallest sums.
    let mut done = vec![vec![false; size]; size];
    let mut queue = BinaryHeap::from([Reverse((matrix[0][0], 0, 0))]);
    while let Some(Reverse((sum, row, column))) = queue.pop() {
        if (row, column) == (size - 1, size - 1) {
            println!("{sum}");
            return;
        }
        if done[row][column] {
            continue;
        }
        done[row][column] = true;
        // Left of column 0 is usize::MAX, which is outside like `size`.
        let neighbours = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        for (r, c) in neighbours {
            if r < size && c < size && !done[r][c] {
                queue.push(Reverse((sum + matrix[r][c], r, c)));
            }
        }
    }
}
