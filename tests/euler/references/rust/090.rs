const SQUARES: [(u32, u32); 9] =
    [(0, 1), (0, 4), (0, 9), (1, 6), (2, 5), (3, 6), (4, 9), (6, 4), (8, 1)];

/// A cube is a set of digits: one bit for each.
fn has(cube: u32, digit: u32) -> bool {
    let wanted = if digit == 6 || digit == 9 { 1 << 6 | 1 << 9 } else { 1 << digit };
    cube & wanted != 0
}

fn shows_all(left: u32, right: u32) -> bool {
    SQUARES.iter().all(|&(a, b)| has(left, a) && has(right, b) || has(left, b) && has(right, a))
}

fn main() {
    let cubes: Vec<u32> = (0..1 << 10).filter(|cube: &u32| cube.count_ones() == 6).collect();
    let mut count = 0;
    for (index, &left) in cubes.iter().enumerate() {
        count += cubes[index..].iter().filter(|&&right| shows_all(left, right)).count();
    }
    println!("{count}");
}
