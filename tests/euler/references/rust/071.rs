const LIMIT: u64 = 1_000_000;

fn main() {
    let (mut best_a, mut best_b) = (0, 1);
    for b in 1..=LIMIT {
        let a = (3 * b - 1) / 7; // the largest a with a/b < 3/7
        if a * best_b > best_a * b {
            (best_a, best_b) = (a, b);
        }
    }
    println!("{best_a}");
}
