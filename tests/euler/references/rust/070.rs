const LIMIT: usize = 10_000_000;

/// How often each digit occurs in `n`.
fn digits(mut n: u32) -> [u8; 10] {
    let mut counts = [0; 10];
    while n > 0 {
        counts[(n % 10) as usize] += 1;
        n /= 10;
    }
    counts
}

fn main() {
    let mut phi: Vec<u32> = (0..LIMIT as u32).collect();
    for p in 2..LIMIT {
        if phi[p] == p as u32 {
            // untouched so far: a prime
            for multiple in (p..LIMIT).step_by(p) {
                phi[multiple] -= phi[multiple] / p as u32;
            }
        }
    }
    let mut best: Option<(u64, u64)> = None;
    for n in 2..LIMIT {
        let ratio = (n as u64, phi[n] as u64);
        let smaller = best.map_or(true, |(m, phi_m)| ratio.0 * phi_m < m * ratio.1);
        if smaller && digits(n as u32) == digits(phi[n]) {
            best = Some(ratio);
        }
    }
    println!("{}", best.expect("87109 is one").0);
}
