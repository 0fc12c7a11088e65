"""The attacks: each a program that a model might write, and how to tell that it failed."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from assay.errors import NodeError
from assay.home import docs_page
from assay.records import ExecResult
from assay.sandboxes.attacks.runner import (
    BEGIN,
    LIMITS,
    NOT_FOUND,
    TIME_LIMIT_S,
    Arena,
    Attack,
    Bait,
    Breach,
    Late,
    NotTried,
    not_run,
    program,
)
from assay.sandboxes.backends import container

READ_LIMIT_S = 2.0  # for reading a trap back
# In shell: it needs almost no memory itself, and leaves nothing when it is killed.
EMPTY_FILES = "i=0; while :; do i=$((i+1)); : > f$$-$i || exit 3; done"


def _words(result: ExecResult) -> str:
    """How a program ended, for the table."""
    if result.out_of_memory:
        return "killed at the memory limit"
    if result.timed_out:
        return "killed at its time limit"
    if result.returncode == -9:
        return "killed"
    return f"ended with {result.returncode}"


def _refuse(result: ExecResult, forbidden: Mapping[str, str]) -> None:
    """Raises Breach if the output has a word that only a success prints, or if the program broke."""
    if result.returncode != 0:
        raise Breach(f"the attack itself failed: {result.output[-300:]!r}")
    for word, meaning in forbidden.items():
        if word in result.output:
            raise Breach(f"{meaning}: {result.output[:300]!r}")


# ---------------------------------------------------------------- using up the machine


async def fork_bomb(arena: Arena) -> str:
    result = await arena.python("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass")
    count = await arena.shell("n=0; for d in /proc/[0-9]*; do n=$((n + 1)); done; echo $n")
    if not result.timed_out and result.returncode != -9:  # by the clock, or by who counts processes
        raise Breach(f"it was not killed, but {_words(result)}")
    if int(count.stdout) > 4:
        raise Breach(f"{count.stdout.decode().strip()} processes are left in the sandbox")
    return f"{_words(result)}, none left"


async def memory_bomb(arena: Arena) -> str:
    result = await arena.python("x = []\nwhile True: x.append(bytearray(8 << 20))")
    if not (result.out_of_memory or b"MemoryError" in result.stderr):
        raise Breach(f"it was not stopped for its memory, but {_words(result)}")
    if result.max_rss > 2 * LIMITS.memory:
        raise Breach(f"it had {result.max_rss >> 20} MB")
    return f"{_words(result)}, {result.max_rss >> 20} MB"


async def shared_memory_bomb(arena: Arena) -> str:
    result = await arena.python(program("spread_memory_bomb"))
    if not result.out_of_memory:
        raise Breach(f"20 processes of 40 MB each were not noticed; the first {_words(result)}")
    return _words(result)


async def endless_loop(arena: Arena) -> str:
    started = time.monotonic()
    result = await arena.python(program("endless_loop"))
    if not result.timed_out:
        raise Breach(f"it {_words(result)}")
    return f"{_words(result)}, control back after {time.monotonic() - started:.1f} s of {TIME_LIMIT_S:g}"


async def output_flood(arena: Arena) -> str:
    result = await arena.python(
        "import os\nblock = b'x' * (1 << 20)\nfor _ in range(1024): os.write(1, block)", time_limit_s=10
    )
    if not result.truncated or len(result.stdout) > LIMITS.output:
        raise Breach(f"{len(result.stdout)} bytes came through")
    return f"cut at {LIMITS.output >> 10} KB, the program {_words(result)}"


async def disk_fill(arena: Arena) -> str:
    most = 0
    for folder in (".", "/tmp", "$HOME", "/dev/shm", "/var/tmp", "/run", "/dev", "/dev/mqueue"):
        script = (
            f"cd {folder} 2>/dev/null || exit; for i in 1 2 3 4 5 6 7 8; do head -c 8000000 /dev/zero > f$i; "
            "done 2>/dev/null; cat f? 2>/dev/null | wc -c; rm -f f?"
        )
        size = int((await arena.shell(script)).stdout or b"0")
        if size > LIMITS.disk:
            raise Breach(f"{size >> 20} MB could be written to {folder}")
        most = max(most, size)
    if not most:
        raise NotTried("nothing could be written anywhere")
    return f"at most {most >> 20} MB in a folder"


async def small_files(arena: Arena) -> str:
    free = os.statvfs("/").f_ffree
    result = await arena.python(program("small_files"))
    if free - os.statvfs("/").f_ffree > 20_000:
        raise Breach("they use up the host's inodes")
    return f"{_words(result)}, {(result.stdout.split() or [b'0'])[-1].decode()} folders made"


async def lasting_memory(arena: Arena) -> str:
    script = f'python3 -c "$1"; [ $? = {NOT_FOUND} ] && exit {NOT_FOUND}; {EMPTY_FILES}'
    for _ in range(3):
        result = await arena.run(["sh", "-c", script, "sh", BEGIN + program("shared_memory")], TIME_LIMIT_S)
        await arena.alive()
    return f"{_words(result)}; the agent lives"


async def hidden_memory(arena: Arena) -> str:
    result = await arena.python(program("hidden_memory"), str(LIMITS.memory), time_limit_s=5)
    if b"HELD" in result.stdout:
        held = int(result.stdout.split()[-1])
        if held > LIMITS.memory:
            raise Breach(f"it had {held >> 20} MB")
    return _words(result)


async def handles(arena: Arena) -> str:
    result = await arena.python(program("handles"), time_limit_s=5)
    if result.timed_out or result.returncode:  # killed for it
        return _words(result)
    descriptors, threads = (int(word) for word in result.stdout.split())
    if descriptors > 1024 or threads > LIMITS.processes:
        raise Breach(f"{descriptors} descriptors of 1024, {threads} threads of {LIMITS.processes} allowed")
    return f"{descriptors} descriptors, {threads} threads"


async def quotas(arena: Arena) -> str:
    if not getattr(arena.backend, "own_users", True):
        raise NotTried(f"these sandboxes share a user ({docs_page('sandboxes')})")
    neighbour = await arena.backend.open(LIMITS, "attack")
    try:
        terminal = await arena.sandbox.start(
            ["python3", "-c", program("quotas")], env={"ATTACK": arena.token}
        )
        taken = await terminal.read_until(b"full", time_limit_s=10)
        if not taken.matched:
            raise not_run("python3", taken.text)
        result = await replace(arena, sandbox=neighbour).python(program("neighbour"), time_limit_s=10)
    finally:
        await neighbour.close()
    _refuse(result, {"LACKS": "another sandbox is left without"})
    await terminal.close()
    return "another sandbox still has its own"


async def terminal_flood(arena: Arena) -> str:
    terminal = await arena.sandbox.start(["yes"], env={"ATTACK": arena.token})
    got = await terminal.read_until(b"never", time_limit_s=1)
    if b"y\n" not in got.data:
        raise not_run("yes", got.text)
    if not got.timed_out or len(got.data) > 4 * LIMITS.output:
        raise Breach(f"{len(got.data)} bytes came through")
    return f"bounded at {len(got.data) >> 10} KB"


# ---------------------------------------------------------------- outliving


async def daemon(arena: Arena) -> str:
    await arena.python(program("daemon"))
    first = len((await arena.shell("sleep 0.3; cat beat")).stdout)
    await asyncio.sleep(0.3)
    if len((await arena.shell("cat beat")).stdout) != first:
        raise Breach("it survives its command")
    return "killed with its command"


# ---------------------------------------------------------------- looking and breaking out


def refused(
    name: str,
    forbidden: Mapping[str, str],
    outcome: str,
    given: Callable[[Bait], tuple[object, ...]] = lambda bait: (),
    time_limit_s: float = 5,
) -> Callable[[Arena], Awaitable[str]]:
    """A program that gets `given`, and prints a word of `forbidden` if it succeeds."""

    async def steps(arena: Arena) -> str:
        result = await arena.python(program(name), *map(str, given(arena.bait)), time_limit_s=time_limit_s)
        _refuse(result, forbidden)
        return outcome

    return steps


host_files = refused(
    "host_files",
    {"SECRET": "the bait was found", "READ": "files of the host can be read"},
    "nothing of the host found",
    lambda bait: (bait.secret, bait.folder),
)
network = refused(
    "network",
    {"REACHED": "it got through", "RAW": "raw sockets can be opened"},
    "nothing reached, no name resolved",
    lambda bait: (bait.tcp_port, bait.abstract),
    time_limit_s=20,
)
raised = {
    "ROOT": "it became root",
    "SETUID": "programs can raise its rights",
    "WROTE": "it can write outside its folders",
    "DEVICE": "it made a device",
}
privileges = refused("privileges", raised, "no rights gained, nothing written")
system_calls = refused("system_calls", {"CALL": "system calls that no program needs"}, "refused")
core_dump = refused(
    "core_dump",
    {"CORE": "a core dump can be had"},
    "none made; the limit stays",
    lambda bait: (container.core_ulimit(),),
)


async def keys(arena: Arena) -> str:
    forbidden = {arena.bait.secret: "it read the host's key", "KEY": "it saw the host's key"}
    found = "the host's key neither found nor listed" if arena.bait.key else "this host has no keys"
    return await refused("keys", forbidden, found, lambda bait: (bait.key_name, bait.key))(arena)


# ---------------------------------------------------------------- the agent


def survived(name: str, outcome: str) -> Callable[[Arena], Awaitable[str]]:
    """A program after which the agent must still obey."""

    async def steps(arena: Arena) -> str:
        result = await arena.python(program(name))
        await arena.alive()
        return f"{_words(result)}; {outcome}"

    return steps


kill_agent = survived("kill_the_agent", "the agent lives")
kill_everything = survived("kill_everything", "the agent and the host's processes live")


async def forged_results(arena: Arena) -> str:
    result = await arena.python(program("forged_results"))
    if result.returncode != 3 or not result.stdout.endswith(b"honest\n") or b"MEMORY" in result.stdout:
        raise Breach(f"the result is not the program's: {result.output[:200]!r}")
    return "the result is the program's own"


async def trap_outputs(arena: Arena) -> str:
    made = await arena.python(program("trap_outputs"), str(arena.bait.secret_file))
    if made.returncode:
        raise Breach(f"the traps could not be laid: {made.output[:200]!r}")
    names = ("link", "bait", "fifo", "dir", "hard", "huge", "sock", "up/etc/passwd")
    for name in names:
        started = time.monotonic()
        try:
            content = await arena.sandbox.read_file(name, max_bytes=1 << 20)
        except (NodeError, FileNotFoundError):
            pass
        else:
            raise Breach(f"{name} was read: {content[:80]!r}")
        if time.monotonic() - started > READ_LIMIT_S:
            raise Late(f"reading {name} took {time.monotonic() - started:.1f} s")
    return f"{len(names)} kinds refused"


async def path_escapes(arena: Arena) -> str:
    names = (
        "../planted",
        "/tmp/../planted",
        f"{arena.bait.folder}/planted",
        "a/../../planted",
        "..",
        "",
        "a\0b",
    )
    for name in names:
        try:
            await arena.sandbox.run(["true"], files={name: b"planted"})
        except NodeError:
            continue
        raise Breach(f"the file name {name!r} was accepted")
    await arena.shell(f"ln -s /usr/bin link; ln -s {arena.bait.folder} bait; ln -s /tmp/target file")
    for name in ("link/planted", "bait/planted", "link/../planted"):
        try:
            result = await arena.sandbox.run(["true"], files={name: b"planted"})
        except NodeError:
            continue
        if result.returncode in (0, NOT_FOUND):  # files come before the command
            raise Breach(f"a file was written through {name}")
    await arena.sandbox.run(["true"], files={"file": b"own"})
    if (await arena.shell("cat /tmp/target")).stdout:
        raise Breach("a planted link was followed")
    return "all refused; planted links are not followed"


ATTACKS = (
    Attack("fork bomb", "as many processes as possible", fork_bomb),
    Attack("memory bomb", "all memory, in one process", memory_bomb),
    Attack("spread memory bomb", "all memory, in many processes", shared_memory_bomb),
    Attack("endless loop", "never end, ignore every signal", endless_loop),
    Attack("output flood", "a gigabyte on stdout", output_flood),
    Attack("terminal flood", "endless output of an interactive program", terminal_flood),
    Attack("disk fill", "fill every folder that can be written to", disk_fill),
    Attack("small files", "as many files as possible", small_files),
    Attack("lasting memory", "fill the memory with what outlives the program", lasting_memory),
    Attack("hidden memory", "all memory, in ways in which no process has it as its own", hidden_memory),
    Attack("handles", "as many descriptors and threads as possible", handles),
    Attack("quotas", "take from other sandboxes what the kernel counts by user", quotas),
    Attack("daemon", "outlive the command", daemon),
    Attack("host files", "read the host's files, environment and keys", host_files),
    Attack("network", "the host's loopback and abstract sockets, DNS, the internet", network),
    Attack("privileges", "become root, mount, make devices, write to the system", privileges),
    Attack("keys", "the keys that the host's session holds", keys),
    Attack("system calls", "the calls by which kernels are broken", system_calls),
    Attack("core dump", "have the kernel start the host's program for core dumps", core_dump),
    Attack("kill the agent", "signals, limits and tracing against the agent and pid 1", kill_agent),
    Attack("kill everything", "signal every process there is", kill_everything),
    Attack("forged results", "write an answer to every descriptor", forged_results),
    Attack("trap outputs", "links, FIFOs, sockets, folders and huge files as output", trap_outputs),
    Attack("path escapes", "file names that leave the work directory", path_escapes),
)
