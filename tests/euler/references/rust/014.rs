//! The start below one million of the longest chain n -> n/2 (even), 3n + 1 (odd) down to 1.

const LIMIT: usize = 1_000_000;

fn main() {
    let mut lengths = vec![0_u32; LIMIT]; // number of terms from each start
    lengths[1] = 1;
    let mut longest = 1;
    for start in 2..LIMIT {
        let mut n = start as u64;
        let mut steps = 0;
        while n >= start as u64 {
            // everything below the start is known
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        lengths[start] = lengths[n as usize] + steps;
        if lengths[start] > lengths[longest] {
            longest = start;
        }
    }
    println!("{longest}");
}
