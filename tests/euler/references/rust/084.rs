const DIE: usize = 4;
const GO: usize = 0;
const R1: usize = 5;
const JAIL: usize = 10;
const C1: usize = 11;
const E3: usize = 24;
const H2: usize = 39;
const RAILWAYS: [usize; 4] = [5, 15, 25, 35];
const UTILITIES: [usize; 2] = [12, 28];

type Shares = [f64; 40];

fn following(square: usize, kind: &[usize]) -> usize {
    *kind.iter().find(|&&other| other > square).unwrap_or(&kind[0])
}

/// Spread `chance` over the squares where a player who comes to `square` ends the turn.
fn arrive(square: usize, chance: f64, ends: &mut Shares) {
    let card = chance / 16.0;
    match square {
        30 => ends[JAIL] += chance,
        2 | 17 | 33 => {
            ends[GO] += card;
            ends[JAIL] += card;
            ends[square] += 14.0 * card;
        }
        7 | 22 | 36 => {
            for end in [GO, JAIL, C1, E3, H2, R1] {
                ends[end] += card;
            }
            ends[following(square, &RAILWAYS)] += 2.0 * card;
            ends[following(square, &UTILITIES)] += card;
            arrive(square - 3, card, ends);
            ends[square] += 6.0 * card;
        }
        _ => ends[square] += chance,
    }
}

fn main() {
    // A Markov chain whose states are the number of doubles in a row (0, 1 or 2) and a square.
    let mut share = [[0.0; 40]; 3];
    share[0][GO] = 1.0;
    for _turn in 0..300 {
        let mut after = [[0.0; 40]; 3];
        for doubles in 0..3 {
            for square in 0..40 {
                let chance = share[doubles][square] / (DIE * DIE) as f64;
                for first in 1..=DIE {
                    for second in 1..=DIE {
                        let landing = (square + first + second) % 40;
                        if first != second {
                            arrive(landing, chance, &mut after[0]);
                        } else if doubles == 2 {
                            after[0][JAIL] += chance;
                        } else {
                            arrive(landing, chance, &mut after[doubles + 1]);
                        }
                    }
                }
            }
        }
        share = after;
    }

    let total = |square: usize| share[0][square] + share[1][square] + share[2][square];
    let mut squares: Vec<usize> = (0..40).collect();
    squares.sort_by(|&a, &b| total(b).total_cmp(&total(a)));
    println!("{:02}{:02}{:02}", squares[0], squares[1], squares[2]);
}
