use std::fs;

fn read(path: &str) -> Vec<Vec<u64>> {
    let text = fs::read_to_string(path).expect("the file is in the working directory");
    text.split_whitespace()
        .map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect()
}

fn main() {
    let matrix = read("matrix.txt");
    let mut best = vec![u64::MAX; matrix.len()]; // the smallest sums that come in from the row above
    best[0] = 0;
    for row in &matrix {
        best[0] += row[0];
        for column in 1..row.len() {
            best[column] = best[column].min(best[column - 1]) + row[column];
        }
    }
    println!("{}", best[best.len() - 1]);
}
