"""The pool hands out pristine sandboxes at once, within its bounds, and leaves none behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from assay.config import Config
from assay.errors import ConfigError, SandboxError, SandboxUnavailable
from assay.records import ExecResult, Limits, Sandbox, Standby
from assay.running import wiring
from assay.sandboxes import pool as pools
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.backends.unsafe_local import UnsafeLocal, UnsafeLocalWarning
from assay.sandboxes.pool import Pool, open_pool
from assay.sandboxes.remembered import Remembered
from testing.sandboxes.conftest import probed


@pytest.fixture(autouse=True)
def own_memory(tmp_path, monkeypatch):
    probed("bubblewrap+host")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


class Counting:
    """A real backend that counts what is open, and fails or dies on request."""

    name = "bubblewrap"

    def __init__(self) -> None:
        self.inner = probed("bubblewrap+host")
        self.tier = self.inner.tier
        self.opened = self.open_now = self.most = 0
        self.failing = ""
        self.ahead: list[bool] = []  # of each: whether it was opened with a program that waits

    def state(self) -> str:
        return ""

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        return {}

    async def remove_leftovers(self) -> int:
        return 0

    async def image_id(self) -> str:
        return ""

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        if self.failing:
            raise SandboxError(self.failing)
        self.ahead.append(limits.standby is not None)
        sandbox = await self.inner.open(limits, run_id)
        self.opened += 1
        self.open_now += 1
        self.most = max(self.most, self.open_now)
        close = sandbox.close

        async def closed() -> None:
            if sandbox.close is closed:
                sandbox.close = close
                self.open_now -= 1
            await close()

        sandbox.close = closed
        return sandbox


def pool_of(backend: Counting, ahead: int = 2, max_open: int = 6, max_running: int = 2) -> Pool:
    return Pool(backend, Limits(), ahead, max_open, max_running, "test", 1)


def test_nothing_is_opened_before_the_first_use():
    async def main() -> int:
        backend = Counting()
        pool = pool_of(backend)
        await asyncio.sleep(0.2)
        await pool.close()
        return backend.opened

    assert asyncio.run(main()) == 0


def test_a_pristine_sandbox_is_there_at_once_and_never_used_twice():
    async def main() -> float:
        pool = pool_of(Counting())
        seconds = []
        for _ in range(5):
            await asyncio.sleep(0.3)  # the trial computes; meanwhile the next one opens
            started = time.perf_counter()
            sandbox = await pool.acquire()
            seconds.append(time.perf_counter() - started)
            result = await sandbox.run(["sh", "-c", "ls; echo used > trace"])
            assert result.stdout == b""
            await sandbox.close()
        await pool.close()
        return sorted(seconds[1:])[1]

    assert asyncio.run(main()) < 0.010


def test_a_sandbox_that_never_opens_is_given_up(monkeypatch):
    class Stuck(UnsafeLocal):
        async def open(self, limits: Limits, run_id: str) -> Sandbox:
            await asyncio.sleep(60)
            raise AssertionError

    async def main() -> None:
        pool = Pool(Stuck(), Limits(), 0, 1, 1, "test", 1)
        with pytest.raises(SandboxError, match=r"did not open within 0\.05 s"):
            await pool.acquire()
        await pool.close()

    monkeypatch.setattr("assay.sandboxes.pool.OPEN_LIMIT_S", 0.05)
    asyncio.run(main())


def test_what_a_variant_lowers_is_in_the_limits_name_and_in_its_sandboxes():
    class Small(UnsafeLocal):
        name = "small"

        def lowered(self, limits: Limits) -> Limits:
            return replace(limits, memory=min(limits.memory, 512 << 20), processes=limits.processes // 2)

    async def main(limits: Limits) -> tuple[Limits, Limits]:
        pool = Pool(Small(), limits, 0, 1, 1, "test", 1)
        sandbox = await pool._opened()
        await sandbox.close()
        await pool.close()
        return pool.limits, sandbox.limits

    said, real = asyncio.run(main(Limits("tiny", memory=256 << 20)))
    assert said.profile == "tiny, processes 128" and (real.memory, real.processes) == (256 << 20, 128)
    said, real = asyncio.run(main(Limits()))
    assert said.profile == "default, memory 512 MB, processes 128"
    assert (real.memory, real.processes) == (512 << 20, 128), "lowered once"


def test_a_program_starts_ahead_only_while_a_core_is_free():
    async def main() -> list[bool]:
        backend = Counting()
        limits = Limits(standby=Standby(("cat", "f"), ("sh", "-c", "read x; cat f")))
        pool = Pool(backend, limits, 0, 6, 2, "test", 1)
        one, two = await pool.acquire(), await pool.acquire()
        busy = [asyncio.ensure_future(each.run(["sleep", "1"])) for each in (one, two)]
        await asyncio.sleep(0.2)
        third = await pool.acquire()
        assert not any(each.done() for each in busy)
        assert (await third.run(["cat", "f"], files={"f": b"as usual"})).stdout == b"as usual"
        await asyncio.gather(*busy)
        await pool.acquire()
        await pool.close()
        return backend.ahead

    assert asyncio.run(main()) == [True, True, False, True]


def test_the_bound_on_open_sandboxes_holds_and_nobody_waits_for_ever():
    async def main() -> Counting:
        backend = Counting()
        pool = pool_of(backend, ahead=2, max_open=3)

        async def trial() -> None:
            sandbox = await pool.acquire()
            await sandbox.run(["true"])
            await sandbox.close()

        async with asyncio.timeout(60):
            await asyncio.gather(*(trial() for _ in range(12)))
        await pool.close()
        return backend

    backend = asyncio.run(main())
    assert backend.most <= 3 and backend.open_now == 0 and backend.opened >= 12


def test_the_bound_on_running_commands_holds():
    async def main() -> float:
        pool = pool_of(Counting(), ahead=0, max_running=1)
        sandboxes = [await pool.acquire() for _ in range(3)]
        started = time.monotonic()
        await asyncio.gather(*(sandbox.run(["sleep", "0.3"]) for sandbox in sandboxes))
        elapsed = time.monotonic() - started
        await pool.close()
        return elapsed

    assert asyncio.run(main()) > 0.9


def test_missing_requirements_are_found_once():
    async def main() -> Counting:
        backend = Counting()
        pool = pool_of(backend, ahead=0)
        needs = [
            "sh",
            "no-such-tool",
            "python:json",
            "python:no_such_module",
            "python:os.path",
            "file:/usr/bin",
            "file:/no",
            "python3>=3.2.1",
            "python3>=3.1000",
            "no-such-tool>=1",
        ]
        lacking = ("no-such-tool", "python:no_such_module", "file:/no", "python3>=3.1000", "no-such-tool>=1")
        assert await pool.missing(needs) == lacking
        assert await pool.missing(["sh", "no-such-tool", "no-such-tool"]) == ("no-such-tool",)
        assert await pool.missing([]) == ()
        await pool.close()
        return backend

    assert asyncio.run(main()).opened == 1


def test_a_failure_to_open_reaches_who_waits_and_passes():
    async def main() -> None:
        backend = Counting()
        backend.failing = "no more room"
        pool = pool_of(backend)
        async with asyncio.timeout(20):
            found = await asyncio.gather(*(pool.acquire() for _ in range(8)), return_exceptions=True)
        assert all(isinstance(each, SandboxError) for each in found)
        backend.failing = ""
        async with asyncio.timeout(20):
            sandbox = await pool.acquire()
        await sandbox.close()
        await pool.close()
        assert backend.open_now == 0

    asyncio.run(main())


def test_a_sandbox_that_died_while_it_waited_is_not_handed_out():
    async def main() -> None:
        backend = Counting()
        pool = pool_of(backend, ahead=2)
        first = await pool.acquire()
        await asyncio.gather(*pool._tasks)
        for ready in list(pool._ready._queue):
            await ready._channel.kill()
        second = await pool.acquire()
        assert (await second.run(["echo", "alive"])).stdout == b"alive\n"
        await asyncio.gather(first.close(), second.close())
        await pool.close()
        assert backend.open_now == 0

    asyncio.run(main())


def test_a_cancelled_wait_loses_nothing():
    async def main() -> Counting:
        backend = Counting()
        pool = pool_of(backend, ahead=0, max_open=1)
        held = await pool.acquire()
        waiting = asyncio.create_task(pool.acquire())
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await held.close()
        async with asyncio.timeout(20):
            await (await pool.acquire()).close()
        await pool.close()
        return backend

    assert asyncio.run(main()).open_now == 0


def test_closing_the_pool_closes_what_is_lent_ready_and_coming():
    async def main() -> Counting:
        backend = Counting()
        pool = pool_of(backend, ahead=3)
        sandbox = await pool.acquire()
        running = asyncio.create_task(sandbox.run(["sleep", "30"]))
        await asyncio.sleep(0.05)
        await pool.close()
        with pytest.raises(SandboxError):
            await running
        with pytest.raises(SandboxError, match="pool of sandboxes is closed"):
            await pool.acquire()
        return backend

    assert asyncio.run(main()).open_now == 0


def test_open_pool_says_which_tier_it_has():
    probed("bubblewrap+host")

    async def main() -> tuple[str, ExecResult]:
        async with open_pool("bubblewrap", limits=Limits(processes=100), ahead=1) as pool:
            sandbox = await pool.acquire()
            async with pool.browser:
                return pool.tier, await sandbox.run(["echo", "hi"])

    tier, result = asyncio.run(main())
    assert tier in ("bubblewrap+host", "bubblewrap+image") and result.stdout == b"hi\n"


INTERRUPTED = """
import asyncio
from assay.sandboxes.pool import open_pool

