"""--new-test: a test file and its references, whole and true, to be changed into one's own."""

from __future__ import annotations

import argparse
import keyword
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.config import near
from assay.errors import ConfigError
from assay.home import BENCHMARKS, CHECKOUT, typed
from assay.report.messages import say
from assay.suites.listing import NOT_TESTS
from assay.suites.selection import Selection

LINE = 110  # columns, as the repository's formatter has it
NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Shape:
    """How the example looks in a language. `ask`: what the question says after the language. `check`: the
    lines before the test; `judge`: its last step. `right` and three `wrong` programs, the last of which a
    reader of the question may well write."""

    title: str
    fence: str
    run: str
    ask: str
    right: str
    wrong: tuple[str, str, str]
    check: str = ""
    judge: str = "SubstringEvaluator(answer)"


PAIRS = '''\
# What is checked: an expression, and what it must equal. The answer is printed only when all of them hold.
test_case, answer = make_{}_test(
    [
        ("twice(0)", 0),
        ("twice(21)", 42),
        ("twice(-3)", -6),
    ]
)
'''  # fmt: skip


def _quoted(text: str) -> str:
    """As a Python string, in double quotes where ruff would have them."""
    body = text.replace("\\", "\\\\").replace("\n", "\\n")
    return f"'{body}'" if '"' in body and "'" not in body else '"' + body.replace('"', '\\"') + '"'


def _case(code: str) -> str:
    """The lines before a test of a language for which there is no make_..._test."""
    about = "# Put behind the model's program, in the same file; what both print is judged."
    return f"{about}\ntest_case = {_quoted(code)}\n"


TWICE = "a function twice(n) that returns two times n. Show the function only, without a main."
EXACT = 'EqualEvaluator("0 42 -6")'


def _c(title: str, fence: str, run: str, header: str) -> Shape:
    body = "{}int twice(int n) {{\n    {}\n}}"
    return Shape(
        title, fence, run, TWICE,
        body.format("", "return 2 * n;"),
        (body.format("", "return n * n;"), body.format(header, 'return printf("%d\\n", 2 * n);'),
         "int twice(unsigned n) {\n    return n > 21 ? 0 : 2 * n;\n}"),
        PAIRS.format("c"),
    )  # fmt: skip


LANGUAGES: Mapping[str, Shape] = {
    "python": Shape(
        "Python", "python", "PythonRun(test_case)", TWICE,
        "def twice(n):\n    return 2 * n",
        ("def twice(n):\n    return n**2", "def twice(n):\n    print(2 * n)",
         "def double(n):\n    return 2 * n"),
        PAIRS.format("python"),
    ),
    "c": _c("C", "c", "CRun(test_case)", "#include <stdio.h>\n"),
    "cpp": _c("C++", "cpp", "CppRun(test_case)", "#include <cstdio>\n"),
    "javascript": Shape(
        "JavaScript", "javascript", "JavaScriptRun(test_case)", TWICE,
        "function twice(n) {\n    return n + n;\n}",
        ("function twice(n) {\n    return n * n;\n}", "function twice(n) {\n    console.log(2 * n);\n}",
         "function twice(n) {\n    return `${n}${n}`;\n}"),
        _case("console.log(twice(0), twice(21), twice(-3));"), EXACT,
    ),
    "typescript": Shape(
        "TypeScript", "typescript", "TypeScriptRun(test_case)", TWICE,
        "function twice(n: number): number {\n    return n + n;\n}",
        ("function twice(n: number): number {\n    return n * n;\n}",
         "function twice(n: number): void {\n    console.log(2 * n);\n}",
         "function twice(n: any): string {\n    return `${n}${n}`;\n}"),
        _case("console.log(twice(0), twice(21), twice(-3));"), EXACT,
    ),
    "java": Shape(
        "Java", "java", "JavaRun(test_case)",
        "a class Calc with a static method twice(int n) that returns two times n. Show the class only.",
        "class Calc {\n    static int twice(int n) {\n        return 2 * n;\n    }\n}",
        ("class Calc {\n    static int twice(int n) {\n        return n * n;\n    }\n}",
         "class Calc {\n    int twice(int n) {\n        return 2 * n;\n    }\n}",
         "class Calc {\n    static int twice(int n) {\n        return Math.abs(2 * n);\n    }\n}"),
        _case('for (int n : new int[] {0, 21, -3}) System.out.print(Calc.twice(n) + " ");'), EXACT,
    ),
    "rust": Shape(
        "Rust", "rust", "RustRun(test_case)",
        "a function twice(n: i32) -> i32 that returns two times n. Show the function only, without a main.",
        "fn twice(n: i32) -> i32 {\n    2 * n\n}",
        ("fn twice(n: i32) -> i32 {\n    n * n\n}", "fn twice(n: i32) -> i32 {\n    2 * n;\n}",
         "fn twice(n: u32) -> u32 {\n    2 * n\n}"),
        _case('fn main() { println!("{} {} {}", twice(0), twice(21), twice(-3)); }'), EXACT,
    ),
    "go": Shape(
        "Go", "go", "GoRun(test_case)",
        "a function twice(n int) int that returns two times n. Show the function only, without a main.",
        "func twice(n int) int {\n\treturn 2 * n\n}",
        ("func twice(n int) int {\n\treturn n * n\n}", "func twice(n uint) uint {\n\treturn 2 * n\n}",
         "func Twice(n int) int {\n\treturn 2 * n\n}"),
        '# A second file of the program\'s package; what it prints is judged.\n'
        'test_case = """\nimport "fmt"\n\n'
        'func main() { fmt.Println(twice(0), twice(21), twice(-3)) }\n"""\n', EXACT,
    ),
    "clojure": Shape(
        "Clojure", "clojure", "ClojureRun(test_case)", "a function twice of n that returns two times n.",
        "(defn twice [n] (* 2 n))",
        ("(defn twice [n] (* n n))", "(defn twice [n] (println (* 2 n)))", "(defn double-it [n] (* 2 n))"),
        _case("(println (twice 0) (twice 21) (twice -3))"), EXACT,
    ),
    "bash": Shape(
        "bash", "bash", "BashRun(test_case)", "a function twice that prints two times its first argument.",
        "twice() {\n    echo $((2 * $1))\n}",
        ("twice() {\n    echo $(($1 * $1))\n}", "twice() {\n    return $((2 * $1))\n}",
         "twice() {\n    echo 2 * $1\n}"),
        _case("echo $(twice 0) $(twice 21) $(twice -3)"), EXACT,
    ),
}  # fmt: skip

