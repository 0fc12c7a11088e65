use std::collections::HashMap;

const WANTED: usize = 5;

fn main() {
    let smallest = (1..).find_map(smallest_cube_of_length);
    println!("{}", smallest.expect("the range does not end"));
}

/// The smallest cube of so many digits that has exactly the wanted number of arrangements.
fn smallest_cube_of_length(length: u32) -> Option<u64> {
    let first = 10_u64.pow(length - 1);
    let mut families: HashMap<Vec<u8>, Vec<u64>> = HashMap::new();
    for cube in (1..)
        .map(|n: u64| n.pow(3))
        .skip_while(|&cube| cube < first)
        .take_while(|&cube| cube < 10 * first)
    {
        families.entry(sorted_digits(cube)).or_default().push(cube);
    }
    families
        .values()
        .filter(|family| family.len() == WANTED)
        .map(|family| family[0])
        .min()
}

fn sorted_digits(n: u64) -> Vec<u8> {
    let mut digits = n.to_string().into_bytes();
    digits.sort();
    digits
}
