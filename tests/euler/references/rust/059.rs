const KEY_LENGTH: usize = 3;

fn main() {
    let text = std::fs::read_to_string("cipher.txt").expect("cipher.txt is in the working directory");
    let codes: Vec<u8> = text
        .trim()
        .split(',')
        .map(|number| number.parse().expect("a byte in decimal"))
        .collect();
    // Every third byte is encrypted with the same letter, so the letters can be found one by one.
    let sum: u32 = (0..KEY_LENGTH).map(|start| decrypted_sum(&codes[start..])).sum();
    println!("{sum}");
}

/// The sum over every third character, decrypted.
fn decrypted_sum(codes: &[u8]) -> u32 {
    let column = || codes.iter().step_by(KEY_LENGTH);
    let spaces = |letter: &u8| column().filter(|&code| code ^ letter == b' ').count();
    // The space is the most frequent character of the text.
    let letter = (b'a'..=b'z').max_by_key(spaces).expect("the alphabet is not empty");
    column().map(|code| u32::from(code ^ letter)).sum()
}
