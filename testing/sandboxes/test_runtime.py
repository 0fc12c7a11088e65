"""Containers by an engine's runtime without the engine: the same container, and nothing left of it."""

from __future__ import annotations

import asyncio
import base64
import copy
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from assay.errors import SandboxError
from assay.home import tool
from assay.records import Limits
from assay.sandboxes.backends import bundle, container, owner, runtime
from assay.sandboxes.backends.docker import Docker
from assay.sandboxes.backends.podman import Podman
from assay.sandboxes.image import rootfs
from assay.sandboxes.limits import cgroups
from testing.sandboxes.conftest import cancelled_openings, probed, shell, use

REPOSITORY = Path(__file__).parents[2]
OTHER = Limits(memory=300 << 20, processes=99, cpus=1.5, disk=7 << 20)


@pytest.fixture(params=["podman", pytest.param("docker", marks=pytest.mark.slow(4))])  # an engine to start
def backend(request) -> Podman | Docker:
    found = probed(request.param)
    assert isinstance(found, Podman | Docker)
    if os.geteuid() != 0 or not any(map(tool, runtime.PROGRAMS)):
        pytest.skip(found.way)
    assert found.runtime is not None, found.way
    return found


def chosen(backend: Podman | Docker) -> runtime.Runtime:
    assert backend.runtime is not None
    return backend.runtime


# ---------------------------------------------------------------- the same container


def sources(template: bundle.Template) -> dict[str, str]:
    """File inside -> where the engine had it."""
    return {each["destination"]: each["source"] for each in template.spec["mounts"]}


def without_names(spec: dict) -> dict:
    """Without what the engine gives each container anew: its root, its cgroup, its own files."""
    spec = copy.deepcopy(spec)
    spec["root"].pop("path")
    spec["linux"].pop("cgroupsPath")
    for mount in spec["mounts"]:
        if mount["destination"] in bundle.FILES:
            mount.pop("source")
        mount["options"] = ["uid=" if each.startswith("uid=") else each for each in mount["options"]]
    spec["process"]["env"].sort()  # podman keeps no order
    spec["mounts"].sort(key=lambda each: each["destination"])
    return spec


def test_the_bundle_is_what_the_engine_itself_would_write_but_for_the_named_differences(backend):
    """The template was taken with other limits; the engine is asked for these."""
    engines = asyncio.run(backend.template(OTHER))
    ours = bundle.configure(
        chosen(backend).template, "assay-1-2-3-4", OTHER, 12345, "/root", sources(engines), {}
    )
    theirs = copy.deepcopy(dict(engines.spec))
    assert ours["root"] == {"path": "/root", "readonly": True}
    assert ours["linux"]["cgroupsPath"] == "/assay-1-2-3-4"
    # the named differences
    assert ours.pop("annotations") == {} and "hooks" not in ours
    for name in ("annotations", "hooks"):
        theirs.pop(name, None)
    shm = {each["destination"]: each for each in ours["mounts"]}["/dev/shm"]
    assert shm["type"] == "tmpfs" and {"size=7340032", "mode=1777", "nosuid", "nodev", "noexec"} == set(
        shm["options"]
    )
    for spec in (ours, theirs):
        spec["mounts"] = [each for each in spec["mounts"] if each["destination"] != "/dev/shm"]
    assert without_names(ours) == without_names(theirs)
    assert ours["linux"]["seccomp"]["syscalls"] and ours["linux"]["maskedPaths"]


def test_every_file_that_the_engine_mounts_has_the_same_content(backend):
    engine = type(backend)(direct=False)
    asyncio.run(engine.probe())
    show = "cd /etc; cat hostname hosts resolv.conf; cut -d: -f1,4- passwd; stat -c %a / /run /etc hostname"
    assert shell(backend, show).stdout == shell(engine, show).stdout


def test_what_can_be_written_to_and_seen_is_what_the_engine_lets_be(backend):
    engine = type(backend)(direct=False)
    asyncio.run(engine.probe())
    look = (
        "for f in $(cut -d' ' -f2 /proc/mounts) /usr /etc /var /run /; do"
        " touch $f/x 2>/dev/null && echo W $f; done | sort;"
        "env | sort; ulimit -a; grep -E 'Cap|NoNew|Seccomp' /proc/self/status; cat /proc/1/limits; hostname;"
        "ls /sys/fs/cgroup/memory* | wc -l"
    )
    assert shell(backend, look).stdout == shell(engine, look).stdout


