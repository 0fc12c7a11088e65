fn main() {
    // from x = 10000 on, two products have ten digits already
    let best = (1..10_000).filter_map(pandigital_product).max();
    println!("{}", best.expect("192384576 at least"));
}

fn pandigital_product(x: u32) -> Option<u32> {
    let mut joined = String::new();
    let mut n = 0;
    while joined.len() < 9 {
        n += 1;
        joined += &(n * x).to_string();
    }
    let mut digits = joined.clone().into_bytes();
    digits.sort();
    (n > 1 && digits == b"123456789").then(|| joined.parse().expect("nine digits"))
}
