const LIMIT: usize = 1_000_000;

fn main() {
    // For each denominator b there are phi(b) numerators.
    let mut phi: Vec<usize> = (0..=LIMIT).collect();
    for p in 2..=LIMIT {
        if phi[p] == p {
            // untouched so far: a prime
            for multiple in (p..=LIMIT).step_by(p) {
                phi[multiple] -= phi[multiple] / p;
            }
        }
    }
    println!("{}", phi[2..].iter().sum::<usize>());
}
