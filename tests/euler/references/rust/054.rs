use std::cmp::Reverse;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    HighCard,
    OnePair,
    TwoPairs,
    Three,
    Straight,
    Flush,
    FullHouse,
    Four,
    StraightFlush, // a royal flush is the one with the highest values
}

fn main() {
    let text = std::fs::read_to_string("poker.txt").expect("poker.txt is in the working directory");
    let wins = text.lines().filter(|line| !line.trim().is_empty()).filter(|line| {
        let cards: Vec<&str> = line.split_whitespace().collect();
        strength(&cards[..5]) > strength(&cards[5..])
    });
    println!("{}", wins.count());
}

/// The hand's rank, and its values in the order in which equal ranks compare them.
fn strength(hand: &[&str]) -> (Rank, Vec<usize>) {
    let all: Vec<usize> = hand.iter().map(|card| value(card)).collect();
    let count = |value: &usize| all.iter().filter(|&other| other == value).count();

    // larger groups of equal cards first, and higher values first among equal groups
    let mut values = all.clone();
    values.sort_by_key(|value| Reverse((count(value), *value)));
    values.dedup();

    let flush = hand.iter().all(|card| card[1..] == hand[0][1..]);
    let straight = values.len() == 5 && values[0] - values[4] == 4;
    let rank = match (values.len(), count(&values[0])) {
        (2, 4) => Rank::Four,
        (2, _) => Rank::FullHouse,
        (3, 3) => Rank::Three,
        (3, _) => Rank::TwoPairs,
        (4, _) => Rank::OnePair,
        _ if straight && flush => Rank::StraightFlush,
        _ if straight => Rank::Straight,
        _ if flush => Rank::Flush,
        _ => Rank::HighCard,
    };
    (rank, values)
}

fn value(card: &str) -> usize {
    "23456789TJQKA".find(&card[..1]).expect("a card begins with its value")
}
