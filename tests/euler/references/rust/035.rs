const LIMIT: usize = 1_000_000;

fn main() {
    let is_prime = prime_flags(LIMIT);
    let circular = |&n: &usize| rotations(n).all(|rotated| is_prime[rotated]);
    println!("{}", (2..LIMIT).filter(circular).count());
}

fn rotations(n: usize) -> impl Iterator<Item = usize> {
    let length = n.to_string().len();
    let highest = 10_usize.pow(length as u32 - 1);
    let turn = move |&n: &usize| Some(n % highest * 10 + n / highest);
    std::iter::successors(Some(n), turn).take(length)
}

fn prime_flags(limit: usize) -> Vec<bool> {
    let mut flags = vec![true; limit];
    flags[..2].fill(false);
    for n in (2..).take_while(|n| n * n < limit) {
        if flags[n] {
            (n * n..limit).step_by(n).for_each(|multiple| flags[multiple] = false);
        }
    }
    flags
}
