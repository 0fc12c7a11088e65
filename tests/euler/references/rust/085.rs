const TARGET: u64 = 2_000_000;

/// Two of the width + 1 upright lines, and two of the height + 1 level lines.
fn rectangles(width: u64, height: u64) -> u64 {
    width * (width + 1) / 2 * (height * (height + 1) / 2)
}

fn main() {
    let (mut best_distance, mut best_area) = (TARGET, 0);
    for width in (1..).take_while(|&width| rectangles(width, 1) < 2 * TARGET) {
        for height in 1..=width {
            let distance = rectangles(width, height).abs_diff(TARGET);
            if distance < best_distance {
                (best_distance, best_area) = (distance, width * height);
            }
        }
    }
    println!("{best_area}");
}
