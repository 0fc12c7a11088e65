fn main() {
    let best = (1..=1000).filter_map(|d| Some((smallest_x(d)?, d))).max();
    println!("{}", best.expect("some d is not a square").1);
}

/// The least x with x*x - d*y*y = 1; None for a square d.
///
/// It is the first convergent x/y of sqrt(d) that solves the equation. The convergent before the
/// remainder (sqrt(d) + m) / q has x*x - d*y*y = q or -q, by turns, so y is not needed.
fn smallest_x(d: u128) -> Option<u128> {
    let root = (d as f64).sqrt() as u128;
    if root * root == d {
        return None;
    }
    let (mut x_before, mut x) = (1, root);
    let (mut m, mut q) = (root, d - root * root);
    let mut negative = true;
    while q != 1 || negative {
        let term = (root + m) / q;
        let next = term.checked_mul(x).and_then(|product| product.checked_add(x_before));
        x_before = x;
        x = next.expect("every x for d <= 1000 fits in 128 bits");
        m = term * q - m;
        q = (d - m * m) / q;
        negative = !negative;
    }
    Some(x)
}
