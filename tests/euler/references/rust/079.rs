use std::collections::BTreeSet;
use std::fs;

/// A sequence of at most `length` digits that has each of `rests` as a subsequence, if there is one.
fn complete(rests: &[&str], length: usize) -> Option<String> {
    if rests.is_empty() {
        return Some(String::new());
    }
    // Each digit that is still wanted takes at least one place.
    let wanted: BTreeSet<char> = rests.iter().flat_map(|rest| rest.chars()).collect();
    if wanted.len() > length {
        return None;
    }
    let heads: BTreeSet<char> = rests.iter().filter_map(|rest| rest.chars().next()).collect();
    heads.into_iter().find_map(|digit| {
        let after: Vec<&str> = rests
            .iter()
            .map(|rest| rest.strip_prefix(digit).unwrap_or(rest))
            .filter(|rest| !rest.is_empty())
            .collect();
        complete(&after, length - 1).map(|end| format!("{digit}{end}"))
    })
}

fn main() {
    let text = fs::read_to_string("keylog.txt").expect("keylog.txt is in the working directory");
    let logins: BTreeSet<&str> = text.split_whitespace().collect();
    let logins: Vec<&str> = logins.into_iter().collect();
    let secret = (1..).find_map(|length| complete(&logins, length));
    println!("{}", secret.expect("some sequence is long enough"));
}
