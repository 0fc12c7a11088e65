"""assay new: write a complete, working test and its references, to be edited."""

from __future__ import annotations

import argparse
import keyword
import os
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.config import near
from assay.errors import ConfigError
from assay.home import BENCHMARKS, CHECKOUT, docs_page, typed
from assay.report.messages import say
from assay.suites.listing import NOT_TESTS
from assay.suites.selection import Selection

LINE = 110  # columns, as the repository's formatter has it
NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Shape:
    """How the example looks in a language (new_tests.toml). `ask`: the words of the question after the
    language. `cases`: code that is appended to the model's program, explained by `note`; '' where `maker`
    names the make_..._test that does it."""

    title: str
    fence: str
    node: str
    right: str
    wrong: Sequence[str]
    ask: str = "a function twice(n) that returns two times n. Show the function only, without a main."
    maker: str = ""
    cases: str = ""
    note: str = "Put behind the model's program, in the same file; what both print is judged."

    @property
    def check(self) -> str:
        """The lines before the test."""
        if self.maker:
            return PAIRS.format(self.maker)
        code = f'"""{self.cases}"""' if "\n" in self.cases else _quoted(self.cases)
        return f"# {self.note}\ntest_case = {code}\n"

    @property
    def judge(self) -> str:
        """The test's last step."""
        return "SubstringEvaluator(answer)" if self.maker else 'EqualEvaluator("0 42 -6")'


def _load() -> dict[str, Shape]:
    rows = tomllib.loads(Path(__file__).with_name("new_tests.toml").read_text("utf-8"))
    return {name: Shape(**{"fence": name, **row}) for name, row in rows.items()}


LANGUAGES: Mapping[str, Shape] = _load()
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
    """The text as a Python literal, in double quotes where ruff prefers them."""
    body = text.replace("\\", "\\\\").replace("\n", "\\n")
    return f"'{body}'" if '"' in body and "'" not in body else '"' + body.replace('"', '\\"') + '"'


TEST = """\
from evaluator import *

# One sentence for the report, and words for --tag and the report's filter.
DESCRIPTION = "Can the model write a function that doubles a number in {shape.title}?"
TAGS = ["code", "{shape.fence}"]

# What the model is asked, and nothing else. Say all that the checks below take for granted.
question = {question}

{shape.check}
{variable} = (
    question
    >> LLMRun()  # ask the model under test
    >> ExtractCode(lang="{shape.fence}")  # take the program out of its reply
    >> {shape.node}(test_case)  # run it in the sandbox, with the checks behind it
    >> {shape.judge}  # judge what was printed
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


def command(options: argparse.Namespace, root: Path) -> int:
    """Write both files and say what to do with them. Raises ConfigError for a name that cannot be used."""
    name, language = _asked(options)
    folder = Selection(root, folders=tuple(options.tests)).test_folders()[0]
    if folder == BENCHMARKS and CHECKOUT is None:  # an installed package is not a place for your own tests
        folder = root / "tests"
    file, references = folder / f"{name}.py", folder / "references" / f"{name}.py"
    for path in (file, references):
        if path.exists():
            raise ConfigError(f"{_shown(path)} already exists; choose another name than {name}")
    shape = LANGUAGES[language]
    variable = "Test" + "".join(part.title() for part in name.split("_"))
    test = TEST.format(variable=variable, question=_question(shape), shape=shape)
    wrong = "\n".join(f"        {_reply(shape, each)}," for each in shape.wrong)
    proof = REFERENCES.format(variable=variable, right=_reply(shape, shape.right), wrong=wrong)
    _write(references, proof)
    _write(file, test)
    place = f" --tests {shlex.quote(options.tests[0])}" if options.tests else ""
    say(
        f"wrote {_shown(file)} and {_shown(references)}: a complete test. Replace the question,\n"
        f"the checks and the replies with yours; {docs_page('writing-tests')} has every node. Try next:\n"
        f"  {typed()} explain {name}{place}\n"
        f"  {typed()} run {name} --model oracle --model saboteur{place}\n"
        f"  {typed()} lint {name}{place}"
    )
    return 0


def _asked(options: argparse.Namespace) -> tuple[str, str]:
    name, *rest = options.new_test
    if "/" in name:
        folder = name.rpartition("/")[0] or "/"
        raise ConfigError(f"a test's name must not contain a folder; give it separately: --tests {folder}")
    name = name.removesuffix(".py")
    if not NAME.fullmatch(name) or keyword.iskeyword(name) or len(name) > 60 or f"{name}.py" in NOT_TESTS:
        better = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()).strip("_")
        hint = f", e.g. {better}" if NAME.fullmatch(better) and better != name and len(better) <= 60 else ""
        raise ConfigError(
            f"{name!r} cannot name a test: a test file's name has small letters, digits and underscores, "
            f"begins with a letter and is not a keyword of Python{hint}"
        )
    if len(rest) > 1:
        raise ConfigError(f"a test is in one language, not in {' and '.join(rest)}")
    language = options.new_language or (rest[0] if rest else "python")
    if language.lower() not in LANGUAGES:
        raise ConfigError(
            f"there is no example in the language {language!r}.{near(language, LANGUAGES)} "
            f"There are: {', '.join(LANGUAGES)}"
        )
    return name, language.lower()


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
