"""What a program leaves in memory for good does not take the agent along; the raised limit stays bounded."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

import pytest

from assay.records import Limits, Sandbox
from assay.sandboxes.agent import kernel, quick
from assay.sandboxes.attacks.cases import EMPTY_FILES
from assay.sandboxes.attacks.runner import program
from assay.sandboxes.limits.cgroups import MOST, ROOM, Cgroups
from testing.sandboxes.conftest import probed, use

KEPT = {
    "empty files": ["sh", "-c", EMPTY_FILES],
    "shared memory": ["sh", "-c", f'python3 -c "$1"; {EMPTY_FILES}', "sh", program("shared_memory")],
}


@pytest.mark.slow(3)
@pytest.mark.parametrize("kind", KEPT)
def test_memory_that_outlives_its_program_leaves_the_agent_alive(isolated, kind):
    async def work(sandbox: Sandbox) -> None:
        for _ in range(3):
            result = await sandbox.run(KEPT[kind], time_limit_s=3)
            assert result.out_of_memory or result.timed_out or result.returncode == 3
            alive = await sandbox.run(["/bin/sh", "-c", "echo $((6 * 7))"])
            assert alive.stdout == b"42\n"

    use(isolated, work, Limits(memory=64 << 20, processes=64))


def test_the_agents_code_stays_in_memory(isolated):
    """Or a flood of files would leave no room to read it back, and the agent would be killed."""

    async def work(sandbox: Sandbox) -> None:
        found = await sandbox.run(["sh", "-c", "ulimit -l; grep VmLck /proc/1/status /proc/self/status"])
        allowed, agents, commands = found.stdout.split(b"\n")[:3]
        if allowed == b"unlimited" or int(allowed) >= 8192:
            assert int(agents.split()[-2]) > 4096
        assert int(commands.split()[-2]) == 0

    use(isolated, work)


LOCKED = """
import ctypes, kernel, resource
kernel.Kernel().keep_code()
loose = 0
for line in open("/proc/self/smaps"):
    words = line.split()
    if "-" in words[0] and not words[0].endswith(":"):
        libc = "/libc." in words[-1]
    elif libc and words[0] == "VmFlags:" and "wr" not in words and "lo" not in words:
        loose += 1
print(resource.getrlimit(resource.RLIMIT_MEMLOCK)[0], loose)
"""


def test_all_that_can_be_forgotten_of_the_c_library_is_locked(isolated):
    """Python's code and constants alone are nearly as large as what may be locked."""
    files = {"main.py": LOCKED.encode(), "kernel.py": Path(kernel.__file__).read_bytes()}
    files["assay/sandboxes/agent/quick.py"] = Path(quick.__file__).read_bytes()

    async def work(sandbox: Sandbox) -> None:
        found = await sandbox.run(["python3", "main.py"], files=files)
        allowed, loose = found.stdout.split()
        assert int(loose) == 0 or 0 <= int(allowed) < 8 << 20, found.output

    use(isolated, work)


LAYOUTS = {
    "version 2": ("memory.max", "memory.current", None),
    "version 1": ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.memsw.limit_in_bytes"),
}


@pytest.fixture(params=LAYOUTS)
def group(request, tmp_path):
    """A cgroup's files, standing for the kernel's: not every machine has both versions."""
    for name, content in zip(LAYOUTS[request.param], (1 << 30, 0, 1 << 30), strict=True):
        if name:
            (tmp_path / name).write_text(f"{content}\n")
    (tmp_path / "memory.stat").write_text("anon 5\nactive_file 0\ninactive_file 0\n")
    limit, used, swap = LAYOUTS[request.param]
    return tmp_path, tmp_path / limit, tmp_path / used, tmp_path / swap if swap else None


def test_the_limit_is_raised_only_when_too_little_is_free(group):
    folder, limit, used, swap = group
    room = Cgroups([Path("/no/such/folder"), folder])
    used.write_text(str((1 << 30) - ROOM))
    room.make_room()
    assert int(limit.read_text()) == 1 << 30
    used.write_text(str((1 << 30) - ROOM + 1))
    room.make_room()
    assert int(limit.read_text()) == (1 << 30) + ROOM
    assert swap is None or int(swap.read_text()) == (1 << 30) + ROOM


def test_files_that_the_kernel_can_forget_are_free(group):
    folder, limit, used, _ = group
    used.write_text(str(1 << 30))
    (folder / "memory.stat").write_text(f"active_file {ROOM // 2}\ninactive_file {ROOM // 2}\n")
    Cgroups([folder]).make_room()
    assert int(limit.read_text()) == 1 << 30


def test_an_attacker_gains_no_more_than_the_bound(group):
    folder, limit, used, _ = group
    room = Cgroups([folder])
    for _ in range(100):
        used.write_text(limit.read_text())
        room.make_room()
    assert int(limit.read_text()) == (1 << 30) + MOST


def test_without_a_limit_there_is_nothing_to_raise(tmp_path):
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("1\n")
    Cgroups([tmp_path]).make_room()
    assert (tmp_path / "memory.max").read_text() == "max\n"


def test_the_agent_is_not_offered_in_its_commands_place(isolated):
    """For the fork it is, since that is inherited; no command may run before it has taken that back."""

    async def work(sandbox: Sandbox) -> None:
        for _ in range(20):
            scores = await sandbox.run(["cat", "/proc/1/oom_score_adj", "/proc/self/oom_score_adj"])
            agents, commands = map(int, scores.stdout.split())
            assert agents < commands

    use(isolated, work)


# Until there are as many different scores as the argument says, if that is soon.
SCORES = """
for i in 1 2 3 4 5 6 7 8 9; do
    found=$(cat /proc/[0-9]*/oom_score_adj | sort -nu)
    [ $(echo "$found" | wc -l) -ge $1 ] && break
    sleep 0.0$i
done
echo "$found"
"""


def test_a_process_stands_before_the_agent_for_the_kernel_to_kill(isolated):
    """Or the agent would be the last one left when a program has filled the memory for good."""

    async def work(sandbox: Sandbox) -> None:
        kinds = 2 + isolated.limited  # the agent, the commands, and between them the spare process
        for _ in range(2):
            found = await sandbox.run(["sh", "-c", SCORES, "sh", str(kinds)])
            assert len(found.stdout.split()) == kinds, found.output

    use(isolated, work)


DEFENCELESS = """
import time
open("/proc/self/oom_score_adj", "w").write("0")
while int(open("/proc/1/oom_score_adj").read()) < 1000: time.sleep(0.01)
held = []
while True: held.append(bytearray(8 << 20))
"""


def offer(pid: int) -> None:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has been killed
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000")


@pytest.mark.skipif(os.getuid() != 0, reason="only root may offer an agent to the kernel")
@pytest.mark.parametrize("name", ["bubblewrap+host", "bubblewrap+image"])
def test_a_program_that_takes_the_agent_along_was_out_of_memory(name):
    """A container's cgroup is gone before its end is seen."""

    async def work(sandbox: Sandbox) -> None:
        running = asyncio.ensure_future(sandbox.run(["python3", "-c", DEFENCELESS]))
        while not running.done():
            offer(sandbox._channel.pid)
            await asyncio.sleep(0.01)
        result = await running
        assert result.out_of_memory or not backend.limited, result

    backend = probed(name)
    use(backend, work, Limits(memory=64 << 20))
