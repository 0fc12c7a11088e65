"""What the author of a package's sandbox did wrong is told at once, with class, method, file and line."""

from __future__ import annotations

import asyncio
import gc
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay import BashRun, LLMRun, SubstringEvaluator, blocking
from assay.cli import doctor
from assay.config import Config
from assay.errors import SandboxMistake, SandboxUnavailable
from assay.extensions import extensions
from assay.records import Limits
from assay.results.causes import of_error
from assay.sandboxes.backends import checked_backend, registry
from assay.sandboxes.pool import open_pool
from evaluator import run_test

PLUGIN = """
from dataclasses import replace
from assay.records import ExecResult

class Room:
    tier = "mine"
    def __init__(self): self.says = b"works\\n"
    async def run(self, argv, **options): return ExecResult(self.says, b"", 0)
    async def start(self, argv, *, files={}, env={}): ...
    async def read_file(self, path, *, max_bytes=0): raise FileNotFoundError(path)
    async def pack(self, only=()): return None
    async def unpack(self, data): ...
    async def close(self): ...

class Mine:
    name = "mine"
    isolated = True
    tier = "mine"
    room = Room
    def state(self): return ""
    async def probe(self, known={}): return {}
    async def open(self, limits, run_id): return self.room()
    async def remove_leftovers(self): return 0
    async def image_id(self): return ""

"""
BACKENDS = [  # a method of a class Wrong(Mine), and what is said of it
    ("def state(self): return None", "Wrong.state() (HERE) must return a text, '' where nothing can change"),
    (
        "async def state(self): pass",
        "Wrong.state() (HERE) must not be asynchronous; declare it as `def state(",
    ),
    (
        "async def probe(self, known={}): pass",
        "Wrong.probe() (HERE) must return a dict of texts that are worth",
    ),
    (
        "async def probe(self): return {}",
        "Wrong.probe() (HERE) cannot be called: too many positional arguments",
    ),
    ("async def probe(self): return {}", "declare it as `async def probe(self, known={})`"),
    (
        "def tier(self): return 'mine'",
        "Wrong.tier() (HERE) is a method, and must be a property: put @property",
    ),
    ("tier = 'yours'", "Wrong.tier() is 'yours'; it must begin with 'mine', the sandbox's name"),
    ("def lowered(self, limits): pass", "Wrong.lowered() (HERE) must return Limits, not None"),
    (
        "def lowered(self, limits): return replace(limits, memory=8 << 30)",
        "Wrong.lowered() (HERE) raises memory from 2,147,483,648 to 8,589,934,592; it may only lower",
    ),
    ("def open(self, limits, run_id): return Room()", "Wrong.open() (HERE) must be asynchronous; declare it"),
    (
        "async def open(self, limits, run_id): return super().open(limits, run_id)",
        "Wrong.open() (HERE) must return a Sandbox, not a coroutine; is an `await` missing?",
    ),
    (
        "async def open(self, limits, run_id): it = Room(); it.inner = super().open(1, 2); return it",
        "Wrong.open() (HERE) returned a Room whose inner is a coroutine; is an `await` missing?",
    ),
    (
        "async def open(self, limits, run_id): return super().open(limits, run_id).room",
        "Wrong.open() (HERE) raised AttributeError: 'coroutine' object has no attribute 'room'; is an `aw",
    ),
]
ROOMS = [  # of its sandboxes
    (
        "pack = property()",
        "Mine.open() (assay_erring.py:22) returned a Wrong, which is not a Sandbox: it lacks pack",
    ),
    ("tier = 'yours'", "Wrong.tier() is 'yours'; it must begin with 'mine'"),
    ("async def run(self, argv, **options): pass", "Wrong.run() (HERE) must return an ExecResult, not None"),
    (
        "async def run(self, argv, **options): return super().run(argv)",
        "Wrong.run() (HERE) must return an ExecResult, not a coroutine; is an `await` missing?",
    ),
    (
        "async def run(self, argv, **options): return ExecResult('works', b'', 0)",
        "Wrong.run() (HERE) must return an ExecResult whose stdout is bytes, not 'works'",
    ),
    (
        "async def run(self, argv, **options): return ExecResult(b'', b'', '0')",
        "Wrong.run() (HERE) must return an ExecResult whose returncode is int | None, not '0'",
    ),
    (
        "async def run(self, argv): return await super().run(argv)",
        "declare it as `async def run(self, argv, **options)`",
    ),
    (
        "async def read_file(self, path): pass",
        "Wrong.read_file() (HERE) cannot be called: got an unexpected keyword argument 'max_bytes'; dec",
    ),
]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with the sandbox `mine`; the file of its code."""
    info = tmp_path / "its_name-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-name\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[assay.sandboxes]\nmine = assay_erring:Wrong\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    extensions.cache_clear()
    yield tmp_path / "assay_erring.py"
    extensions.cache_clear()
    sys.modules.pop("assay_erring", None)


def choosing(file: Path, code: str, line: int) -> str:
    """What is said when the sandbox is chosen. `line`: of the code, called HERE."""
    file.write_text(PLUGIN + code)
    with pytest.raises(SandboxMistake) as caught:
        asyncio.run(registry.choose("mine", fresh=True))
    said = str(caught.value)
    del caught
    gc.collect()  # a coroutine that nobody awaited
    assert said.startswith("the sandbox 'mine' of the package its-name 1.0 cannot be used: ")
    assert said.count("cannot be used") == 1 and "if it is yours, see docs/extending.md" in said
    return said.replace(f"assay_erring.py:{PLUGIN.count(chr(10)) + line}", "HERE")


@pytest.mark.parametrize(("method", "said"), BACKENDS)
@pytest.mark.filterwarnings("ignore:coroutine")
def test_a_mistake_in_a_backend_is_told_when_it_is_chosen(package: Path, method: str, said: str) -> None:
    assert said in choosing(package, f"class Wrong(Mine):\n    {method}\n", 2)


@pytest.mark.parametrize(("method", "said"), ROOMS)
def test_a_mistake_in_its_sandboxes_is_told_too(package: Path, method: str, said: str) -> None:
    code = f"class Wrong(Room):\n    {method}\nMine.room, Wrong = Wrong, Mine\n"
    assert said in choosing(package, code, 2)


def test_doctor_has_a_row_for_it(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package.write_text(f"{PLUGIN}class Wrong(Mine):\n    async def probe(self, known): pass\n")
    monkeypatch.setattr(doctor, "names", lambda: ("mine",))
    (row,) = asyncio.run(doctor.sandboxes(Config())).rows
    assert row[:2] == ("mine", "no") and "must return a dict of texts" in str(row[3])


def test_in_a_run_it_is_the_sandboxs_fault_and_what_the_protocol_allows_passes(package: Path) -> None:
    package.write_text(f"{PLUGIN}class Wrong(Mine): pass\n")

    async def main() -> None:
        async with open_pool("mine", limits=Limits()) as pool:
            sandbox = await pool.acquire()
            with pytest.raises(FileNotFoundError):
                await sandbox.read_file("x")
            with pytest.raises(
                SandboxMistake, match=re.escape("Room.pack() (assay_erring.py:11) must return b")
            ) as its:
                await sandbox.pack()
            assert of_error(its.value, str(its.value)).cause == "sandbox"
            with pytest.raises(SandboxMistake, match=r"Room\.start\(\) .* must return a Terminal, not None"):
                await sandbox.start(["sh"])

    asyncio.run(main())


def test_what_a_terminal_gives_is_looked_at_too(package: Path) -> None:
    package.write_text(
        f"""{PLUGIN}from assay.records import TerminalOutput
