fn main() {
    let smallest = (9..)
        .step_by(2)
        .find(|&n| !is_prime(n) && !is_prime_and_twice_a_square(n));
    println!("{}", smallest.expect("the range does not end"));
}

fn is_prime_and_twice_a_square(n: u32) -> bool {
    (1..)
        .map(|i| 2 * i * i)
        .take_while(|&twice| twice < n)
        .any(|twice| is_prime(n - twice))
}

fn is_prime(n: u32) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}
