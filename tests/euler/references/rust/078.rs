const MODULUS: i64 = 1_000_000;

fn main() {
    // Euler: p(n) = p(n-1) + p(n-2) - p(n-5) - p(n-7) + ..., with the pentagonal numbers k(3k-1)/2 and
    // k(3k+1)/2 for k = 1, 2, ..., whose terms are added for odd k and subtracted for even k.
    let mut partitions = vec![1];
    let mut n = 0;
    while partitions[n] != 0 {
        n += 1;
        let mut total: i64 = 0;
        let mut k = 1;
        while k * (3 * k - 1) / 2 <= n {
            let mut term = partitions[n - k * (3 * k - 1) / 2];
            if k * (3 * k + 1) / 2 <= n {
                term += partitions[n - k * (3 * k + 1) / 2];
            }
            total += if k % 2 == 1 { term } else { -term };
            k += 1;
        }
        partitions.push(total.rem_euclid(MODULUS));
    }
    println!("{n}");
}
