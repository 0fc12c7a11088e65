from evaluator import *

DESCRIPTION = "Can the model get a rust function called from python: the code, the build, and the glue?"
TAGS = ["code", "rust", "python", "bash", "conversation"]
REQUIRES = ["rustc", "cc"]

question_steps = """
I want to call rust from python without any crate or pip package, only rustc, and ctypes on the python side. The
rust part is a function that takes text and returns its longest word (words are separated by white space, with several of
the same length the first one, empty text gives empty text); length is counted in characters, the text can hold
anything in utf-8.

Let's go one after the other. First show me only the rust file, I'll save it as longest.rs.
"""

build_step = "Saved. Now the bash command that builds it into liblongest.so, right here in this folder."

glue_step = """
Built. Now the python side, a function longest(text) with str in, str out, which loads ./liblongest.so. It is called
millions of times, so it must not leak.
"""

longest_cases, longest_answer = make_python_test(
    [
        ("longest('a quick brown fox')", "'quick'"),
        ("longest('')", "''"),
        ("longest('  \\n ')", "''"),
        ("longest('one')", "'one'"),
        ("longest('äöü abcd')", "'abcd'"),
        ("longest('日本語 été')", "'日本語'"),
        ("longest('x ' * 1000 + 'y' * 5000)", "'y' * 5000"),
        ("grows()", "False"),
    ],
    header="""
def grows():
    import resource
    text = "word " * 20 + "w" * 20000
    for _ in range(500): longest(text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5000): longest(text)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before > 20000
""",
)

question_numbers = """
How can python call this rust without pyo3, just with ctypes? I need two files from you as one JSON object, file name
to content:

- "build.sh", which compiles stats.rs in the current folder with rustc into libstats.so. You may not change stats.rs.
- "stats.py" with a function spread(numbers) for a list of floats, which calls the rust one and returns its result,
  or None for an empty list.

// stats.rs
#[no_mangle]
pub extern "C" fn spread(numbers: *const f64, count: usize, out: *mut f64) -> i32 {
    if count == 0 { return 1; }
    let all = unsafe { std::slice::from_raw_parts(numbers, count) };
    let low = all.iter().cloned().fold(f64::INFINITY, f64::min);
    let high = all.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    unsafe { *out = high - low; }
    0
}
"""


def save_rust_source():
    source = """
#[no_mangle]
pub extern "C" fn spread(numbers: *const f64, count: usize, out: *mut f64) -> i32 {
    if count == 0 { return 1; }
    let all = unsafe { std::slice::from_raw_parts(numbers, count) };
    let low = all.iter().cloned().fold(f64::INFINITY, f64::min);
    let high = all.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    unsafe { *out = high - low; }
    0
}
"""
    with open("stats.rs", "w") as file:
        file.write(source)


def spread_works():
    import subprocess

    subprocess.run(["bash", "build.sh"], check=True, timeout=15)
    calls = "from stats import spread; print([spread(x) for x in ([1.5, 9.25, -3.0], [7], [], list(range(1000)))])"
    done = subprocess.run(["python3", "-c", calls], capture_output=True, text=True, timeout=10)
    return done.stdout.strip() == "[12.25, 0.0, None, 999.0]", done.stdout + done.stderr


TestCallRustFromPython = (
    question_steps
    >> LLMConversation()
    >> ExtractCode(lang="rust", keep_main=True)
    >> MakeFile("longest.rs")
    >> build_step
    >> LLMConversation()
    >> ExtractCode(lang="bash", keep_main=True)
    >> TerminalRun()
    >> glue_step
    >> LLMConversation()
    >> ExtractCode(lang="python")
    >> PythonRun(longest_cases)
    >> SubstringEvaluator(longest_answer)
)
TestCallRustFromPythonFiles = (
    Setup(save_rust_source)
    >> question_numbers
    >> LLMRun()
    >> ExtractJSON()
    >> MakeFilesFromJSON()
    >> PyEvaluator(spread_works)
)

if __name__ == "__main__":
    print(run_test(TestCallRustFromPython))
    print(run_test(TestCallRustFromPythonFiles))
