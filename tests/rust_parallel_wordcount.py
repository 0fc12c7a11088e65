from evaluator import *

DESCRIPTION = (
    "Can the model write rust that counts words on several threads which really run at the same time?"
)
TAGS = ["code", "rust", "threads"]
REQUIRES = ["rustc"]

question_program = """
I need a small rust program (one file, std only) that is called with several files and prints how
often each word occurs in all of them together. The files are named pipes from other machines that slowly trickle in, so
each must be read by a thread of its own, all at the same time. A word is what stands between white space, with its case
ignored (print lower case). Print "count word", the most frequent first, equal ones alphabetically. A file that can't be
opened: say so on stderr, count the others anyway and end with status 1.
"""

question_function = """
Please write this rust function (std only, no main), the words are to be shared out among threads:

    use std::collections::HashMap;

    pub fn count_by<F>(text: &str, workers: usize, key: F) -> HashMap<String, usize>
    where
        F: Fn(&str) -> Option<String> + Sync

It splits the text at white space and calls key exactly once for each word; key is slow (it asks a dictionary), so exactly
`workers` threads should do that at the same time (never more; all words may be in one line; if there are fewer words than
workers, as many threads as words are enough). The result tells how often each Some(key) came; None doesn't count. workers is at least 1.
"""


def counts_trickling_pipes():
    import fcntl
    import os
    import subprocess
    import time

    built = subprocess.run(
        ["rustc", "--edition", "2021", "-o", "count", "count.rs"], capture_output=True, text=True
    )
    if built.returncode:
        return False, built.stderr[-3000:]
    names = [f"feed {number}" for number in range(5)]
    for name in names:
        os.mkfifo(name)
    running = subprocess.Popen(
        ["./count", *names[:3], "no such file", *names[3:]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # a pipe can be opened for writing once somebody reads it
    pipes = {}
    deadline = time.monotonic() + 10
    while len(pipes) < len(names) and time.monotonic() < deadline and running.poll() is None:
        for name in names:
            if name not in pipes:
                try:
                    pipes[name] = os.open(name, os.O_WRONLY | os.O_NONBLOCK)
                except OSError:
                    time.sleep(0.01)
    if len(pipes) < len(names):
        running.kill()
        return False, f"only {len(pipes)} of {len(names)} pipes are read at the same time"
    for descriptor in pipes.values():
        fcntl.fcntl(descriptor, fcntl.F_SETFL, 0)
    text = {
        "feed 0": "The sea the\n",
        "feed 1": "",
        "feed 2": "sea\u2003\u00c4rger, \u00e4rger,\tSEA don't\n" * 3,
        "feed 3": "lone Alone zebra",
        "feed 4": "THE lighthouse " * 3000 + "\n",
    }
    pieces = {name: content.encode() for name, content in text.items()}
    for part in range(3):  # in turns; the cuts go through words and letters
        for name, descriptor in pipes.items():
            size = len(pieces[name]) // 3 + 1
            os.write(descriptor, pieces[name][part * size : (part + 1) * size])
    for descriptor in pipes.values():
        os.close(descriptor)
    out, errors = running.communicate(timeout=10)
    wanted = "3002 the\n3000 lighthouse\n7 sea\n6 \u00e4rger,\n3 don't\n1 alone\n1 lone\n1 zebra\n"
    good = out.strip() == wanted.strip() and running.returncode == 1 and errors.strip() != ""
    return good, f"status {running.returncode}, stderr {errors!r}, printed\n{out}"


main = r"""
fn main() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    for (text, workers, together) in [
        ("", 3, 0),
        (" \n\t ", 1, 0),
        ("one", 4, 1),
        ("a b a skip B", 1, 1),
        (&"Oak elm oak skip ash\n".repeat(6)[..], 4, 4),
        (&"one line of many Words ".repeat(4)[..], 7, 7),
        ("line\nby\nline\nby\nline", 8, 5),
        (&"x y z ".repeat(3)[..], 2, 2),
    ] {
        let begun = std::time::Instant::now();
        let calls = AtomicUsize::new(0);
        let now = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let key = |word: &str| -> Option<String> {
            calls.fetch_add(1, SeqCst);
            most.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
            if word.trim() != word || word.is_empty() { panic!("{:?} is no word", word); }
            // waits for the others, however late a busy machine starts them, and then for one too many
            while most.load(SeqCst) < together && begun.elapsed().as_secs() < 2 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
            now.fetch_sub(1, SeqCst);
            if word == "skip" { None } else { Some(word.to_lowercase()) }
        };
        let found = count_by(text, workers, key);
        let mut items: Vec<(String, usize)> = found.into_iter().collect();
        items.sort();
        std::println!("{} {} calls, {} at once: {:?}", workers, calls.load(SeqCst), most.load(SeqCst), items);
    }
}
"""

texts = [
    ("", 3, 0),
    (" \n\t ", 1, 0),
    ("one", 4, 1),
    ("a b a skip B", 1, 1),
    ("Oak elm oak skip ash\n" * 6, 4, 4),
    ("one line of many Words " * 4, 7, 7),
    ("line\nby\nline\nby\nline", 8, 5),
    ("x y z " * 3, 2, 2),
]


def right_line(text, workers, together):
    words = text.split()
    counts = sorted({w.lower(): 0 for w in words if w != "skip"})
    items = ", ".join(f'("{w}", {[x.lower() for x in words].count(w)})' for w in counts)
    return f"{workers} {len(words)} calls, {together} at once: [{items}]\n"


# the counts are printed and compared here
answer = "".join(right_line(*each) for each in texts)

TestRustParallelWordcount = (
    question_program
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="rust")
    >> MakeFile("count.rs")
    >> PyEvaluator(counts_trickling_pipes, time_limit_s=60)
)
TestRustParallelWordcountFunction = (
    question_function
    >> LLMRun()
    >> ExtractCode(lang="rust")
    >> RustRun(main, time_limit_s=40)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestRustParallelWordcount))
    print(run_test(TestRustParallelWordcountFunction))
