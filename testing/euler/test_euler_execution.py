"""Programs in a real sandbox: what counts, what is measured, and what they find there."""

import pytest

from assay.records import Outcome
from testing.euler.trials import judge
from testing.language.pipeline import text_of
from tests.euler.execution import recipe_for
from tests.euler.languages import LANGUAGES

ANSWERS = {
    "python": "print(42)",
    "java": "public class Any { public static void main(String[] args) { System.out.println(42); } }",
    "rust": 'fn main() { println!("{}", 42); }',
    "clojure": "(println 42N)\n(prn 42N)",
    "c": '#include <stdio.h>\nint main(void) { puts("42"); return 3; }',
    "cpp": "#include <iostream>\nint main() { std::cout << 42; }",
    "javascript": "console.log(6n * 7n)",
}
COMPILED = {"java", "rust", "c", "cpp"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_answers_and_is_measured(language):
    (record,) = judge((language, ANSWERS[language], {}))
    assert record.outcome is Outcome.PASS, (text_of(record.reason), record.error)
    assert record.score is None and record.metrics["points"] == 2.5
    assert ("compile_s" in record.metrics) is (language in COMPILED)
    assert record.metrics["run_s"] > 0 and record.metrics["peak_memory_mb"] > 0.5
    assert record.extra["printed"].startswith("42")
    assert "_JAVA_OPTIONS" not in text_of(record.reason)


def test_unusual_forms_of_right_java_are_right():
    main = "public static void main(String[] a) { System.out.println(42); }"
    programs = [
        f"\ufeffpublic class Any {{ {main} }}\r\n",
        f"package a.b;\nclass First {{}}\npublic enum Second {{ A; {main} }}",
        "int f() { return 42; }\nvoid main() { IO.println(f()); }",
    ]
    for code, record in zip(programs, judge(*(("java", code, {}) for code in programs)), strict=True):
        assert record.outcome is Outcome.PASS, (code, text_of(record.reason), record.error)


@pytest.mark.slow(2)
def test_only_the_last_line_counts_and_only_of_a_program_that_ended():
    flood = "import sys\nfor _ in range(40): sys.stdout.write('4' * 100_000)\nprint()\nprint(42)"
    cases = [
        ("print(42)\nraise SystemExit(3)", True, "exit 3"),  # the exit status does not matter
        ("print(42)\nprint()\n1 // 0", True, "exit 1"),
        ("import os, signal\nprint(42, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)", True, "signal 9"),
        (flood, True, "exit 0"),  # four megabytes before it
        ("import sys\nprint(42, file=sys.stderr)", False, "printed nothing"),
        ("print(42)\nprint('done')", False, "not the answer"),
        ("# 42\nprint(0)", False, "not the answer"),
        ("print(42, flush=True)\nwhile True: pass", False, "still running after 2 s"),
        ("import sys\nprint(sys.stdin.read() or 42)", True, "exit 0"),  # nothing to read
        ("import sys\nsys.stdout.buffer.write(b'\\xff\\n42\\r\\n\\r')", True, "exit 0"),
        ("exit()", False, "printed nothing"),
    ]
    records = judge(*(("python", program, {"time_limit_s": 2.0}) for program, _, _ in cases))
    for (program, right, said), record in zip(cases, records, strict=True):
        assert record.outcome is (Outcome.PASS if right else Outcome.FAIL), program
        assert said in text_of(record.reason), (program, text_of(record.reason))


def test_a_program_finds_the_standard_library_and_its_data_and_nothing_else():
    files = {"0022_names.txt": b'"ANN"', "names.txt": b'"ANN"'}
    (record, other) = judge(
        ("python", "import os\nassert os.path.getsize('names.txt') == os.path.getsize('0022_names.txt')\n"
         "import decimal, sqlite3, asyncio, multiprocessing\nprint(42)", {"files": files}),
        ("python", "import sys\nprint([p for p in sys.path if 'packages' in p])\n"
         "try:\n    import pip\nexcept ImportError:\n    print(42)", {}),
    )  # fmt: skip
    assert record.outcome is Outcome.PASS, text_of(record.reason)
    assert other.outcome is Outcome.PASS and "[]" in text_of(other.reason), text_of(other.reason)


def test_what_does_not_compile_fails_with_the_compilers_words():
    (record,) = judge(("rust", 'fn main() { println!("42" }', {}))
    assert record.outcome is Outcome.FAIL and record.extra["ended"] == "not run"
    assert "could not be compiled" in text_of(record.reason) and "error" in text_of(record.reason)


JAVA = "{} class {} {{ {} }}\n"
MAIN = 'public static void main(String[] args) {{ System.out.println("{}"); }}'


@pytest.mark.parametrize(
    ("source", "started"),
    [
        ("interface Sum { int of(int a); }\nrecord Pair(int a, int b) {}\npublic class Solution { "
         + MAIN.format(42) + " }", "Solution"),
        ("package euler.one;\nclass Other { " + MAIN.format(1) + " }\nclass Main { " + MAIN.format(42) + " }",
         "euler.one.Main"),
        ("class A { " + MAIN.format(42) + " }\nclass B { " + MAIN.format(2) + " }", "A"),
        ("class Main { " + MAIN.format(1) + " }\npublic class B { " + MAIN.format(42) + " }", "B"),
        ("public record Euler(int n) { " + MAIN.format(42) + " }", "Euler"),
        ("public interface Euler { static void main(String[] args) { System.out.println(42); } }", "Euler"),
    ],
)  # fmt: skip
def test_javas_main_class_is_found(source, started):
    recipe = recipe_for("java", source)
    assert recipe.run.endswith(f" {started}")
    (record,) = judge(("java", source, {}))
    assert record.outcome is Outcome.PASS, text_of(record.reason)
