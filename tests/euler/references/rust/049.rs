fn main() {
    for a in (1000..10_000).filter(|&a| a != 1487 && is_prime(a)) {
        for b in (a + 1..10_000).filter(|&b| same_digits(a, b) && is_prime(b)) {
            let c = 2 * b - a;
            if c < 10_000 && same_digits(a, c) && is_prime(c) {
                println!("{a}{b}{c}");
            }
        }
    }
}

fn same_digits(a: u32, b: u32) -> bool {
    sorted_digits(a) == sorted_digits(b)
}

fn sorted_digits(n: u32) -> [u32; 4] {
    let mut digits = [n / 1000, n / 100 % 10, n / 10 % 10, n % 10];
    digits.sort();
    digits
}

fn is_prime(n: u32) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}