class Typed:
    async def send(self, data): raise KeyError(data)
    async def read_until(self, marker, *, time_limit_s=20.0): return TerminalOutput("$ ")
    async def close(self): ...
class Wrong(Room):
    async def start(self, argv, *, files={{}}, env={{}}): return Typed()
Mine.room, Wrong = Wrong, Mine
"""
    )

    async def main() -> None:
        async with open_pool("mine", limits=Limits()) as pool:
            terminal = await (await pool.acquire()).start(["sh"])
            with pytest.raises(SandboxMistake, match=r"Typed\.send\(\) \(assay_erring\S+ raised KeyError"):
                await terminal.send(b"ls")
            with pytest.raises(
                SandboxMistake,
                match=r"Typed\.read_until\(\) .* must return a TerminalOutput whose data is bytes, not '\$ '",
            ):
                await terminal.read_until(b"$")
            await terminal.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (
            "async def close(self): import asyncio; await asyncio.sleep(1000)",
            "Wrong.close() (assay_erring.py:27) did not end within 0.05 s",
        ),
        (
            "async def close(self): raise SystemExit(3)",
            "Wrong.close() (assay_erring.py:27) raised SystemExit: 3",
        ),
        (
            "async def close(self): raise TimeoutError",
            "Wrong.close() (assay_erring.py:27) raised TimeoutError",
        ),
    ],
)
def test_a_sandbox_that_does_not_close_is_told(
    package: Path, monkeypatch: pytest.MonkeyPatch, method: str, said: str
) -> None:
    monkeypatch.setattr(checked_backend, "CLOSE_TIME_LIMIT_S", 0.05)
    package.write_text(f"{PLUGIN}class Wrong(Room):\n    {method}\nMine.room, Wrong = Wrong, Mine\n")

    async def main() -> None:
        async with open_pool("mine", limits=Limits()) as pool:
            await (await pool.acquire()).close()

    with pytest.raises(SandboxMistake, match=re.escape(said)):
        asyncio.run(main())


def test_a_verdict_outlives_a_sandbox_that_does_not_close(package: Path) -> None:
    package.write_text(
        f"""{PLUGIN}class Wrong(Room):
    async def run(self, argv, **options):
        self.ran = "main.sh" in str(argv)
        return ExecResult(b"[]", b"", 0) if argv[0] == "python3" else await super().run(argv)
    async def close(self): assert not getattr(self, "ran", False)
