const SIZE: i32 = 50;

/// Two sides at right angles have the scalar product zero.
fn is_right((x1, y1): (i32, i32), (x2, y2): (i32, i32)) -> bool {
    x1 * x2 + y1 * y2 == 0
        || x1 * (x2 - x1) + y1 * (y2 - y1) == 0
        || x2 * (x1 - x2) + y2 * (y1 - y2) == 0
}

fn main() {
    let points: Vec<(i32, i32)> =
        (0..=SIZE).flat_map(|x| (0..=SIZE).map(move |y| (x, y))).filter(|&point| point != (0, 0)).collect();
    let mut count = 0;
    for (index, &p) in points.iter().enumerate() {
        count += points[index + 1..].iter().filter(|&&q| is_right(p, q)).count();
    }
    println!("{count}");
}
