use std::fs;

fn main() {
    let text = fs::read_to_string("base_exp.txt").expect("base_exp.txt is in the working directory");
    let mut largest = 0.0;
    let mut answer = 0;
    for (index, line) in text.split_whitespace().enumerate() {
        let (base, exponent) = line.split_once(',').expect("a comma");
        let base: f64 = base.parse().expect("a number");
        let exponent: f64 = exponent.parse().expect("a number");
        // a^b < c^d just if b log a < d log c.
        if exponent * base.ln() > largest {
            largest = exponent * base.ln();
            answer = index + 1;
        }
    }
    println!("{answer}");
}
