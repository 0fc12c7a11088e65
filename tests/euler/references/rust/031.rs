//! The number of ways to pay 200 pence, one kind of coin after the other.

const COINS: [usize; 8] = [1, 2, 5, 10, 20, 50, 100, 200];
const AMOUNT: usize = 200;

fn main() {
    let mut ways = [0_u32; AMOUNT + 1]; // of paying each amount with the coins so far
    ways[0] = 1;
    for coin in COINS {
        for amount in coin..=AMOUNT {
            ways[amount] += ways[amount - coin];
        }
    }
    println!("{}", ways[AMOUNT]);
}
