def nothing(messages):
    return ""


PROGRAM = r"""```rust
use std::collections::HashMap;
use std::{env, fs, process, thread};

fn main() {
    let threads: Vec<_> = env::args_os()
        .skip(1)
        .map(|path| {
            thread::spawn(move || -> Result<HashMap<String, usize>, String> {
                let bytes = fs::read(&path).map_err(|e| format!("{}: {}", path.to_string_lossy(), e))?;
                let mut counts = HashMap::new();
                for word in String::from_utf8_lossy(&bytes).split_whitespace() {
                    *counts.entry(word.to_lowercase()).or_insert(0) += 1;
                }
                Ok(counts)
            })
        })
        .collect();
    let mut total: HashMap<String, usize> = HashMap::new();
    let mut status = 0;
    for handle in threads {
        match handle.join().unwrap() {
            Ok(counts) => {
                for (word, n) in counts {
                    *total.entry(word).or_insert(0) += n;
                }
            }
            Err(message) => {
                eprintln!("{}", message);
                status = 1;
            }
        }
    }
    let mut sorted: Vec<_> = total.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (word, n) in sorted {
        println!("{} {}", n, word);
    }
    process::exit(status);
}
```"""

FUNCTION = r"""```rust
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

pub fn count_by<F>(text: &str, workers: usize, key: F) -> HashMap<String, usize>
where
    F: Fn(&str) -> Option<String> + Sync,
{
    let words: Vec<&str> = text.split_whitespace().collect();
    let next = AtomicUsize::new(0);
    let total = Mutex::new(HashMap::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(word) = words.get(i) else { break };
                if let Some(name) = key(word) {
                    *total.lock().unwrap().entry(name).or_insert(0) += 1;
                }
            });
        }
    });
    total.into_inner().unwrap()
}
```""".replace(
    "let Some(word) = words.get(i) else { break };",
    "let word = match words.get(i) {\n                    Some(word) => word,\n                    None => break,\n                };",
)

RIGHT = {
    "TestRustParallelWordcount": [
        f"One thread a pipe, and a map for each, merged at the end:\n\n{PROGRAM}",
        # lines over a channel
        r"""```rust
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::mpsc;

fn main() {
    let (sender, receiver) = mpsc::channel::<Option<String>>();
    for path in std::env::args().skip(1) {
        let sender = sender.clone();
        std::thread::spawn(move || match File::open(&path) {
            Ok(file) => {
                let mut lines = BufReader::new(file);
                let mut line = Vec::new();
                while lines.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
                    for word in String::from_utf8_lossy(&line).split_whitespace() {
                        sender.send(Some(word.to_lowercase())).unwrap();
                    }
                    line.clear();
                }
            }
            Err(error) => {
                eprintln!("cannot open {path}: {error}");
                sender.send(None).unwrap();
            }
        });
    }
    drop(sender);
    let mut failed = false;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for word in receiver {
        match word {
            Some(word) => *counts.entry(word).or_default() += 1,
            None => failed = true,
        }
    }
    let mut list: Vec<(&String, &u64)> = counts.iter().collect();
    list.sort_by_key(|(_, n)| std::cmp::Reverse(**n)); // stable, and the map is sorted
    for (word, n) in list {
        println!("{n} {word}");
    }
    std::process::exit(failed as i32);
}
```""",
    ],
    "TestRustParallelWordcountFunction": [
        FUNCTION,
        """Each worker takes every `workers`-th word:

```rust
use std::collections::HashMap;
use std::thread;

pub fn count_by<F>(text: &str, workers: usize, key: F) -> HashMap<String, usize>
where
    F: Fn(&str) -> Option<String> + Sync,
{
    let words: Vec<&str> = text.split_whitespace().collect();
    let (words, key) = (&words, &key);
    let mut total = HashMap::new();
    thread::scope(|s| {
        let handles: Vec<_> = (0..workers)
            .map(|first| {
                s.spawn(move || {
                    words.iter().skip(first).step_by(workers).filter_map(|w| key(w)).collect::<Vec<_>>()
                })
            })
            .collect();
        for handle in handles {
            for name in handle.join().expect("worker panicked") {
                *total.entry(name).or_default() += 1;
            }
        }
    });
    total
}
```""",
    ],
}

WRONG = {
    "TestRustParallelWordcount": [
        nothing,
        # each thread is waited for before the next starts
        PROGRAM.replace("thread::spawn(move ||", "let one = thread::spawn(move ||")
        .replace(
            "                Ok(counts)\n            })\n",
            "                Ok(counts)\n            });\n            one.join()\n",
        )
        .replace("handle.join().unwrap()", "handle.unwrap()"),
        PROGRAM.replace("status = 1", "status = 0"),
        PROGRAM.replace("word.to_lowercase()", "word.to_ascii_lowercase()"),
        PROGRAM.replace(".then_with(|| a.0.cmp(&b.0))", ".then_with(|| b.0.cmp(&a.0))"),
        PROGRAM.replace("*total.entry(word).or_insert(0) += n", "*total.entry(word).or_insert(n) = n"),
        '```rust\n// std::thread::spawn, mpsc::channel\nfn main() { println!("3002 the"); }\n```',
    ],
    "TestRustParallelWordcountFunction": [
        nothing,
        # a thread a line
        """```rust
use std::collections::HashMap;
pub fn count_by<F>(text: &str, workers: usize, key: F) -> HashMap<String, usize>
where F: Fn(&str) -> Option<String> + Sync {
    let lines: Vec<&str> = text.lines().collect();
    let mut total = HashMap::new();
    let key = &key;
    for chunk in lines.chunks(workers) {
        std::thread::scope(|s| {
            let handles: Vec<_> = chunk.iter()
                .map(|line| s.spawn(move || line.split_whitespace().filter_map(|w| key(w)).collect::<Vec<_>>()))
                .collect();
            for h in handles {
                for name in h.join().unwrap() { *total.entry(name).or_insert(0) += 1; }
            }
        });
    }
    total
}
```""",
        # the lock is held while the dictionary is asked
        FUNCTION.replace(
            "if let Some(name) = key(word) {\n                    *total.lock().unwrap()",
            "let mut total = total.lock().unwrap();\n                if let Some(name) = key(word) {\n                    *total",
        ),
        FUNCTION.replace("0..workers", "0..words.len()"),  # too many threads
        FUNCTION.replace("key(word)", "key(word).or(key(word))"),  # asks twice
        """```rust
use std::collections::HashMap;
pub fn count_by<F>(text: &str, workers: usize, key: F) -> HashMap<String, usize>
where F: Fn(&str) -> Option<String> + Sync {
    // std::thread::scope with `workers` threads
    let mut total = HashMap::new();
    for name in text.split_whitespace().filter_map(|w| key(w)) { *total.entry(name).or_insert(0) += 1; }
    let _ = workers;
    total
}
```""",
    ],
}
