"""Real trials of agents for looking at the report and for its tests: a scripted model, real tools.

`python -m testing.report.agent_trials OUT` writes a report of a trial with 60 turns that goes wrong in the
23rd, and of one that does its best to break the report.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from assay.records import Completion, ToolCall, TrialRecord, Usage
from assay.report.html import write_report
from assay.results.serialize import decode_line, encode_line
from evaluator import AgentRun, EditFile, Files, PyEvaluator, ReadFile, Shell
from testing.language.pipeline import trial

LEXER = '''"""Tokens of a small language."""

import re

KINDS = [
    ("number", r"\\d+(?:\\.\\d+)?"),
    ("name", r"[A-Za-z_]\\w*"),
    ("sign", r"[-+*/()=]"),
    ("space", r"\\s+"),
]


def tokens(text):
    at = 0
    while at < len(text):
        for kind, pattern in KINDS:
            found = re.compile(pattern).match(text, at)
            if found:
                if kind != "space":
                    yield kind, found[0]
                at = found.end()
                break
        else:
            raise SyntaxError(f"what is {text[at]!r}?")
'''
PARSER = '''"""Sums and products, read from left to right."""

from lexer import tokens


class Parser:
    def __init__(self, text):
        self.left = list(tokens(text))

    def peek(self):
        return self.left[0] if self.left else (None, None)

    def take(self):
        return self.left.pop(0)

    def value(self):
        kind, text = self.take()
        if text == "(":
            inner = self.sum()
            self.take()
            return inner
        return float(text)

    def product(self):
        found = self.value()
        while self.peek()[1] in ("*", "/"):
            _, sign = self.take()
            other = self.value()
            found = found * other if sign == "*" else found / other
        return found

    def sum(self):
        found = self.product()
        while self.peek()[1] in ("+", "-"):
            _, sign = self.take()
            other = self.product()
            found = found + other
        return found
'''
TESTS = """from parser_ import Parser

CASES = {"1+2": 3, "2*3+4": 10, "10-4": 6, "2*(3-1)": 4, "8/4-1": 1}
for text, wanted in CASES.items():
    got = Parser(text).sum()
    assert got == wanted, f"{text} gave {got}, not {wanted}"
