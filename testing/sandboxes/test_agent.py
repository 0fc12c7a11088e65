"""The agent and its wire: a dead, stuck, forged or misplaced agent is noticed, never believed."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import NodeError, SandboxError
from assay.records import Limits, Sandbox
from assay.sandboxes import agent, client, wire
from assay.sandboxes.agent import frames, processes
from assay.sandboxes.backends import unsafe_local
from assay.sandboxes.backends.unsafe_local import UnsafeLocal
from assay.sandboxes.client import AgentSandbox, Channel, connect
from assay.sandboxes.process import Process
from assay.sandboxes.wire import AgentSettings
from testing.sandboxes.conftest import probed, use


@given(st.lists(st.binary(max_size=300)))
def test_fields_survive_packing(fields):
    assert frames.unpack(frames.pack(fields)) == fields


@given(st.binary(max_size=200))
def test_unpacking_anything_gives_fields_or_a_value_error(data):
    with contextlib.suppress(ValueError):
        assert frames.pack(frames.unpack(data)) == data


def test_a_seal_holds_for_one_frame_in_one_place():
    key = bytes(32)
    ours, theirs = frames.Seal(key, b"to-host:"), frames.Seal(key, b"to-host:")
    first = ours.of(b"body")
    assert theirs.of(b"body") == first and theirs.of(b"body") != first  # replayed
    assert frames.Seal(key, b"to-host:").of(b"bodies") != first
    assert frames.Seal(key, b"to-sbox:").of(b"body") != first
    assert frames.Seal(bytes(31) + b"x", b"to-host:").of(b"body") != first


def test_the_agent_runs_on_python_3_9_without_anything_installed():
    sent: set[str] = set()
    for module in agent.MODULES:
        tree = ast.parse((Path(agent.__file__).parent / f"{module}.py").read_text(), feature_version=(3, 9))
        for name in imported(tree):
            assert name in sent or name.split(".")[0] in sys.stdlib_module_names, f"{module} imports {name}"
        sent.add(f"{agent.__name__}.{module}")


def test_the_agent_imports_nothing_that_takes_long():
    start = "; ".join(f"import {agent.__name__}.{module}" for module in agent.MODULES)
    words = "print(*{'os', 'ctypes', 'enum', 'signal', 'hashlib', 'subprocess'} & {*sys.modules})"
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r}); {start}; {words}"
    said = subprocess.run([sys.executable, "-ISc", code], capture_output=True, text=True, check=True)
    assert said.stdout == "\n"


def imported(tree: ast.Module) -> Iterator[str]:
    """What a module imports when it runs, not what only the type checker sees."""
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_every_module_of_the_agent_is_sent():
    folder = Path(agent.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", *agent.MODULES}


@pytest.fixture
def another_python(monkeypatch):
    """The host's Python is of another version than those in sandboxes."""
    monkeypatch.setattr(wire.importlib.util, "MAGIC_NUMBER", b"another")
    monkeypatch.setattr(wire, "_learned", {})
    wire._compiled_here.cache_clear()
    yield
    wire._compiled_here.cache_clear()


def test_the_agent_runs_from_its_source_where_the_python_is_another(another_python, tmp_path):
    assert asyncio.run(_says_hi(AgentSettings(Limits(), work_dir=str(tmp_path)))) == b"hi\n"
    assert not wire._learned, "nobody knows what kind of sandbox that was"


def test_what_one_sandbox_has_compiled_serves_the_next_of_its_kind_and_no_other(
    another_python, monkeypatch, tmp_path
):
    said: list[int] = []

    def learn(kind: str, compiled: list[bytes]) -> None:
        said.append(len(compiled))
        wire.learn(kind, compiled)

    monkeypatch.setattr(client, "learn", learn)
    for kind in ("one", "one", "other"):
        settings = AgentSettings(Limits(), work_dir=str(tmp_path), kind=kind)
        assert asyncio.run(_says_hi(settings)) == b"hi\n"
    everything = 1 + len(agent.MODULES)
    assert said == [everything, 0, everything]


@pytest.mark.parametrize("said", [[], [b"tag"], [b"tag"] * 40])
def test_an_agent_that_says_something_else_is_not_learned_from(said, monkeypatch):
    monkeypatch.setattr(wire, "_learned", {})
    wire.learn("one", said)
    wire.learn("", [b"tag"] * (1 + len(agent.MODULES)))
    assert not wire._learned


async def _says_hi(settings: AgentSettings) -> bytes:
    sandbox = await _talk_to(None, settings, 10)
    try:
        return (await sandbox.run(["echo", "hi"])).stdout
    finally:
        await sandbox.close()


def descendants_of_ours() -> Iterator[int]:
    """The agents that this process has started, by the deepest process of each."""
    table, agents = processes.processes(), set()
    for pid in processes.descendants(table, [os.getpid()]):
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
        if (
            b"_frozen_importlib_external" in words
            and words.startswith((b"python", b"/"))
            and b"bwrap" not in words
            and table[pid][0] not in agents  # else: its spare process
        ):
            agents.add(pid)
            yield pid


@pytest.fixture(params=["bubblewrap+host", "unsafe_local"])
def local(request):
    """The backends whose agent is a process of this machine that a test can get at."""
    return probed(request.param)


def test_a_dead_agent_is_an_error_at_once(local):
    async def work(sandbox: Sandbox) -> None:
        running = asyncio.create_task(sandbox.run(["sleep", "30"]))
        await asyncio.sleep(0.2)
        (pid,) = descendants_of_ours()
        os.kill(pid, signal.SIGKILL)
        started = time.monotonic()
        with pytest.raises(SandboxError, match="agent inside has ended"):
            await running
        with pytest.raises(SandboxError):
            await sandbox.run(["true"])
        assert time.monotonic() - started < 2

    use(local, work)


