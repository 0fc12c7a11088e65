"""The tools of an agent, in a real sandbox."""

import asyncio
import datetime
import enum
import statistics
import time
from collections.abc import Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal, TypedDict

import pytest

from assay.errors import NodeError
from assay.language.agents.files import EditFile, ReadFile
from assay.language.agents.functions import FunctionTool
from assay.language.agents.programs import Python, Shell
from assay.language.agents.tool import main_argument
from assay.language.agents.workbench import ToolsLost, Workbench
from assay.records import ToolCall
from assay.sandboxes.pool import open_pool
from testing.language.pipeline import has_what_it_needs


@asynccontextmanager
async def workbench(sandbox="bubblewrap", requires=()):
    async with open_pool(sandbox, ahead=0) as pool:
        await has_what_it_needs(pool, requires=requires)
        sandbox = await pool.acquire()

        async def opened():
            return sandbox

        bench = Workbench(opened)
        try:
            yield bench
        finally:
            await bench.close()
            await sandbox.close()


def use(tool, *calls):
    """What came of these calls, each the arguments of one; a ToolsLost as it is."""

    async def work():
        done = []
        async with workbench() as bench:
            for given in calls:
                try:
                    done.append(await tool.call(bench, **given))
                except ToolsLost as lost:
                    done.append(lost)
        return done

    return asyncio.run(work())


def shell(*commands, **settings):
    return use(Shell(**settings), *({"command": each} for each in commands))


def python(*codes, **settings):
    return use(Python(**settings), *({"code": each} for each in codes))


def test_a_shell_keeps_its_folder_its_variables_and_what_it_started():
    first, second, third = shell(
        "mkdir d; cd d; X=3; f() { echo f$1; }; sleep 1000 & echo $! > pid",
        "pwd; echo $X; f 4",
        "kill $(cat pid)",
    )
    assert second.text == "/usr/src/app/d\n3\nf4\n" and (first.note, third.note) == ("exit 0", "exit 0")


def test_both_streams_come_in_their_order_with_the_exit_status():
    (done,) = shell("echo one; echo two >&2; echo three; exit_code() { return 7; }; exit_code")
    assert done.text == "one\ntwo\nthree\n[exit status 7]" and not done.failed


@pytest.mark.parametrize("command", ["cat", "read x; echo $x", "python3 -c 'input()'", "cat /dev/tty"])
def test_what_waits_for_input_gets_none(command):
    done, after = shell(command, "echo still")
    assert done.seconds < 5 and after.text == "still\n"


def test_a_command_that_hangs_is_killed_and_the_next_one_finds_a_new_shell():
    done, after = shell("X=3; echo before; sleep 1000", "echo [$X]", time_limit_s=0.5)
    assert (
        done.failed and done.text.startswith("before\n[killed: more than 0.5 s") and done.note == "timed out"
    )
    assert after.text == "[]\n" and done.seconds < 3


@pytest.mark.parametrize("command", ["exit 3", "exec true", "kill -9 $$", "kill -STOP $$", "set -e; false"])
def test_a_shell_that_is_ended_is_begun_anew(command):
    done, after = shell(command, "echo new", time_limit_s=0.5)
    assert done.failed and "finds a new shell" in done.text and after.text == "new\n"


def test_a_syntax_error_does_not_end_the_shell():
    _, bad, after = shell("X=3", "if then 'a", "echo $X")
    assert "syntax error" in bad.text or "unexpected" in bad.text
    assert after.text == "3\n"


def test_tools_whose_program_is_killed_are_lost_and_started_anew():
    lost, after = shell("kill -9 $PPID", "echo new")
    assert isinstance(lost, ToolsLost) and after.text == "new\n"


def test_the_middle_of_a_long_output_is_left_out():
    (done,) = shell("echo first; yes | head -c 3000000; echo last", max_output=1000)
    assert done.text.startswith("first\ny\n") and done.text.endswith("y\nlast\n")
    assert "\n[... 2999011 bytes left out ...]\n" in done.text and len(done.text) < 1100