def test_the_compiled_filter_is_the_engines(backend):
    found = chosen(backend)
    if found.name != "crun":
        pytest.skip(f"{found.name} has no place for it")

    async def compiled(each: runtime.Runtime) -> bytes:
        box = runtime._RuntimeBox(each, Limits())
        sandbox = await each.open_in(box)
        try:
            return box.compiled_filter()
        finally:
            await sandbox.close()

    assert asyncio.run(compiled(replace(found, compiled=""))) == base64.b64decode(found.compiled) != b""
    said = shell(backend, "grep Seccomp_filters /proc/self/status").stdout
    assert said.split() == [b"Seccomp_filters:", b"2"]


def test_sandboxes_share_no_lock_on_a_file_of_the_image(backend):
    """Of bubblewrap's they do: it shows one /usr to all (docs/sandboxes.md)."""

    async def main() -> int | None:
        one, two = [await backend.open(Limits(), "test") for _ in range(2)]
        try:
            holder = await one.start(["flock", "/usr/bin/env", "sleep", "60"])
            await asyncio.sleep(0.3)
            return (await two.run(["flock", "--nonblock", "/usr/bin/env", "true"])).returncode
        finally:
            await asyncio.gather(one.close(), two.close())
            del holder

    assert asyncio.run(main()) == 0


# ---------------------------------------------------------------- refused


def changes(spec: dict) -> dict[str, dict]:
    """What an engine may write that is not ours, each in a copy."""
    found = {}

    def change(name: str):
        found[name] = copy.deepcopy(spec)
        return found[name]

    change("a capability")["process"]["capabilities"]["bounding"].append("CAP_CHOWN")
    change("ambient")["process"]["capabilities"]["ambient"] = ["CAP_KILL"]
    change("new privileges")["process"]["noNewPrivileges"] = False
    change("another user")["process"]["user"]["uid"] = 1000
    change("root can be written to")["root"]["readonly"] = False
    change("SELinux")["process"]["selinuxLabel"] = "system_u:system_r:container_t:s0:c1,c2"
    spaces = change("no network namespace")["linux"]["namespaces"]
    spaces[:] = [each for each in spaces if each["type"] != "network"]
    change("a user namespace")["linux"]["namespaces"].append({"type": "user"})
    change("the host's network")["linux"]["namespaces"].append({"type": "network", "path": "/proc/1/ns/net"})
    change("devices")["linux"]["devices"] = [{"path": "/dev/kmsg", "type": "c", "major": 1, "minor": 11}]
    change("all devices")["linux"]["resources"]["devices"][0]["allow"] = True
    change("a hook")["hooks"] = {"prestart": [{"path": "/usr/bin/nvidia-container-runtime-hook"}]}
    change("a mount")["mounts"].append({"destination": "/srv", "type": "bind", "source": "/srv"})
    change("a file")["mounts"].append({"destination": "/etc/hosts", "type": "bind", "options": ["rw"]})
    for mount in change("no size")["mounts"]:
        mount["options"] = [each for each in mount["options"] if not each.startswith("size=")]
    change("nothing")["mounts"] = []
    change("half of it").pop("linux")
    return found


def test_a_specification_with_anything_more_or_less_is_refused(backend):
    template = chosen(backend).template
    assert bundle.kept(asdict(template)) == template
    for name, changed in changes(dict(template.spec)).items():
        with pytest.raises(SandboxError, match="engine's specification"):
            bundle.kept({**asdict(template), "spec": changed})
            pytest.fail(f"{name} was accepted")


def tampered(found: runtime.Runtime, **process) -> runtime.Runtime:
    spec = {**found.template.spec, "process": {**found.template.spec["process"], **process}}
    return replace(found, template=replace(found.template, spec=spec))


def test_a_container_that_is_not_as_specified_is_refused_and_gone(backend):
    found = chosen(backend)
    rights = {
        kind: ["CAP_KILL", "CAP_SETUID", "CAP_SETGID", "CAP_CHOWN"]
        for kind in found.template.spec["process"]["capabilities"]
    }
    with pytest.raises(SandboxError, match="capabilities 0xe1"):
        asyncio.run(tampered(found, capabilities=rights).open(Limits()))
    if found.name == "crun":  # runc takes no compiled filter: it compiles the one of the specification
        everything = base64.b64encode(bytes.fromhex("0600000000000000")).decode()  # kills each caller
        with pytest.raises(SandboxError):
            asyncio.run(replace(found, compiled=everything).open(Limits()))
    linux = {key: value for key, value in found.template.spec["linux"].items() if key != "seccomp"}

    class Claims(dict):
        """A specification whose filter the runtime does not get to see."""

    spec = Claims({**found.template.spec, "linux": linux})
    box = runtime._RuntimeBox(
        replace(found, template=replace(found.template, spec=spec), compiled=""), Limits()
    )

    async def without_filter() -> None:
        sandbox = await box._runtime.open_in(box)  # nothing promised, nothing missed
        try:
            box._runtime = found  # whose specification has one
            with pytest.raises(SandboxError, match="filter of system calls"):
                await box.hold()
        finally:
            await sandbox.close()

    asyncio.run(without_filter())
    assert not things_of(owner.own_prefix())