@pytest.mark.slow(2)
def test_a_stuck_agent_is_a_timeout_and_then_an_error(local):
    async def work(sandbox: Sandbox) -> None:
        (pid,) = descendants_of_ours()
        started = time.monotonic()
        running = asyncio.create_task(sandbox.run(["sleep", "30"], time_limit_s=0.5))
        await asyncio.sleep(0.2)
        os.kill(pid, signal.SIGSTOP)
        result = await running
        assert result.timed_out and result.returncode is None and time.monotonic() - started < 5
        with pytest.raises(SandboxError, match="not over 1 s after its time limit"):
            await sandbox.run(["true"])

    use(local, work)


def test_nothing_is_left_of_a_command_whose_agent_was_killed():
    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["sh", "-c", "echo up; setsid sleep 14142 & sleep 14142"])
        await terminal.read_until(b"up")
        (pid,) = descendants_of_ours()
        os.kill(pid, signal.SIGKILL)

    use(probed("unsafe_local"), work)
    assert not [pid for pid in processes.processes() if b"14142" in _words(pid)]


FORKS = """
import os
if not os.fork():
    os.setsid(); os.kill(os.getpid(), 19)
os.waitpid(-1, os.WUNTRACED)
os.write(1, b"!")
os.read(0, 1)
"""


def test_what_an_agent_that_gave_up_has_forked_and_stopped_is_ended_too(monkeypatch):
    """A fork that is not a program yet has the agent's environment, and no signal of its parent's death."""
    monkeypatch.setattr(unsafe_local, "agent_command", lambda python: [python, "-c", FORKS, "17320"])

    async def give_up() -> None:
        folder = unsafe_local._Folder()
        await folder.start()
        await folder.reader.read(1)
        await folder.kill()

    asyncio.run(give_up())
    assert not [pid for pid in processes.processes() if b"17320" in _words(pid)]


def _words(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


# ---------------------------------------------------------------- agents that are not ours

IMPOSTORS = {
    "silent": ("import time; time.sleep(60)", "no answer within"),
    "gone": ("", "agent inside has ended"),
    "chatty": ("print('hello' * 1000)", "cannot be trusted"),
    "forging": (
        "import sys; b = b'\\0\\0\\0\\x010\\0\\0\\0\\x05hello'\n"
        "sys.stdout.buffer.write(len(b).to_bytes(4, 'big') + bytes(16) + b); sys.stdout.flush()\n"
        "sys.stdin.read()",
        "forged",
    ),
}


async def _talk_to(program: str, settings: AgentSettings, limit_s: float = 1.0) -> AgentSandbox:
    command = [sys.executable, "-c", program] if program is not None else wire.agent_command(sys.executable)
    channel = OfAProcess()
    channel.process = Process(command)
    channel.reader, channel.writer = await channel.process.output(), await channel.process.input()
    return await connect(channel, settings, "test", open_limit_s=limit_s)


class OfAProcess(Channel):
    process: Process

    async def kill(self) -> None:
        await self.process.end()


@pytest.mark.parametrize("impostor", IMPOSTORS)
def test_an_impostor_is_not_believed(impostor):
    program, words = IMPOSTORS[impostor]
    with pytest.raises(SandboxError, match=words):
        asyncio.run(_talk_to(program, AgentSettings(Limits(), work_dir="/")))


@pytest.mark.parametrize(
    "expected", [{"expect_pid": 1}, {"expect_uid": 4711}], ids=["not pid 1", "another user"]
)
def test_an_agent_that_is_not_where_it_should_be_is_refused(expected, tmp_path):
    settings = AgentSettings(Limits(), work_dir=str(tmp_path), **expected)
    with pytest.raises(SandboxError, match="not isolated as asked"):
        asyncio.run(_talk_to(None, settings, 10))


def test_commands_run_as_another_user_where_the_agent_may_change_it(tmp_path):
    if os.getuid() != 0:
        pytest.skip("only root may change its user")
    tmp_path.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    os.chown(work, 4711, 4711)
    for folder in (tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o755)

    async def main() -> None:
        settings = AgentSettings(Limits(), work_dir=str(work), child_uid=4711, expect_uid=0)
        sandbox = await _talk_to(None, settings, 10)
        try:
            assert (sandbox.hello.uid, sandbox.hello.child_uid) == (0, 4711)
            script = "id -u; id -G; grep CapPrm /proc/self/status; cat f; echo mine > g; chmod 600 g"
            result = await sandbox.run(["sh", "-c", script], files={"f": b"given\n"})
            assert result.stdout.split() == [b"4711", b"4711", b"CapPrm:", b"0" * 16, b"given"]
            assert await sandbox.read_file("g") == b"mine\n"
            terminal = await sandbox.start(["id", "-u"])
            assert (await terminal.read_until(b"")).text == "4711\n"
        finally:
            await sandbox.close()

    asyncio.run(main())
    assert (work / "f").stat().st_uid == 4711


def test_a_request_no_agent_could_take_is_refused_before_it_is_sent(monkeypatch):
    async def work(sandbox: Sandbox) -> None:
        for argv in ([], [""], ["a\0b"]):
            with pytest.raises(NodeError):
                await sandbox.run(argv)
        with pytest.raises(NodeError, match="environment"):
            await sandbox.run(["true"], env={"A=B": "x"})
        assert (await sandbox.run(["echo", "alive"])).stdout == b"alive\n"

    use(UnsafeLocal(), work)


def test_the_time_limit_and_its_grace_are_what_the_page_says():
    assert client.GRACE_S == 1.0
