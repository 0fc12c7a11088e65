use std::collections::{BTreeSet, HashMap};
use std::fs;

fn squares_of_length(length: usize) -> Vec<String> {
    (1u64..)
        .map(|root| (root * root).to_string())
        .take_while(|square| square.len() <= length)
        .filter(|square| square.len() == length)
        .collect()
}

/// The letters' digits that turn `word` into `square`, if there are such.
fn replacement(word: &str, square: &str) -> Option<HashMap<char, char>> {
    let mut digits = HashMap::new();
    for (letter, digit) in word.chars().zip(square.chars()) {
        if *digits.entry(letter).or_insert(digit) != digit {
            return None;
        }
    }
    let different: BTreeSet<&char> = digits.values().collect();
    (different.len() == digits.len()).then_some(digits)
}

fn main() {
    let text = fs::read_to_string("words.txt").expect("words.txt is in the working directory");
    let words: BTreeSet<&str> = text.trim().split(',').map(|word| word.trim_matches('"')).collect();
    let mut anagrams: HashMap<Vec<char>, Vec<&str>> = HashMap::new();
    for word in words {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        anagrams.entry(letters).or_default().push(word);
    }

    let mut best = 0u64;
    for group in anagrams.values().filter(|group| group.len() > 1) {
        let squares = squares_of_length(group[0].len());
        let known: BTreeSet<&String> = squares.iter().collect();
        for word in group {
            for square in &squares {
                if let Some(digits) = replacement(word, square) {
                    let mut others = group.iter().filter(|other| *other != word);
                    let replace = |word: &str| word.chars().map(|letter| digits[&letter]).collect::<String>();
                    if others.any(|other| known.contains(&replace(other))) {
                        best = best.max(square.parse().expect("a number"));
                    }
                }
            }
        }
    }
    println!("{best}");
}