async def main():
    async with open_pool("bubblewrap", ahead=2) as pool:
        sandboxes = [await pool.acquire() for _ in range(3)]
        running = [asyncio.create_task(each.run(["sleep", "22360"], time_limit_s=600)) for each in sandboxes]
        await asyncio.sleep(0.3)
        print("ready", flush=True)
        await asyncio.gather(*running)

asyncio.run(main())
"""


def test_ctrl_c_leaves_no_process_behind():
    probed("bubblewrap+host")
    root = Path(__file__).parents[2]
    victim = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert victim.stdout and victim.stdout.readline() == b"ready\n"
    victim.send_signal(signal.SIGINT)
    victim.wait(timeout=20)
    victim.stdout.close()
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if b"\x0022360" in _read(p)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


# ---------------------------------------------------------------- which backend


def test_an_unknown_sandbox_is_a_configuration_error():
    with pytest.raises(ConfigError, match="choose auto or one of podman, docker, bubblewrap, unsafe_local"):
        asyncio.run(registry.choose("docket"))


def test_no_sandbox_at_all_needs_the_setting_and_warns_every_time():
    with pytest.raises(SandboxUnavailable, match="I_HAVE_BLIND_FAITH"):
        asyncio.run(registry.choose("unsafe_local"))
    for _ in range(2):
        with pytest.warns(UnsafeLocalWarning, match="WITHOUT A SANDBOX"):
            assert asyncio.run(registry.choose("unsafe_local", blind_faith=True)).tier == "unsafe_local"


KILLED = """
import asyncio, os, signal
from assay.records import Limits
from assay.sandboxes.backends.unsafe_local import UnsafeLocal

