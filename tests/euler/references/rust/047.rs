const WANTED: u32 = 4;

fn main() {
    let mut run = 0;
    let mut n = 1;
    while run < WANTED {
        n += 1;
        run = if different_prime_factors(n) == WANTED { run + 1 } else { 0 };
    }
    println!("{}", n - WANTED + 1);
}

fn different_prime_factors(n: u32) -> u32 {
    let mut count = 0;
    let mut rest = n;
    let mut d = 2;
    while d * d <= rest {
        if rest % d == 0 {
            count += 1;
            while rest % d == 0 {
                rest /= d;
            }
        }
        d += 1;
    }
    if rest > 1 { count + 1 } else { count }
}
