const WANTED: u64 = 5000;

/// The smallest number up to `limit` that is a sum of primes in more than WANTED ways.
fn first_with_more_ways(limit: usize) -> Option<usize> {
    let mut ways = vec![0u64; limit + 1];
    ways[0] = 1;
    for p in 2..=limit {
        if (2..p).all(|divisor| p % divisor != 0) {
            for n in p..=limit {
                ways[n] += ways[n - p];
            }
        }
    }
    (1..=limit).find(|&n| ways[n] > WANTED)
}

fn main() {
    let mut limit = 10;
    let answer = loop {
        if let Some(n) = first_with_more_ways(limit) {
            break n;
        }
        limit *= 2;
    };
    println!("{answer}");
}