async def main():
    sandbox = await UnsafeLocal().open(Limits(), "killed")
    await sandbox.start(["sleep", "33131"])
    print(sandbox._channel.path, flush=True)
    os.kill(sandbox._channel.pid, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_what_a_killed_run_without_a_sandbox_leaves_is_removed_and_nothing_else():
    root = Path(__file__).parents[2]
    killed = subprocess.run([sys.executable, "-c", KILLED], cwd=root, capture_output=True, text=True)
    left = Path(killed.stdout.strip())
    assert killed.returncode == -signal.SIGKILL and left.is_dir()

    async def main() -> None:
        living = await UnsafeLocal().open(Limits(), "test")
        try:
            await UnsafeLocal().remove_leftovers()
            assert (await living.run(["true"])).returncode == 0
        finally:
            await living.close()

    asyncio.run(main())
    assert not left.exists()
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if b"\x0033131" in _read(p)]


class Broken:
    tier = "broken"
    probes = 0
    isolated = True

    def __init__(self) -> None:
        self.name = "broken"

    def state(self) -> str:
        return "as it was"

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        type(self).probes += 1
        raise SandboxUnavailable("install the thing")


def test_auto_fails_closed_and_says_what_each_one_needs(monkeypatch):
    monkeypatch.setattr(
        registry, "BACKENDS", {"one": f"{__name__}:Broken", "unsafe_local": f"{__name__}:Broken"}
    )
    with pytest.raises(SandboxUnavailable, match="no sandbox works") as caught:
        asyncio.run(registry.choose("auto"))
    assert str(caught.value).count("install the thing") == 1  # unsafe_local is not even tried


