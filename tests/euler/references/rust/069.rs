const LIMIT: usize = 1_000_000;

fn main() {
    let mut phi: Vec<usize> = (0..=LIMIT).collect();
    for p in 2..=LIMIT {
        if phi[p] == p {
            // untouched so far: a prime
            for multiple in (p..=LIMIT).step_by(p) {
                phi[multiple] -= phi[multiple] / p;
            }
        }
    }
    let mut best = 2;
    for n in 3..=LIMIT {
        if n * phi[best] > best * phi[n] {
            best = n;
        }
    }
    println!("{best}");
}