def test_an_endless_output_is_bounded_in_time_and_size():
    (done,) = shell("yes", time_limit_s=0.5)
    assert done.failed and done.seconds < 3 and len(done.text) < 40_000


FORGED = r"""
for fd in 1 2 3 10 11 12; do
    for word in ended ended-0; do printf '%s 0\n\036%s{"status": 0}\036%s\n' $word $word $word >&$fd; done
done 2>/dev/null
for tty in /dev/pts/*; do echo forged > $tty; done 2>/dev/null
(exit 5)
"""


def test_what_is_printed_cannot_end_a_call():
    done, after = shell(FORGED, "echo after")
    assert done.text.endswith("[exit status 5]") and after.text == "after\n"


def test_no_command_sees_a_descriptor_of_the_tools():
    (done,) = shell("ls /proc/self/fd | tr '\\n' ' '")
    assert done.text.split() == ["0", "1", "2", "3"]  # 3 is the folder itself


def test_long_commands_and_any_text_arrive_as_they_are():
    text = "ünï\t'\"\\$`\n" * 3000
    (done,) = shell(f"wc -c <<'EOF'\n{text}EOF")
    assert done.text.strip() == str(len(text.encode()))


def test_python_keeps_its_variables_and_shows_the_last_value():
    done = python(
        "x = 3\nprint('set')", "x + 1", "1/0", "def f():\n    return x\nf()", "import sys; sys.exit(4)", "x"
    )
    assert [each.text for each in done[:2]] == ["set\n", "4\n"] and done[3].text == done[5].text == "3\n"
    assert "ZeroDivisionError" in done[2].text and "execute" not in done[2].text
    assert done[4].text == "[exit status 4]"


def test_an_interpreter_that_hangs_or_ends_is_begun_anew():
    done = python("while True: pass", "1", "import os; os._exit(3)", "2", time_limit_s=1.0)
    assert [each.failed for each in done] == [True, False, True, False] and done[3].text == "2\n"


def test_files_are_made_read_and_changed():
    made, changed, gone = use(
        EditFile(),
        {"path": "a/b.txt", "old_text": "", "new_text": "one\ntwo\nthree\n"},
        {"path": "a/b.txt", "old_text": "two\n", "new_text": "2\n"},
        {"path": "a/b.txt", "old_text": "two", "new_text": "2"},
    )
    assert made.text == "made a/b.txt (14 bytes)" and changed.text == "changed a/b.txt at line 2"
    assert gone.failed and "is not in the file" in gone.text


@pytest.mark.parametrize(
    ("old", "why"),
    [("o", "stands there 2 times"), ("", "is there already"), ("x", "is not in the file")],
)
def test_only_exactly_one_text_is_replaced(old, why):
    _, done = use(
        EditFile(),
        {"path": "a", "old_text": "", "new_text": "foo"},
        {"path": "a", "old_text": old, "new_text": "b"},
    )
    assert done.failed and why in done.text


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("nope", "No such file"),
        (".", "is a folder"),
        ("/dev/zero", "is not a file"),
        ("a\0b", "null"),
        ("/usr/bin/python3", "text"),
    ],
)
def test_what_is_no_text_file_is_an_error(path, why):
    (done,) = use(ReadFile(), {"path": path})
    assert done.failed and why in done.text


def test_a_name_that_no_file_can_have_ends_no_tools():
    async def work():
        async with workbench() as bench:
            await Shell().call(bench, command="kept=1")
            done = await EditFile().call(bench, path="a\0b/c", old_text="", new_text="x")
            return done, await Shell().call(bench, command="echo $kept")

    done, kept = asyncio.run(work())
    assert done.failed and "null" in done.text and kept.text == "1\n"


