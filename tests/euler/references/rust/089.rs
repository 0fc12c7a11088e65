use std::fs;

/// How many letters the digits from 0 to 9 take in shortest form, in each of the places below thousands.
const LENGTHS: [usize; 10] = [0, 1, 2, 3, 2, 1, 2, 3, 4, 2];

fn value(numeral: &str) -> usize {
    let mut total = 0;
    let mut following = 0;
    for letter in numeral.chars().rev() {
        let number = match letter {
            'I' => 1,
            'V' => 5,
            'X' => 10,
            'L' => 50,
            'C' => 100,
            'D' => 500,
            'M' => 1000,
            other => panic!("{other} is no Roman numeral"),
        };
        if number < following {
            total -= number;
        } else {
            total += number;
        }
        following = number;
    }
    total
}

fn shortest_length(number: usize) -> usize {
    number / 1000 + LENGTHS[number / 100 % 10] + LENGTHS[number / 10 % 10] + LENGTHS[number % 10]
}

fn main() {
    let text = fs::read_to_string("roman.txt").expect("roman.txt is in the working directory");
    let saved: usize =
        text.split_whitespace().map(|numeral| numeral.len() - shortest_length(value(numeral))).sum();
    println!("{saved}");
}
