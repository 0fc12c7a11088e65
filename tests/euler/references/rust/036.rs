fn main() {
    let sum: u32 = (1..1_000_000)
        .filter(|&n| reversed(n, 10) == n && reversed(n, 2) == n)
        .sum();
    println!("{sum}");
}

fn reversed(n: u32, base: u32) -> u32 {
    let mut result = 0;
    let mut rest = n;
    while rest > 0 {
        result = result * base + rest % base;
        rest /= base;
    }
    result
}