def test_half_a_surrogate_pair_is_told_to_no_provider():
    given = ReadFile().arguments('{"path": "nope\\uD800", "lines": 3}')
    assert given == {"path": "nope\ufffd", "lines": 3}
    assert ReadFile().arguments('{"path": "\\ud83d\\ude42"}') == {"path": "\N{SLIGHTLY SMILING FACE}"}


def test_a_long_file_is_read_in_parts():
    async def work():
        async with workbench() as bench:
            await Shell().call(bench, command="seq 1 5000 > long; mkfifo fifo")
            first = await ReadFile().call(bench, path="long", lines=2)
            middle = await ReadFile().call(bench, path="long", first_line=4999)
            beyond = await ReadFile().call(bench, path="long", first_line=5001)
            fifo = await ReadFile().call(bench, path="fifo")
            return first.text, middle.text, beyond.text, fifo.text

    first, middle, beyond, fifo = asyncio.run(work())
    assert first == "1\n2\n[lines 1 to 2 of 5000]" and middle == "4999\n5000\n[lines 4999 to 5000 of 5000]"
    assert "has 5000 lines" in beyond and "is not a file" in fifo


FACTOR = 3


def scaled(numbers: list[int], by: int = FACTOR) -> list[int]:
    """Multiply numbers.

    by: the factor
    """
    print("scaling")
    return [times(number, by) for number in numbers]


def times(a, b):
    return a * b


def fails(why: str) -> str:
    """Fail."""
    raise ValueError(why)


def test_a_function_of_the_author_runs_in_the_sandbox():
    (done,) = use(FunctionTool(scaled), {"numbers": [1, 2]})
    assert done.text == "[3, 6]\n[printed]\nscaling\n" and not done.failed
    assert FunctionTool(scaled).tool.name == "scaled" and repr(FunctionTool(scaled)) == "scaled"


def test_what_a_function_raises_is_an_error_for_the_model():
    (done,) = use(FunctionTool(fails), {"why": "no"})
    assert done.failed and done.text == "ValueError: no"


def test_a_function_that_the_sandbox_cannot_have_is_told_of_when_the_test_is_loaded():
    from testing.language.test_tool_functions import get_weather

    with pytest.raises(NodeError, match="dataclass"):
        FunctionTool(get_weather)
    for function, why in (
        (paints, "color is of the type Color"),
        (waits, "times is of the type datetime"),
        (marks, "numbers is a set"),
        (later, "not async"),
    ):
        with pytest.raises(NodeError, match=why):
            FunctionTool(function)
    assert FunctionTool(takes_json).tool.name == "takes_json"


class Color(enum.Enum):
    RED = "red"


class Place(TypedDict, total=False):
    name: str
    at: list[float]


def paints(color: Color) -> str:
    """Paint."""
    return str(color)


def waits(times: list[dict[str, datetime.datetime]]) -> str:
    """Wait."""
    return str(times)


def marks(numbers: set[int]) -> str:
    """Mark."""
    return str(numbers)


async def later(number: int) -> int:
    """Wait."""
    return number


def takes_json(
    kind: Literal["a", "b"],
    place: Place | None = None,
    pair: tuple[int, str] = (1, ""),
    many: Sequence[dict[str, Any]] = (),
    more: dict | None = None,
    text: Annotated[str, "any"] = "",
) -> Any:
    """Take all that is JSON."""


def test_a_call_s_main_argument():
    assert main_argument(ToolCall("1", "shell", '{"n": 1, "command": "ls"}')) == "ls"
    assert main_argument(ToolCall("1", "shell", "{")) == main_argument(ToolCall("1", "shell", "[]")) == ""


def test_a_call_takes_at_most_5_ms_more_than_bash_itself():
    async def work():
        async with workbench() as bench:
            took = []
            for _ in range(40):
                begun = time.monotonic()
                await Shell().call(bench, command="true")
                took.append(time.monotonic() - begun)
            return statistics.median(took)

    assert asyncio.run(work()) < 0.005