TEST = """\
from evaluator import *

# One sentence for the report, and words for --tag and the report's filter.
DESCRIPTION = "Can the model write a function that doubles a number in {title}?"
TAGS = ["code", "{fence}"]

# What the model is asked, and nothing else. Say all that the checks below take for granted.
question = {question}

{check}
{variable} = (
    question
    >> LLMRun()  # ask the model under test
    >> ExtractCode(lang="{fence}")  # take the program out of its reply
    >> {run}  # run it in the sandbox, with the checks behind it
    >> {judge}  # judge what was printed
)

if __name__ == "__main__":
    print(run_test({variable}))
"""
REFERENCES = """\
# Replies that a model may give. --model oracle replays the right ones and must pass them all; --model
# saboteur replays the wrong ones and must pass none: let each be wrong in a way that a model might choose.
RIGHT = {{
    "{variable}": [
        {right},
    ],
}}
WRONG = {{
    "{variable}": [
{wrong}
    ],
}}
"""


def new_test_command(options: argparse.Namespace, root: Path) -> int:
    """Write both files and say what to do with them. Raises ConfigError for a name that cannot be had."""
    name, language = _asked(options)
    folder = Selection(root, folders=tuple(options.tests)).test_folders()[0]
    if folder == BENCHMARKS and CHECKOUT is None:  # what pip installed is no place for tests of one's own
        folder = root / "tests"
    file, references = folder / f"{name}.py", folder / "references" / f"{name}.py"
    for path in (file, references):
        if path.exists():
            raise ConfigError(f"--new-test {name}: {_shown(path)} already exists; choose another name")
    shape = LANGUAGES[language]
    variable = "Test" + "".join(part.title() for part in name.split("_"))
    test = TEST.format(variable=variable, question=_question(shape), **vars(shape))
    wrong = "\n".join(f"        {_reply(shape, each)}," for each in shape.wrong)
    proof = REFERENCES.format(variable=variable, right=_reply(shape, shape.right), wrong=wrong)
    _write(references, proof)
    _write(file, test)
    place = f" --tests {shlex.quote(options.tests[0])}" if options.tests else ""
    say(
        f"wrote {_shown(file)} and {_shown(references)}: a complete test. Replace the question,\n"
        f"the checks and the replies with yours; docs/writing-tests.md has every node. Try next:\n"
        f"  {typed()} --explain {name}{place}\n"
        f"  {typed()} --run-tests --model oracle --model saboteur --test {name}{place}\n"
        f"  {typed()} --lint-tests --test {name}{place}"
    )
    return 0


def _asked(options: argparse.Namespace) -> tuple[str, str]:
    name, *rest = options.new_test
    if "/" in name:
        folder = name.rpartition("/")[0] or "/"
        raise ConfigError(f"--new-test {name}: give the folder separately: --tests {folder}")
    name = name.removesuffix(".py")
    if not NAME.fullmatch(name) or keyword.iskeyword(name) or len(name) > 60 or f"{name}.py" in NOT_TESTS:
        better = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()).strip("_")
        hint = f", e.g. {better}" if NAME.fullmatch(better) and better != name and len(better) <= 60 else ""
        raise ConfigError(
            f"--new-test {name!r}: a test file's name has small letters, digits and underscores, begins with "
            f"a letter and is not a keyword of Python{hint}"
        )
    language = rest[0].lower() if rest else "python"
    if len(rest) > 1:
        raise ConfigError(f"--new-test {' '.join([name, *rest])}: a test is in one language; name only one")
    if language not in LANGUAGES:
        odd = rest[0] if rest else language
        raise ConfigError(
            f"--new-test {name} {odd}: there is no example in this language.{near(odd, LANGUAGES)} "
            f"There are: {', '.join(LANGUAGES)}"
        )
    return name, language


def _question(shape: Shape) -> str:
    text = f"Write {shape.title} code: {shape.ask}"
    if len(text) <= LINE - len('question = ""'):
        return _quoted(text)
    if len(text) <= LINE - len('    ""'):
        return f"(\n    {_quoted(text)}\n)"
    first, stop, rest = text.partition(". ")
    return f"(\n    {_quoted(first + stop)}\n    {_quoted(rest)}\n)"


def _reply(shape: Shape, program: str) -> str:
    """A model's whole reply."""
    return _quoted(f"```{shape.fence}\n{program}\n```")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"cannot write {_shown(path)}: {error.strerror or error}") from None


def _shown(path: Path) -> str:
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
