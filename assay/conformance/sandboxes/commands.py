# ruff: noqa: E501 - programs read best in one piece
"""What a command gets, and what it returns."""

from __future__ import annotations

import asyncio
import os

from assay.conformance.sandboxes.suite import cases, python, run, shell
from assay.records import Sandbox
from assay.sandboxes.backends.registry import Backend


def output_is_stdout_followed_by_stderr(backend: Backend) -> None:
    result = shell(backend, "echo one; echo two >&2; echo three")
    assert (result.stdout, result.stderr, result.returncode) == (b"one\nthree\n", b"two\n", 0)
    assert result.output == "one\nthree\ntwo\n" and not (result.timed_out or result.truncated)


def every_byte_value_comes_back_unchanged(backend: Backend) -> None:
    program = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data); sys.stderr.buffer.write(data)"
    everything = bytes(range(256)) * 700  # more than a pipe holds
    result = python(backend, program, stdin=everything)
    assert result.stdout == everything and result.stderr == everything


@cases("script, code", [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", -9), ("kill -SEGV $$", -11)])
def exit_codes_and_signals(backend: Backend, script: str, code: int) -> None:
    result = shell(backend, script)
    assert result.returncode == code


def a_missing_command_is_a_result(backend: Backend) -> None:
    result = run(backend, ["no-such-command-anywhere"])
    assert result.returncode == 127 and b"no-such-command-anywhere" in result.stderr


def a_file_that_is_no_program_is_a_result(backend: Backend) -> None:
    result = run(backend, ["./data"], files={"data": b"\0\0"})
    assert result.returncode == 126 and b"data" in result.stderr


def a_program_that_ignores_its_stdin_is_no_error(backend: Backend) -> None:
    result = run(backend, ["true"], stdin=b"x" * (4 << 20))
    assert result.returncode == 0


def stdin_is_empty_unless_given(backend: Backend) -> None:
    result = run(backend, ["cat"])
    assert result.stdout == b""


def resources_are_reported(backend: Backend) -> None:
    result = python(backend, "x = bytearray(60 << 20)\nfor _ in range(3000000): pass")
    assert 0.01 < result.cpu_seconds <= result.seconds + 0.5
    assert 50 << 20 < result.max_rss < 400 << 20


def the_environment_is_clean(backend: Backend) -> None:
    before = dict(os.environ)
    os.environ["OPENAI_API_KEY"] = "sk-secret"
    try:
        result = shell(backend, "env; cat /proc/self/environ", env={"GIVEN": "yes", "LANG": "C"})
    finally:
        os.environ.clear()
        os.environ.update(before)
    assert (
        b"sk-secret" not in result.stdout and b"GIVEN=yes" in result.stdout and b"LANG=C\n" in result.stdout
    )


def arguments_are_passed_literally(backend: Backend) -> None:
    words = ["a b", "$HOME", "é\n", "", "'\"", "--"]
    result = run(backend, ["python3", "-c", "import sys; print(sys.argv[1:])", *words])
    assert result.stdout.decode() == f"{words!r}\n"


async def one_command_at_a_time_others_wait(sandbox: Sandbox) -> None:
    both = await asyncio.gather(*(sandbox.run(["sh", "-c", f"sleep 0.1; echo {n}"]) for n in range(3)))
    assert [result.stdout for result in both] == [b"0\n", b"1\n", b"2\n"]


def the_work_directory_is_the_agreed_one(isolated: Backend) -> None:
    result = shell(isolated, "pwd; echo $HOME; echo x > $HOME/f && echo x > /tmp/f && cat $HOME/f")
    assert result.stdout == b"/usr/src/app\n/home/assay\nx\n"


def the_work_directory_belongs_to_the_program(backend: Backend) -> None:
    result = shell(backend, 'test "$(stat -c %u .)" = "$(id -u)" && echo mine')
    assert result.stdout == b"mine\n"
