const POLYGONAL: [fn(u32) -> u32; 6] = [
    |n| n * (n + 1) / 2,
    |n| n * n,
    |n| n * (3 * n - 1) / 2,
    |n| n * (2 * n - 1),
    |n| n * (5 * n - 3) / 2,
    |n| n * (3 * n - 2),
];
const OCTAGONAL: usize = 5;

fn main() {
    let four_digits = POLYGONAL.map(|kind| {
        (1..150)
            .map(kind)
            .filter(|p| (1000..10_000).contains(p))
            .collect::<Vec<u32>>()
    });
    // A cycle has no first member: begin with the octagonal number.
    for &octagonal in &four_digits[OCTAGONAL] {
        extend(&mut vec![octagonal], 1 << OCTAGONAL, &four_digits);
    }
}

/// Goes on with one number of each kind that is not in the bit set `used`, and closes the cycle.
fn extend(chain: &mut Vec<u32>, used: u32, four_digits: &[Vec<u32>; 6]) {
    let last = chain[chain.len() - 1];
    if chain.len() == four_digits.len() {
        if last % 100 == chain[0] / 100 {
            println!("{}", chain.iter().sum::<u32>());
        }
        return;
    }
    for (kind, numbers) in four_digits.iter().enumerate() {
        if used & 1 << kind != 0 {
            continue;
        }
        for &number in numbers {
            if number / 100 == last % 100 && !chain.contains(&number) {
                chain.push(number);
                extend(chain, used | 1 << kind, four_digits);
                chain.pop();
            }
        }
    }
}
