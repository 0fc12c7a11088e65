def nothing(messages):
    return ""


PROGRAM = r"""```rust
use std::collections::HashMap;
use std::fs;

fn main() {
    let text = fs::read_to_string("letters.txt").expect("letters.txt").to_lowercase();
    let chars: Vec<char> = text.chars().collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut word = String::new();
    for i in 0..=chars.len() {
        let c = if i < chars.len() { chars[i] } else { ' ' };
        let between = c == '\'' && i > 0 && chars[i - 1].is_alphabetic()
            && i + 1 < chars.len() && chars[i + 1].is_alphabetic();
        if c.is_alphabetic() || between {
            word.push(c);
        } else if !word.is_empty() {
            *counts.entry(std::mem::take(&mut word)).or_insert(0) += 1;
        }
    }
    let mut sorted: Vec<(String, usize)> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    for (word, n) in sorted.iter().take(5) {
        println!("{} {}", word, n);
    }
}
```"""

FUNCTION = r"""```rust
use std::collections::HashMap;

fn count_words(text: &str) -> Vec<(String, usize)> {
    let ends: &[char] = &['.', ',', ';', ':', '!', '?', '(', ')', '"'];
    let mut place: HashMap<String, usize> = HashMap::new();
    let mut counted: Vec<(String, usize)> = Vec::new();
    for raw in text.split_whitespace() {
        let word = raw.trim_matches(ends).to_lowercase();
        if word.is_empty() {
            continue;
        }
        match place.get(&word) {
            Some(&i) => counted[i].1 += 1,
            None => {
                place.insert(word.clone(), counted.len());
                counted.push((word, 1));
            }
        }
    }
    counted.sort_by_key(|entry| std::cmp::Reverse(entry.1)); // stable
    counted
}
```"""

RIGHT = {
    "TestRustWordCount": [
        PROGRAM,
        """Split at everything that is neither letter nor apostrophe, then trim the apostrophes:

```rust
use std::collections::BTreeMap;

fn main() -> std::io::Result<()> {
    let text = std::fs::read_to_string("letters.txt")?;
    let mut counts = BTreeMap::new();
    for word in text.split(|c: char| !(c.is_alphabetic() || c == '\\'')) {
        let word = word.trim_matches('\\'').to_lowercase();
        if !word.is_empty() {
            *counts.entry(word).or_insert(0usize) += 1;
        }
    }
    let mut all: Vec<_> = counts.iter().collect();
    all.sort_by(|a, b| b.1.cmp(a.1)); // stable, and the map is in order already
    all.truncate(5);
    for (w, n) in all {
        println!("{w} {n}");
    }
    Ok(())
}
```
Run it with `cargo run`.""",
    ],
    "TestRustWordCountFunction": [
        FUNCTION,
        """Here it is, with a small main to try it:

```rust
use std::collections::HashMap;

pub fn count_words(text: &str) -> Vec<(String, usize)> {
    let mut seen: HashMap<String, (usize, usize)> = HashMap::new();
    let cleaned = text
        .split_whitespace()
        .map(|w| w.trim_matches(|c| ".,;:!?()\\"".contains(c)).to_lowercase())
        .filter(|w| !w.is_empty());
    for (order, word) in cleaned.enumerate() {
        seen.entry(word).or_insert((0, order)).0 += 1;
    }
    let mut list: Vec<(String, (usize, usize))> = seen.into_iter().collect();
    list.sort_by(|(_, (n, i)), (_, (m, j))| m.cmp(n).then(i.cmp(j)));
    list.into_iter().map(|(word, (n, _))| (word, n)).collect()
}

fn main() {
    println!("{:?}", count_words("to be or not to be"));
}
```""",
    ],
}

WRONG = {
    "TestRustWordCount": [
        nothing,
        PROGRAM.replace(".to_lowercase();", ";"),  # the and The are two words
        PROGRAM.replace("b.1.cmp(&a.1)", "a.1.cmp(&b.1)"),  # the rarest
        PROGRAM.replace(".then(a.0.cmp(&b.0))", ".then(b.0.cmp(&a.0))"),
        PROGRAM.replace("|| between", ""),  # don't falls apart
        PROGRAM.replace("let mut word", "let word"),  # does not compile
        '```rust\n// the 6\n// don\'t 3\nfn main() { println!("the 6"); }\n```',
    ],
    "TestRustWordCountFunction": [
        nothing,
        FUNCTION.replace(".to_lowercase()", ".to_ascii_lowercase()"),
        FUNCTION.replace("counted.sort_by_key(|entry| std::cmp::Reverse(entry.1));", "counted.sort();"),
        FUNCTION.replace("raw.trim_matches(ends)", "raw.trim_end_matches(ends)"),
        "```rust\nfn count_words(text: &str) -> Vec<(String, usize)> {\n    // [word=100000 other=50000]\n"
        "    vec![]\n}\n```",
    ],
}
