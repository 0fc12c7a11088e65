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
    let mut best = vec![0; size]; // the smallest sums that come in from the column on the left
    for column in 0..size {
        for row in 0..size {
            best[row] += matrix[row][column];
        }
        for row in 1..size {
            best[row] = best[row].min(best[row - 1] + matrix[row][column]);
        }
        for row in (0..size - 1).rev() {
            best[row] = best[row].min(best[row + 1] + matrix[row][column]);
        }
    }
    println!("{}", best.iter().min().expect("the matrix has rows"));
}