class Works(Broken):
    tier = "works"
    knew: Mapping[str, str] = {}
    stamp = "1"

    def __init__(self) -> None:
        self.name = "works"

    def state(self) -> str:
        return self.stamp

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        type(self).knew = known
        return {"way": "the second"}

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        backend = Bubblewrap(Path("/"))
        await backend.probe()
        return await backend.open(limits, run_id)


def test_auto_takes_the_first_that_works_and_remembers_it(monkeypatch):
    monkeypatch.setattr(registry, "BACKENDS", {"broken": f"{__name__}:Broken", "works": f"{__name__}:Works"})
    Broken.probes = 0
    assert asyncio.run(registry.choose("auto")).tier == "works" and Works.knew == {}
    assert asyncio.run(registry.choose("auto")).tier == "works"
    assert Works.knew["way"] == "the second" and Broken.probes == 1
    asyncio.run(registry.choose("auto", fresh=True))
    assert Works.knew == {} and Broken.probes == 2
    monkeypatch.setattr(Works, "stamp", "2")  # the machine has changed
    asyncio.run(registry.choose("auto"))
    assert Works.knew == {} and Broken.probes == 2
    registry.forget(["works"])
    asyncio.run(registry.choose("auto"))
    assert Works.knew == {}


def test_what_failed_is_tried_again_by_the_next_run(monkeypatch):
    """By name, and by `auto` where nothing else works: only it has another one to take meanwhile."""
    monkeypatch.setattr(registry, "BACKENDS", {"broken": f"{__name__}:Broken"})
    Broken.probes = 0
    for name, probes in (("broken", 1), ("broken", 2), ("auto", 3)):
        with pytest.raises(SandboxUnavailable, match="install the thing"):
            asyncio.run(registry.choose(name))
        assert Broken.probes == probes


def test_one_that_does_not_declare_to_isolate_needs_permission(monkeypatch):
    monkeypatch.setattr(registry, "BACKENDS", {"works": f"{__name__}:Works"})
    monkeypatch.setattr(Works, "isolated", False)
    with pytest.raises(SandboxUnavailable, match=r"works .*isolated = True.* your own rights"):
        asyncio.run(registry.choose("works"))


def test_what_worked_is_tried_again_once_its_class_or_its_options_change(tmp_path, monkeypatch):
    (tmp_path / "assay_other_box.py").write_text(f"from {__name__} import Works\nclass Other(Works): ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "BACKENDS", {"works": "assay_other_box:Other"})
    kind = type(registry.backend("works"))

    def knew() -> bool:
        asyncio.run(registry.choose("works"))
        return bool(kind.knew)

    assert [knew(), knew()] == [False, True]
    os.utime(tmp_path / "assay_other_box.py", (1, 1))
    assert [knew(), knew()] == [False, True]
    monkeypatch.setattr(kind, "options", lambda self: ("--hostname", "b"), raising=False)
    assert [knew(), knew()] == [False, True]


@pytest.mark.parametrize(
    "rubbish",
    [
        "",
        "{",
        "[]",
        '{"key": 1}',
        '{"key": "k", "time": "x", "lasts_s": 1, "found": {}}',
        '{"key": "k"}',
        "null",
    ],
)
def test_a_broken_memory_is_no_memory(tmp_path, rubbish):
    (file := tmp_path / "cache/assay/x.json").parent.mkdir(parents=True)
    file.write_text(rubbish)
    assert Remembered("x").recall("k") is None


def test_an_answer_that_another_user_may_have_written_is_no_memory(tmp_path):
    memory, file = Remembered("x"), tmp_path / "cache/assay/x.json"
    memory.keep({"way": "plain"}, "k")
    assert memory.recall("k") == {"way": "plain"}
    file.chmod(0o620)
    assert memory.recall("k") is None
    if os.geteuid() == 0:
        file.chmod(0o600)
        os.chown(file, 1000, -1)
        assert memory.recall("k") is None


def test_an_answer_is_not_believed_for_ever(monkeypatch):
    memory = Remembered("x")
    memory.keep({"unavailable": "no"}, "k", registry.UNAVAILABLE_S)
    assert memory.recall("k") == {"unavailable": "no"} and memory.recall("other") is None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + registry.UNAVAILABLE_S + 1)
    assert memory.recall("k") is None
    memory.keep({"unavailable": "no"}, "k")
    monkeypatch.setattr(time, "time", lambda: now)
    assert memory.recall("k") is None, "kept in the future: the clock was put back"


