const WANTED: usize = 8;

fn main() {
    let smallest = (2..).find(|&n| is_prime(n) && belongs_to_a_family(n));
    println!("{}", smallest.expect("the range does not end"));
}

fn belongs_to_a_family(n: u32) -> bool {
    let digits = n.to_string().into_bytes();
    (b'0'..=b'9').any(|digit| {
        // bit i stands for the place at index i
        let places: u32 = (0..digits.len()).filter(|&i| digits[i] == digit).map(|i| 1 << i).sum();
        non_empty_subsets(places).any(|stars| family_size(&digits, stars) == WANTED)
    })
}

fn non_empty_subsets(set: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(set), move |subset| Some(subset.wrapping_sub(1) & set))
        .take_while(|&subset| subset > 0)
}

fn family_size(digits: &[u8], stars: u32) -> usize {
    let first = if stars & 1 == 0 { 0 } else { 1 }; // no leading zero
    let value = |digit: u32| {
        digits.iter().enumerate().fold(0, |value, (i, &c)| {
            10 * value + if stars & 1 << i == 0 { u32::from(c - b'0') } else { digit }
        })
    };
    (first..10).filter(|&digit| is_prime(value(digit))).count()
}

fn is_prime(n: u32) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}
