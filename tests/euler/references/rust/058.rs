fn main() {
    let (mut side, mut corner, mut primes) = (1, 1, 0);
    loop {
        side += 2;
        for _ in 0..4 {
            corner += side - 1;
            if is_prime(corner) {
                primes += 1;
            }
        }
        if 10 * primes < 2 * side - 1 {
            break;
        }
    }
    println!("{side}");
}

fn is_prime(n: u32) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}
