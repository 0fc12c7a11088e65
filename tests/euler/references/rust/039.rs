const LIMIT: usize = 1000;

fn main() {
    let mut triangles = [0; LIMIT + 1];
    for a in 1..LIMIT / 3 {
        for b in a..LIMIT - a {
            let c = ((a * a + b * b) as f64).sqrt().round() as usize;
            if c * c == a * a + b * b && a + b + c <= LIMIT {
                triangles[a + b + c] += 1;
            }
        }
    }
    let best = (1..=LIMIT).max_by_key(|&p| triangles[p]);
    println!("{}", best.expect("the range is not empty"));
}
