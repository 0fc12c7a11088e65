const MODULUS: u128 = 10_000_000_000;

fn power(base: u128, exponent: u32) -> u128 {
    let mut result = 1;
    for bit in (0..u32::BITS).rev() {
        result = result * result % MODULUS;
        if exponent >> bit & 1 == 1 {
            result = result * base % MODULUS;
        }
    }
    result
}

fn main() {
    println!("{:010}", (28433 * power(2, 7_830_457) + 1) % MODULUS);
}
