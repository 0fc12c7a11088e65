"""Every attack against every sandbox, and proof that an attack which succeeds is noticed."""

from __future__ import annotations

import asyncio
import subprocess
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from assay.conformance import forgeries
from assay.conformance.sandboxes import suite
from assay.errors import NodeError, SandboxError
from assay.records import ExecResult, Limits, Sandbox, TerminalOutput
from assay.sandboxes.attacks import runner
from assay.sandboxes.attacks.cases import ATTACKS
from assay.sandboxes.attacks.runner import Arena, Attack, Breach, Late
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.backends.unsafe_local import UnsafeLocal
from assay.sandboxes.client import file_name

# They last until a limit ends them.
SLOW = {"fork bomb", "spread memory bomb", "endless loop", "small files", "lasting memory"}


def marked(attack):
    marks = pytest.mark.slow(4) if attack.name in SLOW else ()
    return pytest.param(attack, id=attack.name, marks=marks)


@pytest.mark.parametrize("attack", [marked(attack) for attack in ATTACKS])
def test_the_attack_is_repelled(isolated, attack):
    result = asyncio.run(runner.run_one(isolated, attack))
    words = f"the limits asked for were {runner.LIMITS}; a variant may lower them, not raise them"
    assert result.passed, f"{attack.name}: {result.outcome} ({words})"
    assert result.tier == isolated.tier and result.outcome and result.seconds > 0


