use std::collections::HashSet;

const LARGEST_K: usize = 12_000;

/// Multiply by further factors, none of them smaller than `first`. Factors greater than 1 become k numbers with
/// the same product and sum when they are filled up with product - sum ones.
fn search(product: usize, sum: usize, count: usize, first: usize, smallest: &mut [usize]) {
    let mut factor = first;
    while product * factor <= 2 * LARGEST_K {
        let new_product = product * factor;
        let new_sum = sum + factor;
        let k = count + 1 + new_product - new_sum;
        if count > 0 && k <= LARGEST_K {
            smallest[k] = smallest[k].min(new_product);
        }
        search(new_product, new_sum, count + 1, factor, smallest);
        factor += 1;
    }
}

fn main() {
    // m(k) <= 2k, since 2 * k * 1 * ... * 1 = 2 + k + (k - 2).
    let mut smallest: Vec<usize> = (0..=LARGEST_K).map(|k| 2 * k).collect();
    search(1, 0, 0, 2, &mut smallest);
    let different: HashSet<usize> = smallest[2..].iter().copied().collect();
    println!("{}", different.iter().sum::<usize>());
}
