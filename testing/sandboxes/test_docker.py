"""What only docker's sandboxes can get wrong."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time

import pytest

from assay.errors import SandboxError, SandboxUnavailable
from assay.records import Limits
from assay.sandboxes.backends import container, docker, owner
from assay.sandboxes.backends.docker import Docker
from testing.sandboxes.conftest import probed, use
from testing.sandboxes.test_podman import dead_owner

pytestmark = pytest.mark.slow(1)


@pytest.fixture(scope="module")
def backend():
    """By the engine, as where no runtime can be started without it."""
    probed("docker")
    found = Docker(direct=False)
    asyncio.run(found.probe())
    assert found.way == "docker run: that is asked for"
    return found


def call(*arguments: str) -> str:
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


async def own_container(backend) -> str:
    return next(each for each in await backend.containers() if f"-{os.getpid()}-" in each)


def test_the_container_is_closed_off_as_seen_from_the_host(backend):
    async def work(_) -> dict:
        return json.loads(call("inspect", await own_container(backend)))[0]

    seen = use(backend, work, Limits(memory=300 << 20, processes=99, cpus=1.5, disk=7 << 20))
    host = seen["HostConfig"]
    assert host["NetworkMode"] == "none" and host["ReadonlyRootfs"] and host["IpcMode"] == "private"
    assert host["SecurityOpt"] == ["no-new-privileges"] and not host["Privileged"]
    assert [each.upper() for each in host["CapDrop"]] == ["ALL"]
    assert {each.removeprefix("CAP_") for each in host["CapAdd"]} == {"SETUID", "SETGID", "KILL"}
    assert host["Memory"] == host["MemorySwap"] == 300 << 20 and host["PidsLimit"] == 99
    assert host["NanoCpus"] == 1_500_000_000 or host["CpuQuota"] == 150_000
    assert host["AutoRemove"] and [each.split(":")[1:] for each in host["Binds"]] == [["/etc/passwd", "ro,Z"]]
    assert host["ShmSize"] == 7 << 20
    assert set(host["Tmpfs"]) == {"/tmp", "/usr/src/app", "/home/assay"}
    assert all(f"size={7 << 20}" in options for options in host["Tmpfs"].values())
    assert seen["Config"]["Labels"][container.RUN_LABEL] == "conformance"


def test_a_command_runs_and_a_file_comes_back(backend):
    async def work(sandbox):
        result = await sandbox.run(["sh", "-c", "id -un; echo err >&2; echo data > out"], stdin=b"x")
        return result, await sandbox.read_file("out")

    result, content = use(backend, work)
    assert (result.stdout, result.stderr, content) == (b"assay\n", b"err\n", b"data\n")


def test_a_container_that_is_killed_from_outside_is_noticed(backend):
    async def work(sandbox) -> None:
        call("kill", await own_container(backend))
        with pytest.raises(SandboxError, match="agent inside has ended"):
            for _ in range(50):
                await sandbox.run(["true"])
                await asyncio.sleep(0.1)

    use(backend, work)


def test_containers_of_killed_runs_are_removed_and_no_others(backend):
    left, living = dead_owner(), owner.fresh_name()
    try:
        for name in (left, living):
            label = f"--label={container.LABEL}={name}"
            call("run", "--detach", f"--name={name}", "--network=none", label, Docker()._image, "sleep", "99")
        assert asyncio.run(backend.remove_leftovers()) == 1
        assert call("ps", "--all", "--format={{.Names}}").split() == [living]
    finally:
        call("rm", "--force", living)


def test_closing_ends_everything_at_once(backend):
    async def main() -> float:
        sandbox = await backend.open(Limits(), "test")
        running = asyncio.create_task(sandbox.run(["sleep", "57721"]))
        await asyncio.sleep(0.2)
        started = time.monotonic()
        await sandbox.close()
        with pytest.raises(SandboxError):
            await running
        assert not [name for name in await backend.containers() if f"-{os.getpid()}-" in name]
        return time.monotonic() - started

    assert asyncio.run(main()) < 5


def test_cancelling_the_opening_leaves_nothing(backend):
    async def main() -> None:
        for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
            opening = asyncio.create_task(backend.open(Limits(), "test"))
            await asyncio.sleep(delay)
            opening.cancel()
            found = (await asyncio.gather(opening, return_exceptions=True))[0]
            if not isinstance(found, BaseException):
                await found.close()
        until = time.monotonic() + 10
        while [name for name in await backend.containers() if f"-{os.getpid()}-" in name]:
            assert time.monotonic() < until, "a container is left"
            await asyncio.sleep(0.1)

    asyncio.run(main())


def test_an_agent_with_more_rights_than_planned_is_refused(backend, monkeypatch):
    monkeypatch.setattr(container, "CAPABILITIES", (*container.CAPABILITIES, "CHOWN"))

    async def main() -> None:
        with pytest.raises(SandboxError, match="capabilities 0xe1"):
            await backend.open(Limits(), "test")

    asyncio.run(main())


def test_an_image_that_cannot_be_started_is_an_error(monkeypatch):
    probed("docker")
    broken = Docker("localhost/no-such-image:ever")
    with pytest.raises(SandboxUnavailable, match="make image"):
        asyncio.run(broken.probe())
    with pytest.raises(SandboxError, match="no-such-image"):
        asyncio.run(broken.open(Limits(), "test"))


@pytest.mark.parametrize("host", ["unix:///nowhere/docker.sock", "tcp://127.0.0.1:9"])
def test_without_an_engine_it_says_what_to_install(monkeypatch, host):
    monkeypatch.setenv("DOCKER_HOST", host)
    with pytest.raises(SandboxUnavailable, match="apt-get install docker"):
        asyncio.run(Docker().probe())
    assert host in Docker().state()


def test_the_first_process_is_held_where_the_engine_is_here(backend):
    async def work(sandbox) -> None:
        assert sandbox._channel.pid > 1 and sandbox._channel.cgroups.folders

    use(backend, work)


def test_proxies_of_the_users_configuration_stay_outside(backend, tmp_path, monkeypatch):
    proxy = {"httpProxy": "http://user:secret@proxy", "allProxy": "http://user:secret@proxy"}
    (tmp_path / "config.json").write_text(json.dumps({"proxies": {"default": proxy}}))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))

    async def work(_) -> dict:
        return json.loads(call("inspect", await own_container(backend)))[0]

    assert not any("secret" in each for each in use(backend, work)["Config"]["Env"])


def test_a_process_of_another_machine_is_not_taken_for_the_containers():
    state = {"Id": "f" * 64, "State": {"Pid": os.getpid()}}  # what an engine in a virtual machine might say
    assert docker._first_process(state) is None
