"""Whatever reads what a model wrote takes time in proportion to its length.

Trials share one thread, so one reply that is read in quadratic time stops them all. A function that reads
a model's bytes gets a line in READERS; every one is given every text of UNITS, repeated.
"""

import asyncio
import contextlib
import gc
import time
from functools import partial

import pytest

from assay.language.agents.file_changes import changes
from assay.language.apart import matched
from assay.language.checks import frames
from assay.language.extract import json_readings, looks_like_code
from assay.language.fences import drop_thinking, fenced_blocks
from assay.language.files import files_in
from assay.language.header_parts import needed_header
from assay.language.interactive import ESCAPES
from assay.language.java_source import join_java
from assay.language.judge import difference, failed_check, integers
from assay.language.main_function import masked, rename_identifier, unused_name
from assay.language.make_tests import make_python_test
from assay.language.printed import own_words
from assay.language.program_causes import of_build, of_run
from assay.language.programs import assemble
from assay.language.tools import call_blocks
from assay.language.verdicts import Unreadable, read_opinion, takes_back
from assay.models.error_bodies import page_text
from assay.models.human import turn_of
from assay.models.ollama_chat import ChatLines
from assay.models.provider import Call
from assay.models.secrets import Scrubber
from assay.models.text_tools import TextTools
from assay.records import Block, Completion, ExecResult, Tool, ToolCall
from assay.report.explanation import Pictures, pieces
from assay.report.reasons import gist
from assay.report.sanitise import one_line, strip_terminal, visible
from assay.report.steps import lines_of
from assay.results.causes import of_failure
from assay.results.export.csv_file import text_cell
from assay.results.serialize import clean
from assay.sandboxes.agent.trees import packed
from tests.arithmetic.reader import lenient, strict
from tests.euler.answers import is_answer, last_line
from tests.euler.execution import recipe_for
from tests.euler.nodes import program_in
from tests.harbor.rewards import of_json, of_text
from tests.weirdml.predictions import BadFormat, parse
from tests.weirdml.prompt import feedback
from tests.weirdml.source import code_lines, literal_bytes, script_in

LENGTHS = (1_000, 4_000, 16_000)  # characters
ENOUGH_S = 0.004  # of processor time: less for the longest is linear, or as good as linear
TIMES = 4  # the longer text is so many times as long as the shorter one,
TOO_MANY = 9  # and takes about as many times as long. In quadratic time it would be 16
TRIES = 4
LONG = (  # take two seconds or more
    *("assemble c", "assemble go", "assemble java", "assemble javascript", "assemble rust"),
    *("join_java statements", "literal_bytes", "masked", "recipe_for"),
)

