use std::collections::HashSet;

/// An exact value: numerator and denominator. Denominators may be negative, but not zero.
type Fraction = (i32, i32);

fn results((a, b): Fraction, (c, d): Fraction) -> Vec<Fraction> {
    let mut found = vec![(a * d + c * b, b * d), (a * d - c * b, b * d), (a * c, b * d)];
    if c != 0 {
        found.push((a * d, b * c));
    }
    found
}

/// Replace two operands by the result of an operation on them, until one is left.
fn combine(operands: &[Fraction], reached: &mut HashSet<i32>) {
    if let [(numerator, denominator)] = operands {
        if numerator % denominator == 0 {
            reached.insert(numerator / denominator);
        }
        return;
    }
    for i in 0..operands.len() {
        for j in 0..operands.len() {
            if i != j {
                let others = (0..operands.len()).filter(|&k| k != i && k != j).map(|k| operands[k]);
                let mut next: Vec<Fraction> = others.collect();
                for result in results(operands[i], operands[j]) {
                    next.push(result);
                    combine(&next, reached);
                    next.pop();
                }
            }
        }
    }
}

fn run_length(digits: [i32; 4]) -> i32 {
    let mut reached = HashSet::new();
    combine(&digits.map(|digit| (digit, 1)), &mut reached);
    (1..).take_while(|n| reached.contains(n)).count() as i32
}

fn main() {
    let mut best = (0, [0; 4]);
    for a in 0..=9 {
        for b in a + 1..=9 {
            for c in b + 1..=9 {
                for d in c + 1..=9 {
                    best = best.max((run_length([a, b, c, d]), [a, b, c, d]));
                }
            }
        }
    }
    println!("{}", best.1.map(|digit| digit.to_string()).concat());
}