LATE = """#!/bin/bash
words=("$@")
for at in "${!words[@]}"; do
    if [[ ${words[at]} == --pid-file ]]; then file=${words[at+1]}; words[at+1]=$file.early; fi
done
late() { until [[ -s $file.early ]]; do sleep 0.02; done; sleep 0.2; : >"$file"; sleep 0.1; }
(late; cat "$file.early" >"$file") \
    <&- >&- 2>&- &
exec %s "${words[@]}"
"""


def test_a_runtime_may_write_down_its_process_after_the_agent_has_answered(backend, tmp_path):
    """As it does on a machine with much to do."""
    late = tmp_path / chosen(backend).name
    late.write_text(LATE % chosen(backend).program)
    late.chmod(0o755)

    async def main() -> None:
        box = runtime._RuntimeBox(replace(chosen(backend), program=str(late)), Limits())
        sandbox = await box._runtime.open_in(box)
        try:
            assert box._first is not None and (await sandbox.run(["true"])).returncode == 0
        finally:
            await sandbox.close()

    asyncio.run(main())
    assert not things_of(owner.own_prefix())


# ---------------------------------------------------------------- the end


def things_of(prefix: str) -> list[str]:
    """What there is of the sandboxes of one process."""
    groups = [str(each) for top in cgroups.parents() for each in top.glob(f"{prefix}*")]
    folders = [str(each) for each in Path(tempfile.gettempdir()).glob(f"{prefix}*")]
    mounts = [line for line in Path("/proc/mounts").read_text().splitlines() if str(runtime.BOX) in line]
    commands = subprocess.run(["pgrep", "-af", prefix], capture_output=True, text=True).stdout
    return [*groups, *folders, *mounts, *commands.splitlines()]


def test_an_opening_cancelled_at_any_moment_leaves_nothing(backend):
    asyncio.run(cancelled_openings(backend, 0.002))
    assert not things_of(owner.own_prefix()) and not list(runtime.BOX.iterdir())


HOLDER = """
import asyncio, os, sys, time
from assay.records import Limits
from assay.sandboxes.backends.registry import choose

async def main():
    backend = await choose(sys.argv[1])
    for _ in range(2):
        sandbox = await backend.open(Limits(), "killed")
    await sandbox.start(["sh", "-c", "trap '' TERM; sleep 4343"])
    print(backend.way, flush=True)
    time.sleep(60)

asyncio.run(main())
"""


@pytest.mark.parametrize("runtimes_too", [False, True])
def test_a_killed_run_leaves_no_process_cgroup_mount_or_folder(backend, runtimes_too):
    command = [sys.executable, "-c", HOLDER, backend.name]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout and holder.stdout.readline().strip() == backend.way
        prefix = owner.own_prefix(holder.pid)
        assert len([each for each in things_of(prefix) if "crun" in each or "runc" in each]) == 2
        if runtimes_too:
            children = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text().split()
            for pid in map(int, children):
                os.kill(pid, signal.SIGKILL)
        holder.kill()
    until = time.monotonic() + 10
    while things_of(prefix) and time.monotonic() < until:
        if runtimes_too:
            asyncio.run(backend.remove_leftovers())
        time.sleep(0.1)
    assert not things_of(prefix)
    assert "sleep 4343" not in subprocess.run(["ps", "ax"], capture_output=True, text=True).stdout


def test_a_runtime_that_is_killed_is_noticed_and_nothing_is_left(backend):
    async def main() -> None:
        box = runtime._RuntimeBox(chosen(backend), Limits())
        sandbox = await box._runtime.open_in(box)
        assert box._process is not None and box._first is not None
        os.kill(box._first.pid, signal.SIGKILL)
        with pytest.raises(SandboxError, match="agent inside has ended"):
            for _ in range(50):
                await sandbox.run(["true"])
                await asyncio.sleep(0.1)
        await sandbox.close()
        sandbox = await backend.open(Limits(), "test")
        running = asyncio.ensure_future(sandbox.run(["sleep", "60"]))
        await asyncio.sleep(0.2)
        await sandbox.close()
        with pytest.raises(SandboxError):
            await running

    asyncio.run(main())
    assert not things_of(owner.own_prefix())