CHECKS, _ = make_python_test([("f(1)", "1")])
TOOLS = TextTools()
REPORTED = ("python", "bash", "javascript")
OWN = ("python", "java", "rust", "javascript")
ASSEMBLED = ("c", "rust", "java", "javascript", "go")
READERS = {
    "drop_thinking": drop_thinking,
    "integers": integers,
    "failed_check": failed_check,
    "matched": lambda text: matched("a.?b", 0, text),
    "difference": lambda text: difference([[text], {"a": text}], [text, [text], {"a": [text]}]),
    "page_text": lambda text: page_text("<html>" + text),
    "read_opinion": lambda text: read_opinion(text, any_label=True),
    "takes_back": lambda text: takes_back(f"{text}\nVERDICT: YES", "YES"),
    **{f"own_words {each}": partial(own_words, language=each, ended_well=False) for each in OWN},
    "of_build": lambda text: of_build(ran(text)),
    **{f"of_run {each}": lambda text, of=each: of_run(ran(text), of) for each in REPORTED},
    "frames": lambda text: frames(text.encode("utf-8", "replace"), CHECKS),
    "of_failure": lambda text: of_failure([Block("verdict", text, text, passed=False)], False, [], 1),
    "gist": gist,
    "changes": lambda text: asyncio.run(changes(b"", packed(b"f", 0o644, 0, "work/f", text.encode()))),
    "fenced_blocks": lambda text: list(fenced_blocks(text)),
    "looks_like_code": lambda text: looks_like_code(text, None),
    "json_readings": lambda text: list(json_readings(text)),
    "files_in": files_in,
    "escapes of a terminal": lambda text: ESCAPES.sub("", text),
    "strip_terminal": strip_terminal,
    "visible": visible,
    "one_line": one_line,
    "text_cell": text_cell,
    "clean": lambda text: clean(text, 10**6),
    "Scrubber": Scrubber(),
    "TextTools": lambda text: TOOLS.answered(
        Completion(f"{text}\n```call {TOOLS.mark}\n{text}"), Call("m", (), {}, tools=(Tool("a", "b"),))
    ),
    "call_blocks": lambda text: call_blocks([ToolCall("a", text, text), ToolCall("b", text, f'["{text}"]')]),
    "ChatLines": lambda text: ChatLines().feed(text.encode("utf-8", "replace")),
    "a person's turn": turn_of,
    "of_json": lambda text: of_json(text.encode("utf-8", "replace")),
    "of_text": lambda text: of_text(text.encode("utf-8", "replace")),
    "lines_of": lambda text: list(lines_of(Block("verdict", body=text))),
    "pieces": lambda text: pieces(Block("text", text, text), Pictures()),
    "strict": strict,
    "lenient": lenient,
    "last_line": lambda text: is_answer(last_line(text.encode("utf-8", "replace")), "1"),
    "recipe_for": lambda text: recipe_for("java", text),
    "program_in": lambda text: program_in(text, "python"),
    "script_in": script_in,
    "code_lines": code_lines,
    "literal_bytes": literal_bytes,
    "feedback": lambda text: feedback("", text, 1),
    "predictions": lambda text: parse(text.encode("utf-8", "replace"), (2, 2)),
    "needed_header": lambda text: needed_header("def f(): pass", ("f(1)",), text),
    "masked": lambda text: masked(text, "cpp"),
    "masked go": lambda text: masked(text, "go"),
    "rename_identifier": lambda text: rename_identifier(text, "c", "main", unused_name(text, "program_main")),
    "join_java statements": lambda text: join_java(text, "import java.util.*; int x = 1;"),
    **{f"assemble {each}": partial(assemble, each, test_case="int main() {}") for each in ASSEMBLED},
}  # fmt: skip

UNITS = [
    *("`", "`` ` ", "```\n", "```a`\n", "```x\n", "~", "~~~\n"),
    *(" ~~~x\n", "- ```\n", "\t", " ", "\n", "\r", " \n", "x\n"),
    *("{", "[", "(", "}", "{[", '{"a":', '[{"a":1},', "[1,", '{"a":1}'),
    *("{} ", '{"', "<", "<<", ">", "|", "||", "|a", "| - "),
    *('"', "'", "\\", '\\"', "\\'", "'\\", '"\\', "'a", '"""', '\\"""', "\\n", "\\\n", "''", '""'),
    *("/*", "/* ", "*/", "//", "/", "//\\\n", "#", "# ", "#include ", "# include\n", "--", ";", ";\n"),
    *('r"', 'r#"', "r###", "br#", 'R"(', 'R"a(', 'u8R"', "b'", "b'\\x"),
    *("class ", "class A ", "class A{", "class A{}"),
    *("public class A ", "record\n", "static ", "static void ", "void main("),
    *("import ", "import a", "import a\n", "import\n"),
    *("import a;", "import static a.*;\n", "package ", "package a\n", "export "),
    *("main", "main ", "main(", "fn main", "fn main\n", "Main"),
    *("program_main", "program_main_", "_", "a", "a.", "0'", "x1"),
    *("1", "1,", ",111", "1 ", "1.", "1.1", "-"),
    *("+ ", "1e", "1_", "9" * 4000 + " ", "\u2212", "10^", "10\u2070"),
    *("\x1b", "\x1b[", "\x1b]", "\x1b[1;", "\x1bP", "\x9b", "\x9b1"),
    *("\x9d", "\x90", "\x07", "\x00", "\u202e", "\ud800", "\u00e9"),
    *("<think>", "</think>", "<think>\n", "</think>\n", "<think>\n</think>\n", " <think> ", "</think> "),
    *("a://", "a://b:", "a:b@", "://", "bearer ", "basic a"),
    *("api-key: ", "api_key='", "authorization", "sk-", "AIza", "?key=", "&sig=a"),
    *("> ", "* ", "1. ", "**", "**a ", "_a", "*a_", "[a]("),
    *("![a](", "[a]: ", "[a]", "<a", "<!--", "&", "&a", "~~a", "a@b.c "),
    *("\\frac{", "\\boxed{", "\\boxed{1}", "\\frac{1}{2}", "{,}", "$", "^", "=", "(1)", "..", ". "),
]  # fmt: skip


