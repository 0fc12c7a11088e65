const LIMIT: usize = 1_000_000;

fn main() {
    let mut divisor_sum = vec![0; LIMIT + 1];
    for divisor in 1..=LIMIT / 2 {
        for multiple in (2 * divisor..=LIMIT).step_by(divisor) {
            divisor_sum[multiple] += divisor;
        }
    }

    let mut seen_from = vec![0; LIMIT + 1]; // the start that was the first to meet a number
    let (mut longest, mut answer) = (0, 0);
    for start in 2..=LIMIT {
        let mut n = start;
        while n > 0 && n <= LIMIT && seen_from[n] == 0 {
            seen_from[n] = start;
            n = divisor_sum[n];
        }
        if n > 0 && n <= LIMIT && seen_from[n] == start {
            // back at a number of this very walk
            let mut chain = vec![n];
            let mut member = divisor_sum[n];
            while member != n {
                chain.push(member);
                member = divisor_sum[member];
            }
            if chain.len() > longest {
                longest = chain.len();
                answer = chain.into_iter().min().unwrap_or(n);
            }
        }
    }
    println!("{answer}");
}
