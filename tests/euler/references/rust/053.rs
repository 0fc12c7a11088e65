const LIMIT: u32 = 1_000_000;

fn main() {
    let mut exceeding = 0;
    let mut row = vec![1];
    for _ in 1..=100 {
        // what exceeds a million is kept as one more than that
        let inner = row.windows(2).map(|pair| (pair[0] + pair[1]).min(LIMIT + 1));
        row = std::iter::once(1).chain(inner).chain([1]).collect();
        exceeding += row.iter().filter(|&&value| value > LIMIT).count();
    }
    println!("{exceeding}");
}