def test_a_cache_folder_that_cannot_be_written_does_no_harm(monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(registry, "BACKENDS", {"works": f"{__name__}:Works"})
    assert asyncio.run(registry.choose("auto")).tier == "works"


def test_every_backend_in_the_registry_is_one():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("bubblewrap", "unsafe_local"):
            made = registry.backend(name)
            assert made.name == name and isinstance(made.state(), str)
    assert isinstance(registry.backend("bubblewrap"), Bubblewrap) and os.getpid()


def test_the_pools_of_a_run_share_the_cores(monkeypatch):
    """Samples with other limits, or with a program started ahead, have pools of their own; together they run
    no more commands at once than there are cores, or each would be slower than its time limit supposes."""
    monkeypatch.setattr(wiring, "commands_at_once", lambda limits: 1)
    opener = wiring.open_pool(Config(sandbox="bubblewrap"), "test")

    async def main() -> list[tuple[float, float]]:
        async with opener(Limits()) as one, opener(Limits(processes=100)) as other:
            sandboxes = [await pool.acquire() for pool in (one, other)]
            script = ["sh", "-c", "date +%s.%N; sleep 0.3; date +%s.%N"]
            results = await asyncio.gather(*(each.run(script) for each in sandboxes))
            return [tuple(map(float, each.stdout.split())) for each in results]

    first, second = sorted(asyncio.run(main()))
    assert first[1] <= second[0]


def test_another_image_behind_the_same_tag_is_another_pool():
    """What is remembered of sandbox steps hangs on it; the tag and the times of files stay what they were."""

    async def identity(image: str) -> str:
        backend = Counting()

        async def image_id() -> str:
            return image

        backend.image_id = image_id
        pool = pool_of(backend)
        await pool.missing(())
        await pool.close()
        return pool.identity

    first, other, again = (asyncio.run(identity(image)) for image in ("sha256:a", "sha256:b", "sha256:a"))
    assert first != other and first == again


@pytest.mark.parametrize("place", ["/usr/bin", "/usr/local/bin", "/etc/alternatives", "/var/lib/rpm"])
def test_another_program_of_the_host_makes_another_pool(place, monkeypatch):
    """One installed by hand, chosen by update-alternatives, or of a package."""
    backend = Counting()
    backend.tier = "bubblewrap+host"
    one = pool_of(backend, ahead=0)
    before, real = one.identity, pools.modified_ns
    monkeypatch.setattr(pools, "modified_ns", lambda path: 7 if str(path) == place else real(path))
    assert one.identity != before
    backend.tier = "bubblewrap+image"
    assert "[]" in one.identity, "an image has none of them"


def test_a_variants_options_make_another_pool():
    plain, variant = Counting(), Counting()
    plain.options, variant.options = tuple, lambda: ("--ro-bind", "/opt/gcc", "/opt/gcc")
    assert pool_of(plain, ahead=0).identity != pool_of(variant, ahead=0).identity


def test_what_an_image_has_is_looked_up_once_on_this_machine():
    """Not where programs also see other files, which change: those of the host, or of a variant's options."""
    needs = ("sh", "python:json", "no-such-program")

    async def looks(image: str, options: tuple[str, ...] = ()) -> int:
        backend = Counting()

        async def image_id() -> str:
            return image

        backend.image_id, backend.options = image_id, lambda: options
        pool = pool_of(backend, ahead=0)
        assert await pool.missing(needs) == ("no-such-program",)
        assert await pool.missing((*needs, "file:/bin/sh")) == ("no-such-program",)
        await pool.close()
        return backend.opened

    asked = [("sha256:a", ()), ("sha256:a", ()), ("sha256:b", ()), ("", ()), ("", ()), ("sha256:a", ("--x",))]
    assert [asyncio.run(looks(*each)) for each in asked] == [2, 0, 2, 2, 2, 2]


def test_no_more_are_opened_than_the_trials_to_come_can_take():
    async def opened(trials: int) -> int:
        backend = Counting()
        pool = pool_of(backend, ahead=2)
        left = trials
        pool.expect(lambda: left)
        await pool.missing(("sh",))  # in one that no trial gets
        for _ in range(trials):
            sandbox = await pool.acquire()
            await asyncio.sleep(0.2)  # what is kept ready opens
            await sandbox.close()
            left -= 1
        await pool.close()
        return backend.opened - 1

    assert [asyncio.run(opened(trials)) for trials in (1, 2, 5)] == [1, 2, 5]


def test_nobody_waits_until_what_others_left_is_removed(monkeypatch):
    backend, removed = Counting(), []

    async def remove_leftovers() -> int:
        await asyncio.sleep(1.0)
        removed.append(True)
        raise SandboxError("it cannot be removed now")

    async def choose(name: str, *, blind_faith: bool) -> Counting:
        return backend

    backend.remove_leftovers = remove_leftovers
    monkeypatch.setattr("assay.sandboxes.pool.choose", choose)

    async def main() -> None:
        async with open_pool(ahead=0) as pool:
            await (await pool.acquire()).close()
            assert not removed

    with pytest.warns(UserWarning, match="could not be removed: it cannot be removed now"):
        asyncio.run(main())
    assert removed


def test_versions_inside_are_asked_once_for_each_identity():
    async def contents() -> tuple[dict[str, str], int]:
        backend = Counting()
        pool = pool_of(backend, ahead=0)
        found = await pool.contents()
        await pool.close()
        return found, backend.opened

    first, second = asyncio.run(contents()), asyncio.run(contents())
    assert first[0] == second[0] and first[0]["python"] and first[0]["kernel"] == os.uname().release
    assert (first[1], second[1]) == (1, 0)


def test_a_second_sandbox_for_a_trial_waits_for_no_other_trial_to_end():
    backend = Counting()

    async def work():
        pool = pool_of(backend, ahead=1, max_open=2, max_running=1)
        own = [await pool.acquire() for _ in range(2)]  # every place is taken, by trials that want a second
        async with asyncio.timeout(30):
            beside = [await pool.acquire_beside() for _ in range(2)]
        told = [(await each.run(["sh", "-c", "ls | wc -l"])).stdout for each in beside]
        for each in (*beside, *own):
            await each.close()
        await (await pool.acquire()).close()  # the places are free again
        await pool.close()
        return told

    assert asyncio.run(work()) == [b"0\n", b"0\n"]
    assert backend.open_now == 0


def test_a_trial_with_a_sandbox_does_not_wait_for_one_that_looks_for_a_requirement():
    """Which waits for a sandbox: with all of them lent, both waited for ever."""

    async def main() -> tuple[tuple[str, ...], tuple[str, ...]]:
        pool = pool_of(Counting(), ahead=0, max_open=1)
        await pool.missing(())
        own = await pool.acquire()
        looking = asyncio.create_task(pool.missing(["python3"]))
        await asyncio.sleep(0.1)
        async with asyncio.timeout(20):
            at_once = await pool.missing(())  # as before it opens a second one
            await own.close()
            seen = await looking
        await pool.close()
        return at_once, seen

    assert asyncio.run(main()) == ((), ())
