const LIMIT: usize = 1_500_000;

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

fn main() {
    // Euclid: for coprime m > n > 0 of different parity, the primitive triangle has perimeter 2m(m + n).
    let mut ways = vec![0; LIMIT + 1];
    let mut m = 2;
    while 2 * m * (m + 1) <= LIMIT {
        for n in (1 + m % 2..m).step_by(2) {
            let primitive = 2 * m * (m + n);
            if gcd(m, n) == 1 {
                for perimeter in (primitive..=LIMIT).step_by(primitive) {
                    ways[perimeter] += 1;
                }
            }
        }
        m += 1;
    }
    println!("{}", ways.iter().filter(|&&number| number == 1).count());
}
