const TARGET: usize = 100;

fn main() {
    let mut ways = [0u64; TARGET + 1]; // with the summands seen so far
    ways[0] = 1;
    for summand in 1..TARGET {
        for n in summand..=TARGET {
            ways[n] += ways[n - summand];
        }
    }
    println!("{}", ways[TARGET]);
}
