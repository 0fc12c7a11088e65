fn main() {
    let product: usize = (0..7).map(|k| digit(10_usize.pow(k))).product();
    println!("{product}");
}

/// The digit at a 1-based position of 123456789101112...
fn digit(mut position: usize) -> usize {
    let (mut length, mut first) = (1, 1); // the numbers of `length` digits begin with `first`
    while position > length * 9 * first {
        position -= length * 9 * first;
        length += 1;
        first *= 10;
    }
    let number = first + (position - 1) / length;
    let place = (position - 1) % length;
    number / 10_usize.pow((length - 1 - place) as u32) % 10
}
