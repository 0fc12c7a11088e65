//! Sum of the even terms, up to four million, of the sequence 1, 2, 3, 5, 8, ...

const LIMIT: u32 = 4_000_000;

fn main() {
    let pairs = std::iter::successors(Some((1, 2)), |&(term, following)| Some((following, term + following)));
    let sum: u32 = pairs
        .map(|(term, _)| term)
        .take_while(|&term| term <= LIMIT)
        .filter(|term| term % 2 == 0)
        .sum();
    println!("{sum}");
}
