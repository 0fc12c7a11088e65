# ruff: noqa: E501 - programs read best in one piece
"""Files can be written and read back, and no name, link or trap leads elsewhere."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from assay.conformance.sandboxes.suite import cases, in_time, raises, use
from assay.errors import NodeError
from assay.records import Sandbox
from assay.sandboxes.backends.registry import Backend


async def files_land_in_the_work_directory_and_stay(sandbox: Sandbox) -> None:
    files = {"a.txt": b"A", "deep/er/b.bin": bytes(range(256)), "./c.txt": b"C"}
    result = await sandbox.run(["bash", "-c", "cat a.txt c.txt; pwd; wc -c < deep/er/b.bin"], files=files)
    assert result.stdout.split()[0] == b"AC" + os.fsencode(result.stdout.split()[0][2:])
    assert result.stdout.split()[-1] == b"256"
    data = await sandbox.read_file("deep/er/b.bin")
    assert data == bytes(range(256))
    await sandbox.run(["true"], files={"a.txt": b"other"})
    data = await sandbox.read_file("a.txt")
    assert data == b"other"


async def a_big_file_arrives_whole(sandbox: Sandbox) -> None:
    content = os.urandom(1 << 20) * 9
    await sandbox.run(["true"], files={"big": content})
    data = await sandbox.read_file("big")
    assert data == content


async def a_program_may_change_files_it_was_given(sandbox: Sandbox) -> None:
    result = await sandbox.run(
        ["bash", "-c", "echo more >> f && rm g && cat f"], files={"f": b"some ", "g": b""}
    )
    assert result.stdout == b"some more\n"


@cases("name", ["../x", "/etc/x", "a/../../x", "", "a//b", "..", "x\0y", "a/", "n" * 300])
async def names_that_leave_the_work_directory_are_refused(sandbox: Sandbox, name: str) -> None:
    with raises(NodeError):
        await sandbox.run(["true"], files={name: b"x"})
    with raises(NodeError):
        await sandbox.start(["true"], files={name: b"x"})
    with raises(NodeError):
        await sandbox.read_file(name)
    result = await sandbox.run(["echo", "alive"])
    assert result.stdout == b"alive\n"


TRAPS = {
    "link": "ln -s /etc/passwd out",
    "link to a file of its own": "echo x > real; ln -s real out",
    "fifo": "mkfifo out",
    "directory": "mkdir out",
    "hard link": "echo x > real; ln real out",
    "big": "head -c 2000 /dev/zero > out",
    "socket": "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"out\")'",
}


@cases("trap", TRAPS)
async def reading_a_trap_back_is_refused_at_once(sandbox: Sandbox, trap: str) -> None:
    await sandbox.run(["bash", "-c", TRAPS[trap]])
    started = time.monotonic()
    with raises(NodeError):
        await sandbox.read_file("out", max_bytes=1000)
    in_time(time.monotonic() - started, 2)


async def reading_what_is_not_there(sandbox: Sandbox) -> None:
    for name in ("nothing", "no/thing"):
        with raises(FileNotFoundError):
            await sandbox.read_file(name)


async def an_unreadable_file_is_an_error_of_the_node(sandbox: Sandbox) -> None:
    who = await sandbox.run(["bash", "-c", "echo x > out; chmod 000 out; id -u"])
    if who.stdout == b"0\n":
        return  # root reads everything
    with raises(NodeError):
        await sandbox.read_file("out")


async def planted_links_are_not_followed_when_files_are_written(sandbox: Sandbox) -> None:
    with tempfile.TemporaryDirectory(prefix="assay-conformance-") as outside:
        victim = Path(outside) / "victim"
        victim.write_text("untouched")
        plant = f"echo old > target; ln -s target main.py; mkfifo pipe; mkdir in; ln -s in folder; ln -s {outside} outside"
        await sandbox.run(["bash", "-c", plant])
        result = await sandbox.run(
            ["cat", "main.py", "pipe", "target"], files={"main.py": b"new ", "pipe": b"file "}
        )
        assert result.stdout == b"new file old\n"
        for name in ("folder/x", "outside/victim"):
            with raises(NodeError):
                await sandbox.run(["true"], files={name: b"x"})
        with raises(NodeError):
            await sandbox.run(["true"], files={"in": b"x"})
        with raises(NodeError):
            await sandbox.read_file("outside/victim")
        assert victim.read_text() == "untouched"


# No chmod -R: its system call, fchmodat2, is refused by the filter of an older docker.
LOOK = "find . ~ -mindepth 1 -printf '%P %y %#m %l %TY\\n' | sort; "
LOOK += "chmod 700 shut; chmod 700 shut/in; chmod 600 shut/in/f; cat a/b shut/in/f"


def all_files_of_one_sandbox_can_be_handed_on_to_another(backend: Backend) -> None:
    prepare = "mkdir -p a e; echo 1 > a/b; chmod 705 a; ln -s a/b l; mkfifo p; touch -d 2001-01-01 a/b; echo h > ~/h"
    prepare += "; mkdir -p shut/in; echo s > shut/in/f; chmod 0 shut/in/f shut/in shut ."

    async def fill(sandbox: Sandbox) -> tuple[bytes, bytes]:
        await sandbox.run(["sh", "-c", f"{prepare}; :"])
        data = await sandbox.pack()
        await sandbox.run(["rm", "p"])
        return data, (await sandbox.run(["bash", "-c", LOOK])).stdout

    data, looked = use(backend, fill)

    async def take(sandbox: Sandbox) -> bytes:
        await sandbox.unpack(data)
        return (await sandbox.run(["bash", "-c", LOOK])).stdout

    taken = use(backend, take)
    assert taken == looked and b"l l 0777 a/b" in looked and b"2001" in looked
    assert b"shut d 0" in looked and looked.endswith(b"1\ns\n")


@cases(
    "tree",
    [
        b"l 511 0 6 4\nwork/a/tmpf 420 0 22 1\nwork/a/a-forged-file-bx",  # a link, and then a file through it
        b"f 420 0 7 1\nwork/..x",
        b"f 420 0 10 1\nwork//etc/x",
        b"f 420 0 6 99\nwork/ax",
        b"nonsense",
        b"f 420 0 6 1\nelse/ax",
    ],
)
async def a_forged_tree_is_refused_or_stays_in_its_folder(sandbox: Sandbox, tree: bytes) -> None:
    with raises(NodeError):
        await sandbox.unpack(tree)
    result = await sandbox.run(["sh", "-c", "test -e /tmp/a-forged-file-b || test -e ../x"])
    assert result.returncode == 1


@cases(
    "trap",
    ["for i in $(seq 80); do mkdir d; cd d; done", "for i in 1 2 3; do truncate -s 60M big$i; done"],
)
async def what_is_too_deep_or_too_much_is_not_handed_on(sandbox: Sandbox, trap: str) -> None:
    await sandbox.run(["bash", "-c", trap])
    with raises(NodeError):
        await sandbox.pack()