def test_a_runtime_that_is_no_longer_there_is_an_error_and_everything_is_given_back(backend):
    async def main() -> None:
        box = runtime._RuntimeBox(replace(chosen(backend), program="/no/such/crun"), Limits())
        with pytest.raises(SandboxError, match="cannot start a sandbox"):
            await box._runtime.open_in(box)
        assert box._stderr == -1 and box.account._user is not None
        assert box.account._user._lock.fileno() == -1

    asyncio.run(main())
    assert not things_of(owner.own_prefix())


# ---------------------------------------------------------------- otherwise by the engine


def test_with_runc_it_works_as_well(backend, monkeypatch):
    monkeypatch.setattr(runtime, "PROGRAMS", ("runc",))
    fresh = type(backend)()
    known = asyncio.run(fresh.probe())
    assert fresh.way == "runc" and "why" not in known
    assert shell(fresh, "id -un; echo x > f; cat f").stdout == b"assay\nx\n"
    assert not things_of(owner.own_prefix())


@pytest.mark.parametrize("broken", ["runtime", "specification", "files"])
def test_where_it_cannot_be_the_engine_opens_them_and_it_is_said(backend, monkeypatch, tmp_path, broken):
    if broken == "runtime":
        monkeypatch.setattr(runtime, "PROGRAMS", ("false",))
    elif broken == "specification":
        monkeypatch.setattr(bundle, "NAMESPACES", {*bundle.NAMESPACES, "time"})
    else:
        monkeypatch.setattr(runtime, "BOX", Path("/proc/no-such-folder"))
    fresh = type(backend)()
    known = asyncio.run(fresh.probe())
    assert known["why"] and fresh.way.endswith(known["why"]) and ": " in fresh.way
    assert shell(fresh, "id -un").stdout == b"assay\n" and fresh.runtime is None


def test_options_of_the_engine_and_gpus_are_the_engines(backend, monkeypatch):
    class Variant(type(backend)):  # type: ignore[misc]
        def options(self) -> tuple[str, ...]:
            return ("--env=MORE=options",)

    variant = Variant()
    asyncio.run(variant.probe())
    assert variant.runtime is None and variant.way
    asked = []

    async def by_engine(limits: Limits, run_id: str) -> None:
        asked.append(limits.gpus)

    monkeypatch.setattr(backend, "_open", by_engine)
    asyncio.run(backend.open(Limits(gpus="0"), "test"))
    assert asked == ["0"]


def test_what_a_probe_has_found_is_taken_up_without_the_engine(backend, monkeypatch):
    fresh = type(backend)()
    known = asyncio.run(fresh.probe())

    async def forbidden(*_) -> None:
        raise AssertionError("the engine was asked")

    again = type(backend)()
    monkeypatch.setattr(again, "template", forbidden)
    monkeypatch.setattr(again, "_open", forbidden)
    assert asyncio.run(again.probe(known)) == known and chosen(again) == chosen(fresh)
    assert asyncio.run(again.image_id()) == known["image"] == asyncio.run(fresh.image_id())
    assert use(again, lambda sandbox: sandbox.run(["true"])).returncode == 0
    damaged = type(backend)()
    asyncio.run(damaged.probe({**known, "runtime": known["runtime"].replace("CAP_KILL", "CAP_CHOWN")}))
    assert damaged.runtime is None and "specification" in damaged.way


def test_the_files_of_an_image_in_use_are_kept(backend):
    image = backend._runtimes_image
    if backend.name == "podman":
        rootfs.unmount_earlier()
        assert rootfs.is_mounted(image)
        return
    with rootfs.free_layers(image) as free:
        assert not free
    with rootfs.free_layers("sha256:" + "ab" * 32) as free:
        assert free


def test_the_state_tells_of_the_runtimes_and_of_this_process(backend, monkeypatch):
    before = backend.state()
    monkeypatch.setattr(container, "process_ulimit", lambda: 17)
    assert backend.state() != before and type(backend)(direct=False).state() != type(backend)().state()


@pytest.mark.slow(4)
@pytest.mark.parametrize("backend", ["docker"], indirect=True)
def test_another_image_of_the_same_name_is_not_taken_for_the_one_that_was_found(backend, monkeypatch):
    fresh = Docker()
    known = asyncio.run(fresh.probe())
    looked = []

    async def look(*_) -> dict[str, str]:
        looked.append(True)
        return {}

    again = Docker()
    monkeypatch.setattr(again, "_look", look)
    asyncio.run(again.probe({**known, "image": "sha256:" + "ab" * 32}))
    assert looked
