"""What only bubblewrap does: its users, its cgroups, what a killed run leaves, and the browser inside."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.errors import SandboxError, SandboxUnavailable
from assay.records import Limits, Sandbox
from assay.sandboxes.agent import processes
from assay.sandboxes.backends import bubblewrap, filesystem, owner
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.backends.users import FIRST_UID
from assay.sandboxes.limits import cgroups
from testing.sandboxes.conftest import probed, use

ROOT = Path(__file__).parents[2]
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can change its user")


def host() -> Bubblewrap:
    found = probed("bubblewrap+host")
    assert isinstance(found, Bubblewrap)
    return found


def members(folder: Path) -> list[int]:
    return [int(pid) for pid in (folder / "cgroup.procs").read_text().split()]


@needs_root
def test_root_runs_each_sandbox_as_a_user_of_its_own():
    backend = host()

    async def main() -> set[int]:
        sandboxes = [await backend.open(Limits(), "x") for _ in range(3)]
        try:
            for sandbox in sandboxes:
                await sandbox.start(["sleep", "11235"])
            return owners(b"11235")
        finally:
            await asyncio.gather(*(sandbox.close() for sandbox in sandboxes))

    uids = asyncio.run(main())
    assert len(uids) == 3 and min(uids) >= FIRST_UID


def owners(word: bytes) -> set[int]:
    return {path.stat().st_uid for path in Path("/proc").glob("[0-9]*") if word in _read(path / "cmdline")}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@needs_root
def test_a_sandbox_that_runs_as_root_outside_is_refused(monkeypatch):
    monkeypatch.setattr(bubblewrap._Box, "_as_other_user", lambda self: ())
    with pytest.raises(SandboxError, match="not isolated"):
        asyncio.run(host().open(Limits(), "x"))


@needs_root
def test_a_sandbox_that_keeps_groups_outside_is_refused(monkeypatch):
    as_other_user = bubblewrap._Box._as_other_user

    def in_a_group(self: bubblewrap._Box) -> tuple[str, ...]:
        return tuple(each.replace("--groups=", "--groups=4711") for each in as_other_user(self))

    monkeypatch.setattr(bubblewrap._Box, "_as_other_user", in_a_group)
    with pytest.raises(SandboxError, match="not isolated"):
        asyncio.run(host().open(Limits(), "x"))


def with_cgroups() -> Bubblewrap:
    if cgroups.hierarchy() is None:
        pytest.skip("no cgroup can be made here")
    return host()


def test_a_sandbox_that_did_not_join_its_cgroup_is_refused(monkeypatch):
    monkeypatch.setattr(cgroups.Cgroup, "join", lambda self, pid: None)
    with pytest.raises(SandboxError, match="not in its memory and process cgroups"):
        asyncio.run(with_cgroups().open(Limits(), "x"))
    assert not ours()


def test_bwrap_starts_nothing_before_it_is_in_its_cgroup(monkeypatch):
    join, seen = cgroups.Cgroup.join, []

    def late(self: cgroups.Cgroup, pid: int) -> None:
        deadline = time.monotonic() + 5
        while b"bwrap" not in (name := _read(Path(f"/proc/{pid}/comm"))) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        seen.append((name, processes.descendants(processes.processes(), [pid])))
        join(self, pid)

    monkeypatch.setattr(cgroups.Cgroup, "join", late)
    backend = with_cgroups()
    seen.clear()

    async def main() -> None:
        await (await backend.open(Limits(), "x")).close()

    asyncio.run(main())
    assert seen == [(b"bwrap\n", [])]


def ours() -> list[Path]:
    """The cgroups that this process has made and not removed."""
    place = cgroups.hierarchy()
    return [
        folder
        for parent in (place.folders.values() if place else ())
        for folder in parent.glob(f"{owner.own_prefix()}*")
    ]


def test_the_cgroup_holds_the_limits_and_goes_with_the_sandbox():
    backend = with_cgroups()
    limits = Limits(memory=300 << 20, processes=77, cpus=0.5)

    async def work(sandbox: Sandbox) -> dict[str, str]:
        return {
            file.name: file.read_text().strip()
            for folder in ours()
            for file in folder.iterdir()
            if file.name in ("memory.limit_in_bytes", "memory.max", "pids.max", "cpu.cfs_quota_us", "cpu.max")
        }

    found = use(backend, work, limits)
    assert found["pids.max"] == "77"
    assert found.get("memory.max", found.get("memory.limit_in_bytes")) == str(300 << 20)
    assert found.get("cpu.max", found.get("cpu.cfs_quota_us", "50000")).split()[0] == "50000"
    assert not ours()


def test_a_failed_opening_leaves_nothing(monkeypatch):
    backend = host()
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    monkeypatch.setattr(backend, "_python", "/usr/bin/no-python")
    with pytest.raises(SandboxError, match="no-python"):
        asyncio.run(backend.open(Limits(), "x"))
    assert not ours() and len(os.listdir("/proc/self/fd")) <= before + 1  # noqa: PTH208


@pytest.mark.parametrize("after_s", [0.0, 0.003, 0.006, 0.01, 0.015, 0.02, 0.03, 0.05])
def test_an_opening_that_is_cancelled_ends_at_once_and_leaves_nothing(after_s):
    backend = host()

    async def main() -> float:
        opening = asyncio.create_task(backend.open(Limits(), "x"))
        await asyncio.sleep(after_s)
        opening.cancel()
        started = time.monotonic()
        (found,) = await asyncio.gather(opening, return_exceptions=True)
        if not isinstance(found, BaseException):
            await found.close()
        return time.monotonic() - started

    assert asyncio.run(main()) < 2
    assert not ours()  # only an empty cgroup can be removed


def test_many_sandboxes_leave_no_descriptors():
    backend = host()

    async def main() -> None:
        for _ in range(5):
            sandbox = await backend.open(Limits(), "x")
            await sandbox.run(["true"])
            await sandbox.close()

    asyncio.run(main())
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    asyncio.run(main())
    assert len(os.listdir("/proc/self/fd")) <= before + 1  # noqa: PTH208


@needs_root
def test_it_works_for_an_ordinary_user_without_cgroups():
    def work() -> dict[str, Any]:
        async def main() -> dict[str, Any]:
            backend = Bubblewrap(Path("/"))
            await backend.probe()
            sandbox = await backend.open(Limits(memory=200 << 20, processes=40), "x")
            try:
                who = await sandbox.run(["id", "-u"])
                bomb = await sandbox.run(
                    ["python3", "-c", "x = []\nwhile True: x.append(bytearray(1 << 20))"]
                )
                forks = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
                fork_bomb = await sandbox.run(["python3", "-c", forks], time_limit_s=1)
                alive = await sandbox.run(["echo", "alive"])
            finally:
                await sandbox.close()
            return {
                "who": who.stdout.decode(),
                "memory": bomb.out_of_memory or b"MemoryError" in bomb.stderr,
                "forks": fork_bomb.timed_out or "processes" in fork_bomb.output,
                "alive": alive.stdout.decode(),
            }

        return asyncio.run(main())

    assert as_user(4711, work) == {"who": "1000\n", "memory": True, "forks": True, "alive": "alive\n"}


def as_user(uid: int, work: Callable[[], Any]) -> Any:
    """What `work` returns in a fork of this process that has become another user."""
    hear, tell = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # fork beside threads; this child starts none of ours
        pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            cgroups.hierarchy.cache_clear()
            answer = json.dumps(work())
        except BaseException:  # noqa: BLE001 - told to the parent
            answer = json.dumps(traceback.format_exc())
        os.write(tell, answer.encode())
        os._exit(0)
    os.close(tell)
    with open(hear, "rb") as file:  # noqa: PTH123
        answer = file.read()
    os.waitpid(pid, 0)
    return json.loads(answer)


VICTIM = """
import asyncio, sys
from pathlib import Path
from assay.records import Limits
from assay.sandboxes.agent import processes
from assay.sandboxes.backends.bubblewrap import Bubblewrap

