//! The number of letters in the English names of 1 to 1000.

/// Nothing is said for 0.
const SMALL: [&str; 20] = [
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

fn words(number: usize) -> String {
    match number {
        1000 => "one thousand".to_string(),
        100..=999 if number % 100 == 0 => format!("{} hundred", SMALL[number / 100]),
        100..=999 => format!("{} hundred and {}", SMALL[number / 100], words(number % 100)),
        20..=99 => format!("{} {}", TENS[number / 10], SMALL[number % 10]),
        _ => SMALL[number].to_string(),
    }
}

fn main() {
    let letters: usize = (1..=1000).map(|number| words(number).replace(' ', "").len()).sum();
    println!("{letters}");
}
