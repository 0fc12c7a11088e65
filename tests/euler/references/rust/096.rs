use std::fs;

#[derive(Default)]
struct Puzzle {
    grid: [[u32; 9]; 9],
    /// Digits used already in each row, column and box: bit d for the digit d.
    rows: [u32; 9],
    columns: [u32; 9],
    boxes: [u32; 9],
}

impl Puzzle {
    fn new(lines: &[&str]) -> Puzzle {
        let mut puzzle = Puzzle::default();
        for (row, line) in lines.iter().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                match letter.to_digit(10).expect("a digit") {
                    0 => {}
                    digit => puzzle.put(row, column, digit),
                }
            }
        }
        puzzle
    }

    fn used(&self, row: usize, column: usize) -> u32 {
        self.rows[row] | self.columns[column] | self.boxes[row / 3 * 3 + column / 3]
    }

    fn put(&mut self, row: usize, column: usize, digit: u32) {
        self.grid[row][column] = digit;
        self.toggle(row, column, digit);
    }

    fn remove(&mut self, row: usize, column: usize) {
        self.toggle(row, column, self.grid[row][column]);
        self.grid[row][column] = 0;
    }

    fn toggle(&mut self, row: usize, column: usize, digit: u32) {
        self.rows[row] ^= 1 << digit;
        self.columns[column] ^= 1 << digit;
        self.boxes[row / 3 * 3 + column / 3] ^= 1 << digit;
    }

    /// Fill the empty cell that has the fewest choices, then the rest. False if there is no way.
    fn solve(&mut self) -> bool {
        let empty = (0..81).map(|cell| (cell / 9, cell % 9)).filter(|&(r, c)| self.grid[r][c] == 0);
        let (row, column) = match empty.max_by_key(|&(r, c)| self.used(r, c).count_ones()) {
            Some(cell) => cell,
            None => return true,
        };
        for digit in 1..=9 {
            if self.used(row, column) & 1 << digit == 0 {
                self.put(row, column, digit);
                if self.solve() {
                    return true;
                }
                self.remove(row, column);
            }
        }
        false
    }
}

fn main() {
    let text = fs::read_to_string("sudoku.txt").expect("sudoku.txt is in the working directory");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut total = 0;
    for heading_and_rows in lines.chunks(10) {
        let mut puzzle = Puzzle::new(&heading_and_rows[1..]);
        puzzle.solve();
        total += 100 * puzzle.grid[0][0] + 10 * puzzle.grid[0][1] + puzzle.grid[0][2];
    }
    println!("{total}");
}
