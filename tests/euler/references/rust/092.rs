const LIMIT: usize = 10_000_000;
const LARGEST_SUM: usize = 7 * 81;

fn successor(mut n: usize) -> usize {
    let mut total = 0;
    while n > 0 {
        total += (n % 10) * (n % 10);
        n /= 10;
    }
    total
}

fn leads_to_89(mut n: usize) -> bool {
    while n != 1 && n != 89 {
        n = successor(n);
    }
    n == 89
}

fn main() {
    let mut known = vec![false];
    known.extend((1..=LARGEST_SUM).map(leads_to_89));
    println!("{}", (1..LIMIT).filter(|&n| known[successor(n)]).count());
}