print(f"{len(CASES)} passed")
"""
FILES = {
    "lexer.py": LEXER,
    "parser_.py": PARSER,
    "test_parser.py": TESTS,
    "notes/old-plan.md": "# Plan\n\n1. lexer\n2. parser\n",
    "notes/todo.md": "- subtraction\n- unary minus\n",
    "run.sh": "python3 test_parser.py\n",
}


def _draw(seed: int) -> random.Random:
    return random.Random(seed)


def says(
    draw: random.Random, read: int, text: str, *calls: tuple[str, dict[str, str]], thinks: str = ""
) -> Completion:
    """A reply as a provider gives it. `read`: input tokens."""
    made = tuple(ToolCall(f"call_{draw.random()}", name, json.dumps(given)) for name, given in calls)
    wrote = 40 + len(text) // 3 + sum(len(call.arguments) for call in made) // 3 + len(thinks) // 3
    seconds = round(0.6 + wrote / 90 + draw.random(), 2)
    cost = read * 3e-6 + wrote * 15e-6
    return Completion(text, Usage(read, wrote), cost, seconds, calls=made, reasoning=thinks)


def sh(command: str) -> tuple[str, dict[str, str]]:
    return "shell", {"command": command}


def edit(path: str, old: str, new: str) -> tuple[str, dict[str, str]]:
    return "edit_file", {"path": path, "old_text": old, "new_text": new}


def sixty_turns() -> TrialRecord:
    """It looks around, mends the sum, breaks the lexer in turn 23, and never finds out."""
    draw = _draw(7)
    look = [
        "ls -la",
        "cat run.sh",
        "bash run.sh",
        "cat parser_.py",
        "cat lexer.py",
        "git status",
        "cat notes/*.md",
    ]
    turns: list[tuple[str, list[tuple[str, dict[str, str]]], str]] = [
        (f"Let me look at `{command}`.", [sh(command)], "") for command in look
    ]
    minus = edit(
        "parser_.py", "found = found + other", 'found = found + other if sign == "+" else found - other'
    )
    turns += [
        ("The sign is taken and never used: subtraction adds.", [minus], "sum() drops the sign. " * 60),
        ("", [sh("bash run.sh")], ""),
        (
            "",
            [
                edit(
                    "parser_.py", "return float(text)", "return -self.value() if text == '-' else float(text)"
                )
            ],
            "",
        ),
        (
            "Unary minus works now; I will check.",
            [sh("python3 -c \"from parser_ import Parser; print(Parser('-3+5').sum())\"")],
            "",
        ),
        ("", [sh("mv notes/old-plan.md notes/plan.md; chmod 755 run.sh; rm notes/todo.md")], ""),
        ("", [sh("head -c 3000 /dev/urandom > cache.bin; seq 1 60000 > table.txt")], ""),
    ]
    while len(turns) < 22:
        number = len(turns)
        turns.append(
            (
                "",
                [sh(f"grep -n 'def ' *.py | head -{number}"), ("read_file", {"path": "lexer.py"})][
                    : 1 + number % 2
                ],
                "",
            )
        )
    turns.append(
        (
            "Names may have dashes, I suppose.",
            [sh("sed -i 's/A-Za-z_\\]/A-Za-z_-]/; s/\\[-+/[+/' lexer.py && echo done")],
            "",
        )
    )
    while len(turns) < 59:
        number = len(turns)
        if number % 6 == 5:
            turns.append(
                (
                    "Still wrong. I try again.",
                    [sh("bash run.sh")],
                    "The lexer is fine, so it must be the parser. " * 40,
                )
            )
        elif number % 6 == 2:
            turns.append(("", [edit("parser_.py", f"variant {number}", "pass")], ""))
        elif number % 6 == 4:
            turns.append(
                (
                    "",
                    [
                        sh(
                            "python3 - <<'E'\nfrom lexer import *\n"
                            "for t in ('1', '1+2', '4*(2)'):\n    print(t, list(tokens(t)))\nE"
                        )
                    ],
                    "",
                )
            )
        else:
            turns.append(("", [sh(f"sed -n {number},{number + 9}p parser_.py; sleep 0.0{number % 10}")], ""))
    turns.append(("I give up: it should be right.", [sh("bash run.sh | tail -1")], ""))
    replies = [
        says(draw, 900 + 420 * number + (5_000 if number == 40 else 0), text, *calls, thinks=thinks)
        for number, (text, calls, thinks) in enumerate(turns)
    ]

    def passes() -> tuple[bool, str]:
        import subprocess

        done = subprocess.run(["python3", "test_parser.py"], capture_output=True, text=True)
        return done.returncode == 0, done.stdout + done.stderr

    task = "bash run.sh fails. Find out why and mend the cause, not the test."
    agent = AgentRun([Shell(), EditFile(), ReadFile()], max_turns=60, system="You are a careful programmer.")
    return trial(Files(FILES) >> task >> agent >> PyEvaluator(passes), *replies)


HOSTILE = [
    "printf 'x\\n%.0s' $(seq 20000) > long.txt; seq 100000 | sed 's/^/line /' > huge.txt",
    "sed -i s/a/b/ before.txt; seq 50000 | shuf > shuffled.txt",
    "touch -- '<script>alert(1)<\\script>.py'; echo x > $'a\\nb\\e[31mred\\e[0m: c.py'",
    "echo y > $'0\\xe2\\x80\\xaegnp.exe'",
    "printf 'a\\e[2J\\e]0;owned\\a<img src=x onerror=alert(1)>\\n' > escape.txt",
    "printf 'a\\rb\\x0bc\\n' > odd.txt",
    "echo '</script><script>document.title=\"owned\"</script>'",
    "python3 -c \"print('<b>'*20000)\"",
    "mkdir -p node_modules/x; for i in $(seq 300); do echo $i > node_modules/x/$i; echo $i > many-$i; done",
    "exit 7",
]


def hostile() -> TrialRecord:
    draw = _draw(9)
    replies = [
        says(draw, 1000, f"<script>alert({n})</script>", sh(command)) for n, command in enumerate(HOSTILE)
    ]
    replies.append(Completion("done <script>alert(9)</script>", Usage(10, 10)))
    before = {"before.txt": "a\n" * 3000, "gone.txt": "gone\n"}
    return trial(Files(before) >> "Break it." >> AgentRun([Shell()]) >> PyEvaluator(_true), *replies)


def _true() -> bool:
    return True


def saved(record: TrialRecord, name: str) -> TrialRecord:
    """The record as it comes back from a results file, under another name."""
    named = replace(record, test=f"{name}.Test{name.title()}", suite="applied", model="scripted/agent")
    return decode_line(encode_line(named, lambda data: ""))


def main(argv: Iterable[str]) -> None:
    (out,) = argv
    records = [saved(sixty_turns(), "sixty"), saved(hostile(), "hostile")]
    print(write_report(records, Path(out), images=Path(out), root=Path(out)).index)


if __name__ == "__main__":
    main(sys.argv[1:])
