const N: usize = 5;

/// A filling as it grows: line k is outer[k], inner[k], inner[k + 1].
struct Ring {
    outer: [usize; N],
    inner: [usize; N],
    used: [bool; 2 * N + 1],
    best: String,
}

impl Ring {
    fn fill_line(&mut self, line: usize, total: usize) {
        if line == N {
            self.compare();
            return;
        }
        // The first line is the one with the smallest outer number.
        for number in self.outer[0] + 1..=2 * N {
            if self.used[number] || total <= number + self.inner[line] {
                continue;
            }
            let next = total - number - self.inner[line];
            self.outer[line] = number;
            if line == N - 1 {
                if next == self.inner[0] {
                    self.fill_line(N, total);
                }
            } else if next <= 2 * N && next != number && !self.used[next] {
                self.inner[line + 1] = next;
                self.used[number] = true;
                self.used[next] = true;
                self.fill_line(line + 1, total);
                self.used[number] = false;
                self.used[next] = false;
            }
        }
    }

    fn compare(&mut self) {
        let string: String = (0..N)
            .map(|k| format!("{}{}{}", self.outer[k], self.inner[k], self.inner[(k + 1) % N]))
            .collect();
        if string.len() == 16 && string > self.best {
            self.best = string;
        }
    }
}

fn main() {
    let mut ring = Ring { outer: [0; N], inner: [0; N], used: [false; 2 * N + 1], best: String::new() };
    for first in 1..=2 * N {
        for second in 1..=2 * N {
            for third in 1..=2 * N {
                if first != second && first != third && second != third {
                    ring.outer[0] = first;
                    ring.inner[0] = second;
                    ring.inner[1] = third;
                    ring.used = [false; 2 * N + 1];
                    for number in [first, second, third] {
                        ring.used[number] = true;
                    }
                    ring.fill_line(1, first + second + third);
                }
            }
        }
    }
    println!("{}", ring.best);
}
