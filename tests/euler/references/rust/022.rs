//! The sum of the scores of the names in names.txt: letters' values times alphabetical position.

fn value(name: &str) -> u64 {
    name.bytes().map(|letter| u64::from(letter - b'A' + 1)).sum()
}

fn main() -> std::io::Result<()> {
    let text = std::fs::read_to_string("names.txt")?;
    let mut names: Vec<&str> = text.trim().split(',').map(|name| name.trim_matches('"')).collect();
    names.sort_unstable();
    let total: u64 = (1..).zip(&names).map(|(position, name)| position * value(name)).sum();
    println!("{total}");
    Ok(())
}
