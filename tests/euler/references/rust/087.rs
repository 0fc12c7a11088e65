const LIMIT: usize = 50_000_000;

fn main() {
    let primes: Vec<usize> = (2..)
        .take_while(|n| n * n < LIMIT)
        .filter(|&n| (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0))
        .collect();

    let mut reached = vec![false; LIMIT];
    for r in &primes {
        for q in primes.iter().take_while(|&q| r.pow(4) + q.pow(3) < LIMIT) {
            let start = r.pow(4) + q.pow(3);
            for p in primes.iter().take_while(|&p| start + p * p < LIMIT) {
                reached[start + p * p] = true;
            }
        }
    }
    println!("{}", reached.iter().filter(|&&is_reached| is_reached).count());
}
