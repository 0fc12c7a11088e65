# ruff: noqa: E501 - programs read best in one piece
"""Output, memory, processes and disk are bounded, and what exceeds them is a result."""

from __future__ import annotations

import time

from assay.conformance.sandboxes.suite import cases, check, in_time, python, raises, run, shell
from assay.errors import NodeError
from assay.records import OUTPUT_TAIL, Limits, Sandbox
from assay.sandboxes.backends.registry import Backend

FORKS = (
    "import os, time\nmade = 0\n"
    "try:\n"
    "    while made < 1000:\n"
    "        if not os.fork(): time.sleep(60); os._exit(0)\n"
    "        made += 1\n"
    "except OSError: pass\n"
    "print(made)\n"
)
ALL_LEFT = "ps=0; for d in /proc/[0-9]*; do ps=$((ps+1)); done; echo $ps"


def output_beyond_the_cap_loses_its_middle_and_is_marked(backend: Backend) -> None:
    program = "import sys\nfor _ in range(200): sys.stdout.write('x' * 100000)\nsys.stdout.write('y' * OUTPUT_TAIL)\nprint('end'); print('end', file=sys.stderr)"
    result = python(backend, program.replace("OUTPUT_TAIL", str(OUTPUT_TAIL)), Limits(output=1 << 20))
    head = (1 << 20) - OUTPUT_TAIL
    assert result.truncated and len(result.stdout) == 1 << 20 and result.stderr == b"end\n"
    assert result.stdout[:head] == b"x" * head and result.stdout[head:] == b"y" * (OUTPUT_TAIL - 4) + b"end\n"
    assert result.returncode == 0 and "[output cut" in result.output


def the_memory_limit_holds_and_is_reported(isolated: Backend) -> None:
    program = "data = []\nwhile True: data.append(bytearray(8 << 20))"
    result = python(isolated, program, Limits(memory=256 << 20))
    assert result.out_of_memory or b"MemoryError" in result.stderr
    assert not result.timed_out and result.max_rss < 400 << 20


@check(seconds=4)
def memory_split_over_many_processes_counts_together(isolated: Backend) -> None:
    program = (
        "import os, time\n"
        "for _ in range(12):\n"
        "    if not os.fork():\n"
        "        x = bytearray(50 << 20); time.sleep(30)\n"
        "try:\n"
        "    while True: os.wait()\n"
        "except ChildProcessError: pass\n"
    )
    result = python(isolated, program, Limits(memory=256 << 20), time_limit_s=5)
    assert result.out_of_memory


@check(limits=Limits(memory=256 << 20))
async def the_sandbox_lives_on_after_a_memory_bomb(isolated: Sandbox) -> None:
    await isolated.run(["python3", "-c", "x = []\nwhile True: x.append(bytearray(8 << 20))"])
    again = await isolated.run(["echo", "alive"])
    assert again.stdout == b"alive\n" and not again.out_of_memory


@check(seconds=2, limits=Limits(processes=64))
async def a_fork_bomb_is_contained_and_cleared(isolated: Sandbox) -> None:
    bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    started = time.monotonic()
    result = await isolated.run(["python3", "-c", bomb], time_limit_s=1.0)
    assert result.timed_out
    in_time(time.monotonic() - started - result.waited_seconds, 6)
    left = await isolated.run(["bash", "-c", ALL_LEFT])
    assert int(left.stdout) <= 4  # the agent, this shell, and an engine's own init


def the_number_of_processes_is_limited(isolated: Backend) -> None:
    result = python(isolated, FORKS, Limits(processes=64))
    assert 30 < int(result.stdout) < 80


@check(seconds=3, limits=Limits(processes=64))
async def a_fork_bomb_beside_an_interactive_program_is_cleared_alone(isolated: Sandbox) -> None:
    bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    terminal = await isolated.start(["cat"])
    started = time.monotonic()
    result = await isolated.run(["python3", "-c", bomb], time_limit_s=1.0)
    assert result.timed_out
    in_time(time.monotonic() - started - result.waited_seconds, 6)
    result = await isolated.run(["bash", "-c", ALL_LEFT])
    assert int(result.stdout) <= 5
    await terminal.send(b"still\n")
    output = await terminal.read_until(b"\n")
    assert output.text == "still\n"


@check(limits=Limits(processes=32))
async def commands_that_cannot_be_started_for_lack_of_processes_say_so(isolated: Sandbox) -> None:
    hog = "import os, time\ntry:\n    while os.fork(): pass\nexcept OSError: print('full', flush=True)\ntime.sleep(60)"
    terminal = await isolated.start(["python3", "-c", hog])
    await terminal.read_until(b"full")
    result = await isolated.run(["echo", "hi"])
    assert result.stdout == b"hi\n" or (result.returncode == 126 and result.stderr)
    await terminal.close()
    result = await isolated.run(["echo", "hi"])
    assert result.stdout == b"hi\n"


@cases("folder", [".", "/tmp", "$HOME", "/dev/shm"])
def the_disk_is_limited(isolated: Backend, folder: str) -> None:
    script = f"cd {folder}; for i in 1 2 3 4; do head -c 20000000 /dev/zero > fill$i || break; done; cat fill* | wc -c"
    result = shell(isolated, script, Limits(disk=32 << 20))
    assert 16 << 20 < int(result.stdout.split()[-1]) <= 32 << 20
    assert b"No space left" in result.stderr or b"too large" in result.stderr


@check(seconds=3)
async def lower_limits_of_its_own_are_those_that_a_program_meets(isolated: Sandbox) -> str:
    own, usual = getattr(isolated, "limits", Limits()), Limits()
    lower = [
        each
        for each in ("memory", "processes", "disk", "output")
        if getattr(own, each) < getattr(usual, each)
    ]
    if "memory" in lower:
        program = f"data = []\nfor _ in range({(own.memory >> 20) + 64}): data.append(b'x' * (1 << 20))\nprint('all of it')"
        result = await isolated.run(["python3", "-c", program])
        assert b"all of it" not in result.stdout, f"a program had more than its {own.memory} bytes of memory"
    if "processes" in lower:
        made = int((await isolated.run(["python3", "-c", FORKS])).stdout)
        assert made <= own.processes, f"a program had {made} processes, more than its {own.processes}"
    if "disk" in lower:
        script = f"head -c {own.disk + (1 << 20)} /dev/zero > fill; stat -c %s fill; rm fill"
        size = int((await isolated.run(["sh", "-c", script])).stdout)
        assert size <= own.disk, f"a program wrote {size} bytes, more than its {own.disk} of disk"
    if "output" in lower:
        result = await isolated.run(["python3", "-c", f"print('x' * {own.output + 100_000})"])
        assert len(result.stdout) <= own.output, (
            f"{len(result.stdout)} bytes of output, more than its {own.output}"
        )
    return "; ".join(f"{each} {getattr(own, each):,}" for each in lower) or "it lowers none"


def files_that_do_not_fit_are_refused_and_no_output(isolated: Backend) -> None:
    with raises(NodeError):
        run(isolated, ["echo", "ran"], Limits(disk=4 << 20), files={"big": bytes(8 << 20)})
