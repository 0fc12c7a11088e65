const DIGITS: usize = 100;

/// The first DIGITS digits of the square root of `n`, by the method of paper and pencil: two digits of the
/// radicand come down at a time, and the next digit of the root is how often the odd numbers that follow
/// one another can be taken away. Numbers are kept as digits, the least significant first.
fn root_digits(n: u32) -> Vec<u32> {
    let mut rest: Vec<u32> = Vec::new();
    let mut twice_root: Vec<u32> = Vec::new();
    let mut root = Vec::new();
    for place in 0..DIGITS {
        let pair = if place == 0 { n } else { 0 };
        rest.splice(0..0, [pair % 10, pair / 10]);
        twice_root.insert(0, 1); // the first odd number is 20 root + 1
        let mut digit = 0;
        while subtract(&mut rest, &twice_root) {
            digit += 1;
            add(&mut twice_root, 2);
        }
        add(&mut twice_root, -1); // 20 root + 2 digit, which is twice the new root
        root.push(digit);
    }
    root
}

/// Take `b` away from `a` if `a` is large enough.
fn subtract(a: &mut Vec<u32>, b: &[u32]) -> bool {
    let digit = |number: &[u32], place: usize| number.get(place).copied().unwrap_or(0);
    let places = a.len().max(b.len());
    let smaller = (0..places)
        .rev()
        .find(|&place| digit(a, place) != digit(b, place))
        .map_or(false, |place| digit(a, place) < digit(b, place));
    if smaller {
        return false;
    }
    let mut borrow = 0;
    for place in 0..a.len() {
        let taken = digit(b, place) + borrow;
        borrow = u32::from(a[place] < taken);
        a[place] = a[place] + 10 * borrow - taken;
    }
    true
}

/// Add a number from -1 to 9.
fn add(a: &mut Vec<u32>, number: i32) {
    let mut carry = number;
    for digit in a.iter_mut() {
        let sum = *digit as i32 + carry;
        *digit = sum.rem_euclid(10) as u32;
        carry = sum.div_euclid(10);
    }
    if carry > 0 {
        a.push(carry as u32);
    }
}

fn main() {
    let irrational = (1..=100).filter(|&n| (1..=n).all(|root| root * root != n));
    let total: u32 = irrational.map(|n| root_digits(n).iter().sum::<u32>()).sum();
    println!("{total}");
}