async def main():
    backend = Bubblewrap(Path("/"))
    await backend.probe()
    sandbox = await backend.open(Limits(), "x")
    await sandbox.start(["sh", "-c", "setsid sleep 17320 & sleep 17320"])
    running = asyncio.create_task(sandbox.run(["sleep", "17320"], time_limit_s=600))
    await asyncio.sleep(0.2)
    print("ready", flush=True)
    try:
        await running
    finally:
        await sandbox.close()

asyncio.run(main())
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_killed_leaves_no_process_and_no_lasting_cgroup(how):
    backend = host()
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert victim.stdout and victim.stdout.readline() == b"ready\n"
    mark = owner.own_prefix(victim.pid)
    place = cgroups.hierarchy()

    def folders() -> list[Path]:
        return [f for parent in (place.folders.values() if place else ()) for f in parent.glob(f"{mark}*")]

    assert bool(folders()) == bool(place)
    victim.send_signal(how)
    victim.wait(timeout=20)
    victim.stdout.close()
    deadline = time.monotonic() + 5
    while (left := _sleepers()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left
    if how == signal.SIGINT:
        assert not folders()
    asyncio.run(backend.remove_leftovers())
    assert not folders()


def _sleepers() -> list[Path]:
    return [path for path in Path("/proc").glob("[0-9]*") if b"\x0017320" in _read(path / "cmdline")]


def test_leftovers_of_living_runs_are_left_alone():
    backend = host()

    async def work(sandbox: Sandbox) -> bytes:
        await backend.remove_leftovers()
        return (await sandbox.run(["echo", "alive"])).stdout

    assert use(backend, work) == b"alive\n"


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"ASSAY_BWRAP": "/no/bwrap", "PATH": "/nowhere"}, "apt install bubblewrap"),
        ({"ASSAY_BWRAP": "false"}, "bin/false --ro-bind / / true"),
    ],
)
def test_without_a_working_bwrap_it_says_what_to_do(monkeypatch, setting, words):
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SandboxUnavailable, match=words):
        asyncio.run(Bubblewrap(Path("/")).probe())


