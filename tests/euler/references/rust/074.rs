const LIMIT: usize = 1_000_000;
const LARGEST: usize = 7 * 362_880; // no number of up to seven digits leads higher
const WANTED: usize = 60;
const FACTORIALS: [usize; 10] = [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880];

fn successor(mut n: usize) -> usize {
    let mut total = 0;
    while n > 0 {
        total += FACTORIALS[n % 10];
        n /= 10;
    }
    total
}

fn main() {
    let mut stamp = vec![0; LARGEST + 1]; // the start that was the last to meet a number
    let mut count = 0;
    for start in 1..LIMIT {
        let mut length = 0;
        let mut n = start;
        while stamp[n] != start {
            stamp[n] = start;
            length += 1;
            n = successor(n);
        }
        if length == WANTED {
            count += 1;
        }
    }
    println!("{count}");
}