def written(unit, last, length):
    """A text of about `length` characters: `unit` again and again, and `last`."""
    return unit * (length // len(unit)) + last


ENDED = [
    *((unit, "") for unit in UNITS),
    *(
        (unit, "!")
        for unit in (" ", "\t", "\n", "1", "1,111", "a", "_", "#", "\\\\", "-", "[1;", ",", ".", "=")
    ),
    *((unit, "\\") for unit in ('"', "'", '\\"', "\\'", '\\"""', 'b"', "//")),
]
SHAPES = [
    lambda n: " " * (n // 2) + "```\n" + " " * (n // 2) + "x",
    lambda n: " " * (n // 2) + "```\n" + "x\n" * (n // 4),
    lambda n: " " * (n // 2) + "```\n" + "```\n" * (n // 8),
    lambda n: "\t" * (n // 2) + "~~~\n" + "\t" * (n // 2) + "x",
    lambda n: "```\n" + "</think>\n" * (n // 9),
    lambda n: "```\n" + "```py\n" * (n // 6),
    lambda n: "<think>" * (n // 14) + "\n</think" * (n // 16),
    lambda n: "[" * (n // 2) + "]" * (n // 2),
    lambda n: '{"a":' * (n // 6) + "1" + "}" * (n // 6),
    lambda n: "[" + '{"a":[1]},' * (n // 10),
    lambda n: "[" * (n // 2) + "1" * (n // 2),
    lambda n: '["' + "[" * n,
    lambda n: '{"a":"' + '\\"' * (n // 2),
    lambda n: "program_main " + "_" * n,
    lambda n: "main " * (n // 10) + "program_main" + "_" * (n // 2),
    lambda n: "import " + "a " * (n // 2),
    lambda n: 'r####"' + '"###' * (n // 4),
    lambda n: '"' + '\\"' * (n // 2),
    lambda n: '"""' + '\\"' * (n // 2),
    lambda n: "\x1b]" + "a" * n,
    lambda n: "\x9d" + "\x1b" * n,
    lambda n: "\x1b]" + "\x9d" * n,
    lambda n: "bearer" + " " * n,
    lambda n: "a" * n + "://" + "b" * n + ":",
    lambda n: "".join(f"[{number}]: x\n" for number in range(n // 10)),
]
TEXTS = [*(partial(written, unit, last) for unit, last in ENDED), *SHAPES]


def ran(text):
    return ExecResult(text.encode("utf-8", "replace"), text.encode("utf-8", "replace"), 1)


def seconds(function, text, limit=1):
    best = float("inf")
    for _ in range(limit):
        begin = time.process_time()
        with contextlib.suppress(ValueError, BadFormat, Unreadable):  # it said no, in its time
            function(text)
        best = min(best, time.process_time() - begin)
    return best


def growth(function, text):
    """How many times as long TIMES as much of a text takes; 0 for one that is read in no time at all."""
    for length in LENGTHS:
        if len(text(length // TIMES)) * 2 * TIMES <= len(text(length)):
            continue  # its unit is so long that the shorter one has none or few: both take next to no time
        if (took := seconds(function, text(length))) >= ENOUGH_S:
            break
    else:
        return 0.0
    least = float("inf")
    for tries in range(1, TRIES):
        shorter = seconds(function, text(length // TIMES), tries)
        took = min(took, seconds(function, text(length), tries))
        least = min(least, took / max(shorter, 1e-9))
        if least < TOO_MANY:
            break
    return least


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.slow(3)) if each in LONG else each for each in READERS]
)
def test_it_is_read_in_linear_time(name):
    function = READERS[name]
    seconds(function, "warm")
    gc.disable()
    try:
        slow = {}
        for text in TEXTS:
            if (times := growth(function, text)) >= TOO_MANY:
                slow[text(50)] = round(times, 1)
    finally:
        gc.enable()
    assert not slow, f"{TIMES} times as long a text takes so many times as long"


def test_quadratic_time_would_be_seen():
    assert (
        growth(lambda text: [text.count("ab", at) for at in range(0, len(text), 8)], "a".__mul__) >= TOO_MANY
    )
    assert growth(lambda text: [each for each in text for _ in range(20)], "a".__mul__) < TOO_MANY