def test_version_2_cgroups_are_found_beside_our_own(tmp_path):
    """This layout cannot be had on every machine, so the files stand for the kernel's."""
    app = tmp_path / "fs/user.slice/app.slice"
    (app / "run.scope").mkdir(parents=True)
    for folder, controllers in (
        (tmp_path / "fs", ""),
        (app.parent, "cpu"),
        (app, "cpu memory pids"),
        (app / "run.scope", ""),
    ):
        (folder / "cgroup.subtree_control").write_text(controllers + "\n")
    (tmp_path / "cgroup").write_text("0::/user.slice/app.slice/run.scope\n")
    (tmp_path / "mountinfo").write_text(
        f"30 25 0:26 / {tmp_path}/fs rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
    )
    assert cgroups.candidates(tmp_path) == [cgroups.Hierarchy(2, {"": app})]
    made = cgroups.Cgroup(cgroups.Hierarchy(2, {"": app}), Limits(memory=1 << 28, processes=9, cpus=1.5))
    wrote = {file.name: file.read_text() for file in (app / made.name).iterdir()}
    assert wrote == {
        "memory.max": "268435456",
        "memory.swap.max": "0",
        "pids.max": "9",
        "cpu.max": "150000 100000",
    }
    (app / made.name / "memory.events").write_text("low 0\noom 2\noom_kill 3\n")
    assert made.oom_kills() == 3
    made.join(1)
    assert (app / made.name / "cgroup.procs").read_text() == "1"


def test_an_abandoned_cgroup_is_told_from_a_living_one():
    _, namespace, pid, started, _ = owner.fresh_name().split("-")
    assert not owner.abandoned(owner.fresh_name())
    assert owner.abandoned(f"assay-{namespace}-{pid}-{int(started) - 1}-1")  # its number was used again
    assert owner.abandoned(f"assay-{namespace}-4194303-1-1")
    assert not owner.abandoned("assay-1-4194303-1-1")  # another pid namespace: who knows


def test_a_root_without_python_is_refused(tmp_path):
    (tmp_path / "usr").mkdir()
    with pytest.raises(SandboxUnavailable, match="python3"):
        filesystem.find_python(tmp_path)


def test_an_images_settings_cost_one_bind_and_an_empty_folder_none(tmp_path):
    for folder in ("usr/src/app", "opt", "srv", "data/words", "etc/fonts", "etc/alternatives"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/ld.so.conf").write_text("/lib\n")
    (tmp_path / "etc/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
    options = filesystem.view(tmp_path, image=True)
    bound = {
        target
        for option, _, target in zip(options, options[1:], options[2:], strict=False)
        if option == "--ro-bind"
    }
    assert bound == {"/usr", "/data", filesystem.IMAGES_ETC}
    links = {
        target: source
        for option, source, target in zip(options, options[1:], options[2:], strict=False)
        if option == "--symlink"
    }
    assert links["/etc/fonts"] == f"{filesystem.IMAGES_ETC}/fonts"
    assert links["/etc/localtime"] == "/usr/share/zoneinfo/Etc/UTC"


def test_an_assay_below_usr_is_hidden_with_the_answers_of_its_benchmarks(monkeypatch):
    host()
    installed = next(
        each for each in sorted(Path("/usr/share").iterdir()) if each.is_dir() and any(each.iterdir())
    )
    monkeypatch.setattr(filesystem, "OURS", installed)

    async def work(sandbox: Sandbox) -> bytes:
        return (await sandbox.run(["ls", "-A", str(installed)])).output.encode()

    backend = Bubblewrap(Path("/"))
    asyncio.run(backend.probe())
    assert use(backend, work) == b""


@pytest.mark.slow(2)
def test_a_browser_draws_a_page():
    page = b"<body style='margin:0;background:#0a0'><script>document.title = 'x'</script></body>"

    async def work(sandbox: Sandbox) -> bytes | None:
        if (await sandbox.run(["sh", "-c", "command -v chromium"])).returncode:
            return None
        argv = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
            "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--window-size=200,100",
            "--screenshot=out.png", "file:///usr/src/app/p.html",
        ]  # fmt: skip
        result = await sandbox.run(argv, files={"p.html": page}, time_limit_s=60)
        assert result.returncode == 0, result.output
        return await sandbox.read_file("out.png")

    picture = use(host(), work)
    if picture is None:
        pytest.skip("no chromium on this machine; apt install chromium")
    from io import BytesIO

    from PIL import Image

    with Image.open(BytesIO(picture)) as image:
        assert image.size == (200, 100) and image.convert("RGB").getpixel((100, 50)) == (0, 170, 0)