Mine.room, Wrong = Wrong, Mine
"""
    )

    def says_it(messages: object) -> str:
        return "printf works"

    test = "Say works in bash." >> LLMRun() >> BashRun() >> SubstringEvaluator("works")
    with pytest.warns(UserWarning, match=r"raised AssertionError.*; it may still be open"):
        assert run_test(test, says_it, sandbox="mine")


def test_a_sandbox_that_blocks_is_told_once(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocking, "STEP_S", 0.01)
    monkeypatch.setattr(blocking, "SAID_S", 0.03)
    package.write_text(
        f"""{PLUGIN}import time
class Wrong(Room):
    async def run(self, argv, **options): time.sleep(0.02); return await super().run(argv)
Mine.room, Wrong = Wrong, Mine
"""
    )

    async def main() -> None:
        async with open_pool("mine", limits=Limits()) as pool:
            for _ in range(4):
                await (await pool.acquire()).run(["true"])

    its = (
        r"^the sandbox 'mine' of the package .* blocked the event loop for 0\.\d s in Wrong\.run\(\) \(assay"
    )
    with pytest.warns(UserWarning, match=its) as told:
        asyncio.run(main())
    assert len(told) == 1


def test_the_skeleton_of_the_page_opens_and_works(package: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/extending.md").read_text("utf-8")
    (block,) = (
        text for text in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "class Own:" in text
    )
    package.write_text(f"{block}\nWrong = Own\n".replace('"own"', '"mine"'))

    async def main() -> None:
        async with open_pool("mine") as pool:
            one, other = await pool.acquire(), await pool.acquire()
            ran = await one.run(["sh", "-c", "cat a; echo done > b"], files={"a": b"hi"})
            await other.unpack(await one.pack())
            assert (ran.stdout, await other.read_file("b"), one.tier) == (b"hi", b"done\n", "mine")
            with pytest.raises(FileNotFoundError):
                await one.read_file("none")
            terminal = await one.start(["echo", "there"])
            await terminal.close()

    try:
        asyncio.run(main())
    except SandboxUnavailable as error:
        pytest.skip(str(error))
