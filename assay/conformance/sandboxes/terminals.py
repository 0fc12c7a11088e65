# ruff: noqa: E501 - programs read best in one piece
"""Interactive programs on a terminal: input, output up to a marker, and the end."""

from __future__ import annotations

import asyncio
import time

from assay.conformance.sandboxes.suite import in_time
from assay.records import Sandbox


async def a_terminal_talks_back_and_forth(sandbox: Sandbox) -> None:
    program = b"while True:\n    line = input('? ')\n    print('heard', line)\n    if line == 'stop': break\n"
    terminal = await sandbox.start(["python3", "-u", "talk.py"], files={"talk.py": program})
    first = await terminal.read_until(b"? ")
    assert (first.text, first.matched) == ("? ", True)
    await terminal.send(b"hello\n")
    output = await terminal.read_until(b"? ")
    assert output.text == "heard hello\n? "  # no echo, plain line ends
    await terminal.send(b"stop\n")
    last = await terminal.read_until(b"")
    assert (last.text, last.ended, last.matched, last.timed_out) == ("heard stop\n", True, False, False)
    await terminal.send(b"ignored\n")
    output = await terminal.read_until(b"? ")
    assert output.ended
    await terminal.close()


async def a_terminal_is_one(sandbox: Sandbox) -> None:
    script = "test -t 0 && test -t 1 && stty size && stty -a | grep -o -e '-echo\\b' && echo $TERM; tty"
    terminal = await sandbox.start(["bash", "-c", script])
    text = (await terminal.read_until(b"")).text.split()
    assert text[:3] == ["24", "80", "-echo"] and text[3] == "dumb" and text[4].startswith("/dev/")


async def a_marker_is_found_across_writes_and_the_rest_is_kept(sandbox: Sandbox) -> None:
    program = "import time\nfor c in 'one EN': print(c, end='', flush=True); time.sleep(0.01)\nprint('D two END three', end='', flush=True)\ntime.sleep(60)"
    terminal = await sandbox.start(["python3", "-c", program])
    output = await terminal.read_until(b"END")
    assert output.text == "one END"
    output = await terminal.read_until(b"END")
    assert output.text == " two END"
    late = await terminal.read_until(b"END", time_limit_s=0.3)
    assert (late.text, late.timed_out, late.matched, late.ended) == (" three", True, False, False)


async def reading_stops_as_soon_as_the_marker_is_there(sandbox: Sandbox) -> None:
    terminal = await sandbox.start(["bash", "-c", 'while read x; do echo "<$x>"; done'])
    started = time.monotonic()
    for n in range(20):
        await terminal.send(b"%d\n" % n)
        output = await terminal.read_until(b">\n")
        assert output.text == f"<{n}>\n"
    in_time(time.monotonic() - started, 2)


async def a_long_last_word_is_not_lost(sandbox: Sandbox) -> None:
    terminal = await sandbox.start(["python3", "-c", "print('x' * 50000 + 'end')"])
    got = await terminal.read_until(b"")
    assert len(got.data) == 50004 and got.data.endswith(b"end\n") and got.ended


async def a_flood_on_the_terminal_is_bounded(sandbox: Sandbox) -> None:
    terminal = await sandbox.start(["yes"])
    flood = await terminal.read_until(b"never", time_limit_s=1.0)
    assert flood.timed_out and len(flood.data) < 4 << 20
    result = await sandbox.run(["echo", "alive"])
    assert result.stdout == b"alive\n"


async def control_characters_reach_the_program(sandbox: Sandbox) -> None:
    terminal = await sandbox.start(["cat"])
    await terminal.send(b"line\n\x04")
    got = await terminal.read_until(b"")
    assert got.ended and got.data == b"line\n"
    asleep = await sandbox.start(["bash", "-c", "echo up; sleep 60"])
    await asleep.read_until(b"up\n")
    await asleep.send(b"\x03")
    output = await asleep.read_until(b"", time_limit_s=5)
    assert output.ended


async def a_program_that_cannot_be_started_says_so_on_its_terminal(sandbox: Sandbox) -> None:
    got = await (await sandbox.start(["no-such-program"])).read_until(b"> ", time_limit_s=5)
    assert got.ended and "no-such-program" in got.text


async def interactive_programs_survive_commands_and_end_with_close(sandbox: Sandbox) -> None:
    first = await sandbox.start(
        [
            "bash",
            "-c",
            '(while :; do sleep 0.05; echo x >> beat; done) & while read l; do echo "got $l"; done',
        ]
    )
    second = await sandbox.start(["cat"])
    await sandbox.run(["sh", "-c", "sleep 60 & true"])
    await sandbox.run(["sleep", "60"], time_limit_s=0.2)
    await first.send(b"1\n")
    output = await first.read_until(b"\n")
    assert output.text == "got 1\n"
    await second.send(b"two\n")
    output = await second.read_until(b"\n")
    assert output.text == "two\n"
    await first.close()
    size = len(await sandbox.read_file("beat"))
    await asyncio.sleep(0.3)
    later = len(await sandbox.read_file("beat"))
    assert later == size
    await second.send(b"still\n")
    output = await second.read_until(b"\n")
    assert output.text == "still\n"
    output = await first.read_until(b"x", time_limit_s=2)
    assert output.ended


async def files_and_environment_reach_an_interactive_program(sandbox: Sandbox) -> None:
    terminal = await sandbox.start(["bash", "t.sh"], files={"t.sh": b"echo $X"}, env={"X": "given"})
    output = await terminal.read_until(b"")
    assert output.text == "given\n"
