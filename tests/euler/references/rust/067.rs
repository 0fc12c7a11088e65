fn main() {
    let text = std::fs::read_to_string("triangle.txt").expect("triangle.txt is in the working directory");
    let rows: Vec<Vec<u32>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split_whitespace().map(|number| number.parse().expect("a number")).collect())
        .collect();

    // From the bottom up: the best total from each place downwards.
    let mut best = vec![0; rows.len() + 1];
    for row in rows.iter().rev() {
        for (i, number) in row.iter().enumerate() {
            best[i] = number + best[i].max(best[i + 1]);
        }
    }
    println!("{}", best[0]);
}
