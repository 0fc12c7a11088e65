fn main() {
    let smallest = (1..).find(|x| (2..=6).all(|k| sorted_digits(k * x) == sorted_digits(*x)));
    println!("{}", smallest.expect("the range does not end"));
}

fn sorted_digits(n: u32) -> Vec<u8> {
    let mut digits = n.to_string().into_bytes();
    digits.sort();
    digits
}
