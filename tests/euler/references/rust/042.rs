fn main() {
    let text = std::fs::read_to_string("words.txt").expect("words.txt is in the working directory");
    let triangle_words = text
        .trim()
        .split(',')
        .filter(|word| is_triangle_number(value(word.trim_matches('"'))))
        .count();
    println!("{triangle_words}");
}

fn value(word: &str) -> u32 {
    word.bytes().map(|letter| u32::from(letter - b'A') + 1).sum()
}

fn is_triangle_number(value: u32) -> bool {
    (1..)
        .map(|n| n * (n + 1) / 2)
        .take_while(|&triangle| triangle <= value)
        .any(|triangle| triangle == value)
}
