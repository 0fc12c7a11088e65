"""What only podman's sandboxes can get wrong."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from assay.errors import SandboxError, SandboxUnavailable
from assay.records import Limits
from assay.sandboxes.backends import container, engine, owner
from assay.sandboxes.backends.podman import Podman
from testing.sandboxes.conftest import cancelled_openings, probed, use


@pytest.fixture
def backend():
    return probed("podman")


@pytest.fixture(scope="module")
def by_podman():
    """As where no runtime can be started without podman."""
    probed("podman")
    found = Podman(direct=False)
    asyncio.run(found.probe())
    assert found.way == "podman run: that is asked for"
    return found


def call(backend: Podman, *arguments: str) -> str:
    command = ["podman", *backend._way, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


def dead_owner() -> str:
    """The name of a container whose owner has ended."""
    ended = subprocess.Popen(["sleep", "0.2"])
    name = owner.fresh_name().split("-")
    start = Path(f"/proc/{ended.pid}/stat").read_text().rpartition(")")[2].split()[19]
    ended.wait()
    return f"assay-{name[1]}-{ended.pid}-{start}-1"


def test_the_container_is_closed_off_as_seen_from_the_host(by_podman):
    async def work(_) -> dict:
        name = next(each for each in await by_podman.containers() if f"-{os.getpid()}-" in each)
        return json.loads(call(by_podman, "inspect", name))[0]

    limits = Limits(memory=300 << 20, processes=99, cpus=1.5)
    seen = use(by_podman, work, limits)
    host = seen["HostConfig"]
    assert host["NetworkMode"] == "none" and host["ReadonlyRootfs"] and host["IpcMode"] != "host"
    assert "no-new-privileges" in host["SecurityOpt"] and not host["Privileged"]
    assert set(seen["EffectiveCaps"]) == {"CAP_SETUID", "CAP_SETGID", "CAP_KILL"}
    assert host["Memory"] == host["MemorySwap"] == 300 << 20 and host["PidsLimit"] == 99
    assert host["NanoCpus"] == 1_500_000_000 and host["AutoRemove"]
    assert seen["Config"]["Labels"][container.RUN_LABEL] == "conformance"
    assert [mount["Destination"] for mount in seen["Mounts"] if mount["Type"] == "bind"] == ["/etc/passwd"]
    assert not any("proxy" in each.lower() or "KEY" in each for each in seen["Config"]["Env"])


def test_every_place_that_can_be_written_to_has_a_size(backend):
    async def work(sandbox):
        return (await sandbox.run(["cat", "/proc/mounts"])).stdout.decode()

    limits = Limits(disk=7 << 20)
    for line in use(backend, work, limits).splitlines():
        _, folder, kind, options = line.split()[:4]
        if (
            kind == "tmpfs"
            and options.startswith("rw")
            and folder in ("/tmp", "/home", "/usr/src", "/dev/shm")
        ):
            assert "size=7168k" in options, line
        if kind not in ("tmpfs", "proc", "devpts", "mqueue", "sysfs", "cgroup", "cgroup2"):
            assert options.startswith("ro"), line


@pytest.mark.slow(2)
def test_opening_one_cold_takes_less_than_400_ms(backend):
    async def main() -> list[float]:
        times = []
        for _ in range(5):
            started = time.perf_counter()
            sandbox = await backend.open(Limits(), "bench")
            times.append(time.perf_counter() - started)
            await sandbox.close()
        return times

    assert min(asyncio.run(main())) < 0.4  # the best: others may use this machine too


def test_containers_of_killed_runs_are_removed_and_no_others(backend):
    left = dead_owner()
    living = owner.fresh_name()
    foreign = "somebody-elses"
    try:
        for name in (left, living, foreign):
            labels = [] if name == foreign else [f"--label={container.LABEL}={name}"]
            limits = ["--ulimit=nofile=1024:1024", f"--ulimit=nproc={container.process_ulimit()}"]
            call(
                backend,
                "run",
                "--detach",
                f"--name={name}",
                "--network=none",
                *labels,
                *limits,
                backend._image,
                "sleep",
                "99",
            )
        assert asyncio.run(backend.remove_leftovers()) == 1
        names = call(backend, "ps", "--all", "--format={{.Names}}").split()
        assert left not in names and {living, foreign} <= set(names)
    finally:
        call(backend, "rm", "--force", "--time=0", "--ignore", left, living, foreign)


def test_a_container_that_is_killed_from_outside_is_noticed(by_podman):
    async def work(sandbox) -> None:
        name = next(each for each in await by_podman.containers() if f"-{os.getpid()}-" in each)
        call(by_podman, "kill", name)
        with pytest.raises(SandboxError, match="agent inside has ended"):
            for _ in range(50):
                await sandbox.run(["true"])
                await asyncio.sleep(0.1)

    use(by_podman, work)


def test_an_agent_with_more_rights_than_planned_is_refused(by_podman, monkeypatch):
    monkeypatch.setattr(container, "CAPABILITIES", (*container.CAPABILITIES, "CHOWN"))

    async def main() -> None:
        with pytest.raises(SandboxError, match="capabilities 0xe1"):
            await by_podman.open(Limits(), "test")
        assert not [name for name in await by_podman.containers() if f"-{os.getpid()}-" in name]

    asyncio.run(main())


def test_limits_that_are_not_enforced_are_noticed_and_watched(backend, monkeypatch):
    real = container.run_arguments

    def unlimited(limits, name, run_id, limited, **rest):
        return real(limits, name, run_id, False, **rest)

    monkeypatch.setattr(container, "run_arguments", unlimited)
    fresh = Podman()
    assert asyncio.run(fresh.probe())["limits"] == "watched" and not fresh.limited

    async def bomb(sandbox):
        return await sandbox.run(["python3", "-c", "x = []\nwhile True: x.append(bytearray(8 << 20))"])

    assert use(fresh, bomb, Limits(memory=256 << 20)).out_of_memory


def test_where_the_plain_way_fails_another_is_found_and_remembered(backend, monkeypatch):
    way = ("--runtime=runc", "--cgroup-manager=cgroupfs", "--events-backend=file")
    monkeypatch.setattr(Podman, "ways", {"plain": ("--runtime=/bin/false",), "runc": way})
    fresh = Podman(direct=False)
    known = asyncio.run(fresh.probe())
    assert known["way"] == "runc"
    again = Podman(direct=False)
    assert asyncio.run(again.probe(known)) == known and again._way == way


def test_without_the_image_it_says_how_to_get_it(backend):
    with pytest.raises(SandboxUnavailable, match="make image"):
        asyncio.run(Podman("localhost/no-such-image:ever").probe())


def test_without_podman_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="apt-get install podman"):
        asyncio.run(Podman().probe())
    assert Podman().state()


def test_a_client_that_hangs_is_given_up(backend, monkeypatch, tmp_path):
    fake = tmp_path / "podman"
    fake.write_text("#!/bin/sh\nexec sleep 99\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    started = time.monotonic()
    code, words = asyncio.run(engine.call(("podman", "ps"), 0.3))
    assert code == -1 and "took more than 0.3 s" in words and time.monotonic() - started < 5


def test_a_memory_bomb_leaves_no_file_in_the_folder_of_the_run(by_podman, tmp_path, monkeypatch):
    """podman's monitor makes one named oom in its working directory, with version 1 of cgroups."""
    monkeypatch.chdir(tmp_path)

    async def work(sandbox) -> bool:
        bomb = await sandbox.run(["python3", "-c", "x = []\nwhile True: x.append(bytearray(8 << 20))"])
        await asyncio.sleep(0.3)
        return bomb.out_of_memory

    assert use(by_podman, work, Limits(memory=100 << 20))
    assert not list(tmp_path.iterdir())
    assert not [name for name in asyncio.run(by_podman.containers()) if f"-{os.getpid()}-" in name]


def monitors() -> list[str]:
    """The containers of this process whose monitor runs."""
    done = subprocess.run(["pgrep", "-a", "conmon"], capture_output=True, text=True, timeout=20)
    words = done.stdout.split()
    return [word for word in words if word.startswith(owner.own_prefix())]


@pytest.mark.slow(16)
def test_an_opening_cancelled_at_any_moment_leaves_no_process(by_podman):
    asyncio.run(cancelled_openings(by_podman, 0.006))  # 6 of 30 were left when the client was killed at once
    until = time.monotonic() + 10  # an ended container's monitor takes a moment to go
    while monitors() and time.monotonic() < until:
        time.sleep(0.1)
    left = [name for name in asyncio.run(by_podman.containers()) if name.startswith(owner.own_prefix())]
    assert monitors() == left == []