@pytest.mark.parametrize("forgery", forgeries.FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forged_verdict_is_not_believed(isolated, forgery):
    result = asyncio.run(forgeries.run_one(isolated, forgery))
    assert result.passed, f"{forgery.name}: {result.outcome}"


def test_a_verdict_that_was_forged_is_noticed(monkeypatch):
    monkeypatch.setattr(forgeries, "program", lambda name: "def f(x): return {1: 4, 2: 16}[x]")
    knows = forgeries.Forgery("knows", "know the answer", forgeries._python("any"))

    async def run() -> runner.AttackResult:
        backend = Bubblewrap(Path("/"))
        await backend.probe()
        return await forgeries.run_one(backend, knows)

    result = asyncio.run(run())
    assert not result.passed and result.outcome.startswith("pass")


# Those that do no harm where they succeed.
@pytest.mark.parametrize("name", ["host files", "network"])
def test_without_a_sandbox_the_attack_succeeds_and_is_noticed(name):
    async def attack() -> runner.AttackResult:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            backend = UnsafeLocal()
            await backend.probe()
        return (await runner.run_all(backend, [name]))[0]

    result = asyncio.run(attack())
    assert not result.passed and ("read" in result.outcome or "got through" in result.outcome)


def attempt(steps, backend=None):
    """The result of an attack of our own making."""

    async def run() -> runner.AttackResult:
        chosen = backend or Bubblewrap(Path("/"))
        await chosen.probe()
        return await runner.run_one(chosen, Attack("own", "test", steps))

    return asyncio.run(run())


async def harmless(arena: Arena) -> str:
    return "nothing done"


def test_a_harmless_attack_passes():
    assert attempt(harmless).passed


def test_a_killed_process_of_the_host_is_noticed():
    async def steps(arena: Arena) -> str:
        arena.bait.victim.kill()
        arena.bait.victim.wait()
        return ""

    assert "a process of the host was killed" in attempt(steps).outcome


def test_a_changed_file_of_the_host_is_noticed():
    async def steps(arena: Arena) -> str:
        arena.bait.secret_file.write_text("other")
        return ""

    assert "was changed" in attempt(steps).outcome


def test_a_planted_file_is_noticed():
    async def steps(arena: Arena) -> str:
        (arena.bait.folder / "planted").touch()
        return ""

    assert "new files" in attempt(steps).outcome


def test_a_connection_to_the_host_is_noticed():
    async def steps(arena: Arena) -> str:
        _, writer = await asyncio.open_connection("127.0.0.1", arena.bait.tcp_port)
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(0.05)
        return ""

    assert "the host was reached" in attempt(steps).outcome


def test_a_process_that_is_left_behind_is_noticed(monkeypatch):
    monkeypatch.setattr(runner, "VANISH_S", 0.3)
    left: list[subprocess.Popen[bytes]] = []

    async def steps(arena: Arena) -> str:
        leave(arena.token)
        return ""

    def leave(token: str) -> None:
        left.append(subprocess.Popen(["sleep", "60"], env={"ATTACK": token, "PATH": "/usr/bin:/bin"}))

    try:
        result = attempt(steps)
    finally:
        for process in left:
            process.kill()
            process.wait()
    assert not result.passed and f"process {left[0].pid}" in result.outcome


def test_a_sandbox_that_stays_open_is_noticed(monkeypatch):
    monkeypatch.setattr(runner, "VANISH_S", 0.3)

    class Leaky(Bubblewrap):
        spare: Sandbox

        async def open(self, limits: Limits, run_id: str) -> Sandbox:
            if run_id == "attack":
                self.spare = await super().open(limits, run_id)
            return await super().open(limits, run_id)

    backend = Leaky(Path("/"))

    async def run() -> runner.AttackResult:
        await backend.probe()
        result = await runner.run_one(backend, Attack("own", "test", harmless))
        await backend.spare.close()
        return result

    result = asyncio.run(run())
    assert not result.passed and "left behind: cgroup" in result.outcome


def test_a_sandbox_that_breaks_is_no_success():
    async def steps(arena: Arena) -> str:
        await arena.sandbox.close()
        return ""

    result = attempt(steps)
    assert not result.passed and "SandboxError" in result.outcome


def test_control_that_comes_back_late_is_noticed(monkeypatch):
    monkeypatch.setattr(runner, "GRACE_S", -1.0)

    async def steps(arena: Arena) -> str:
        await arena.shell("sleep 60", time_limit_s=0.2)
        return ""

    assert "after the time limit" in attempt(steps).outcome


@pytest.mark.parametrize(
    ("fault", "times", "tries", "outcome"),
    [
        (Late("slow"), 1, 2, "repelled"),
        (Late("slow"), 9, 2, "slow, twice; the load of this machine was 999.0 (cores: "),
        (SandboxError("broke"), 1, 2, "repelled, at the second try; at the first: broke; the load of this "),
        (SandboxError("broke"), 9, 2, "SandboxError: broke, at the second try; at the first: broke; the"),
        (Breach("stolen"), 1, 1, "stolen"),
    ],
)
def test_what_is_late_or_breaks_is_tried_once_more(monkeypatch, fault, times, tries, outcome):
    """A busy machine looks alike; a breach is one wherever it is."""
    monkeypatch.setattr("os.getloadavg", lambda: (999.0, 0.0, 0.0))
    began = []

    async def steps(arena: Arena) -> str:
        began.append(arena)
        if len(began) <= times:
            raise fault
        return "repelled"

    def check(backend):
        asyncio.run(steps(backend))

    result, tried = attempt(steps), len(began)
    assert result.outcome.startswith(outcome) and tried == tries
    assert result.verdict == ("held" if outcome.startswith("repelled") else "FAILED")
    if isinstance(fault, Late):
        began.clear()
        (one,) = suite._checks("one", check, False)
        again = suite.attempt("one", "", "", lambda: one.holds(None))
        assert (again.passed, len(began)) == (result.passed, 2)
        assert again.passed or again.outcome == result.outcome


def test_a_breach_is_told_in_its_own_words():
    async def steps(arena: Arena) -> str:
        raise Breach("it flew away")

    result = attempt(steps)
    assert (result.passed, result.outcome, result.name, result.aim) == (False, "it flew away", "own", "test")


def test_a_compiler_without_memory_decides_nothing(monkeypatch):
    """The values that a check wants are computed before the program runs: killed there, no program passes."""

    async def killed(*args):
        raise NodeError(
            "make_c_test: the expected values could not be computed: [killed: memory limit reached]"
        )

    monkeypatch.setattr("assay.language.c_checks.rights", killed)
    (macros,) = (each for each in forgeries.FORGERIES if each.name == "macros")

    async def main():
        backend = Bubblewrap(Path("/"))
        await backend.probe()
        return await forgeries.run_one(backend, macros)

    result = asyncio.run(main())
    assert result.outcome.startswith("too little memory")
    assert (result.passed, result.verdict) == (True, "not tried")


class Bare:
    """A backend, and its sandbox and terminal, in which every command but the shell's `echo` ends at once."""

    tier = "bare"

    def __init__(self, ends: ExecResult) -> None:
        self.ends = ends

    async def open(self, limits: Limits, run_id: str) -> Bare:
        return self

    async def run(self, argv, *, files=(), time_limit_s=0, env=()) -> ExecResult:
        for name in files:
            file_name(name)
        return replace(self.ends, stdout=b"42\n", returncode=0) if argv[0] == "/bin/sh" else self.ends

    async def start(self, argv, *, env=()) -> Bare:
        return self

    async def read_until(self, marker: bytes, *, time_limit_s: float) -> TerminalOutput:
        return TerminalOutput(self.ends.stderr, ended=True)

    async def close(self) -> None:
        pass


NO_PYTHON = ExecResult(b"", b"python3: not found", 127)
NO_MODULE = ExecResult(b"", b"%sTraceback:\nImportError: no libffi\n" % runner.BEGAN, 1)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
@pytest.mark.parametrize(
    ("ends", "said"),
    [(NO_PYTHON, "python3: not found"), (NO_MODULE, "no libffi"), (ExecResult(b"", b"", 1), "said nothing")],
    ids=["no python", "no module", "nothing"],
)
def test_a_sandbox_holds_only_against_what_ran(attack, ends, said):
    result = asyncio.run(runner.run_one(Bare(ends), attack))
    assert result.verdict == "not tried" and said in result.outcome


def test_what_was_not_tried_did_not_hold(monkeypatch):
    """A forgery that the sandbox lacks a compiler for, an attack that its kind rules out, and a check."""
    backend, quotas = Bubblewrap(Path("/")), next(each for each in ATTACKS if each.name == "quotas")

    async def main():
        await backend.probe()
        monkeypatch.setattr("assay.sandboxes.pool.Pool.missing", lambda *args: lacks())
        monkeypatch.setattr(Bubblewrap, "own_users", False, raising=False)
        return [
            await forgeries.run_one(backend, forgeries.FORGERIES[0]),
            await runner.run_one(backend, quotas),
        ]

    async def lacks():
        return ["g++>=14"]

    def check():
        raise runner.NotTried("no sandbox here")

    results = [*asyncio.run(main()), suite.attempt("check", "", "", check)]
    assert [each.verdict for each in results] == ["not tried"] * 3
    assert "lacks g++>=14" in results[0].outcome and results[2].outcome == "no sandbox here"
    assert runner.summary([attempt(harmless), *results]) == "1 of 4 held, 3 not tried."
