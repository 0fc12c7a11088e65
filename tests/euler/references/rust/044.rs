fn main() {
    // Differences in growing order, so the first one that fits is the smallest.
    let smallest = (1..).map(pentagonal).find(|&d| is_difference_of_a_pair(d));
    println!("{}", smallest.expect("the range does not end"));
}

/// Whether some pentagonal(j) plus the difference is a pentagonal(k), and their sum is pentagonal too.
///
/// With step = k - j the first says: 2 * difference = step * (3 * (2j + step) - 1).
fn is_difference_of_a_pair(difference: u64) -> bool {
    (1..)
        .take_while(|step| step * (3 * (2 + step) - 1) <= 2 * difference)
        .filter(|step| 2 * difference % step == 0)
        .filter_map(|step| smaller_index(2 * difference / step, step))
        .any(|j| is_pentagonal(2 * pentagonal(j) + difference))
}

/// The j with factor = 3 * (2j + step) - 1.
fn smaller_index(factor: u64, step: u64) -> Option<u64> {
    let sum = (factor + 1) / 3; // 2j + step
    ((factor + 1) % 3 == 0 && (sum - step) % 2 == 0).then(|| (sum - step) / 2)
}

fn pentagonal(n: u64) -> u64 {
    n * (3 * n - 1) / 2
}

/// p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1.
fn is_pentagonal(p: u64) -> bool {
    let root = ((24 * p + 1) as f64).sqrt().round() as u64;
    root * root == 24 * p + 1 && root % 6 == 5
}
