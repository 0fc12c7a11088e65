const LIMIT: i64 = 1_000_000_000;

fn main() {
    // Halve the triangle a, a, a + e along its height h: (2a)^2 - (a + e)^2 = (2h)^2. With x = (3a - e) / 2 and
    // y = h this is x^2 - 3y^2 = 1, whose solutions come from (2, 1) by (x, y) -> (2x + 3y, x + 2y).
    let mut total = 0;
    let (mut x, mut y) = (2, 1);
    while 2 * x - 2 <= LIMIT {
        for e in [-1, 1] {
            let a = (2 * x + e) / 3;
            let whole = (2 * x + e) % 3 == 0;
            // 1, 1, 0 is no triangle.
            if whole && a + e > 0 && 3 * a + e <= LIMIT {
                total += 3 * a + e;
            }
        }
        (x, y) = (2 * x + 3 * y, x + 2 * y);
    }
    println!("{total}");
}
