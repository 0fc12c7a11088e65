"""
What podman and docker have in common: how a container is closed off, and how its end is certain.

The agent is the container's process 1 and root there, with no right but to become the user of the
commands and to kill them; whatever else root may do is dropped, and cannot be won back.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from pathlib import Path

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandboxes.agent.child import NO_CORE
from assay.sandboxes.backends.users import User
from assay.sandboxes.client import AgentSandbox
from assay.sandboxes.limits import cgroups
from assay.sandboxes.wire import HOME, WORK_DIR, AgentSettings

IMAGE_UID = 1000  # the image's user, and its group
CAPABILITIES = ("SETUID", "SETGID", "KILL")
CAPABILITY_BITS = 1 << 7 | 1 << 6 | 1 << 5
LABEL = "assay.owner"  # which process opened it; leftovers are those whose owner is gone
RUN_LABEL = "assay.run"
OPEN_FILES = 1024
MOST_PROCESSES = 32768  # of one user in all containers: what podman itself may ask for; cgroups bound each

# Inside, at the probe: the limits as the kernel holds them, whichever version of cgroups it is.
SHOW_LIMITS = (
    "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null | head -n 1; "
    "cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null | head -n 1; id -u; id -un; "
    "touch here ~/there && echo wrote"
)


class Account:
    """Who the commands of one container are: a user id that no other sandbox has, by the image's user's name.

    `shared`: the image's user itself, as all of them, where the engine has no other to give. `close` it.
    """

    def __init__(self, first_uid: int, shared: bool = False) -> None:
        self._user = None if shared else User(first_uid)
        self.uid = IMAGE_UID if self._user is None else self._user.uid
        lines = ("root:x:0:0:root:/root:/bin/sh", f"assay:x:{self.uid}:{IMAGE_UID}::{HOME}:/bin/bash")
        self.passwd = "".join(f"{line}\n" for line in lines)

    def volumes(self, folder: Path) -> tuple[str, ...]:
        """What an engine must mount: `passwd`, which is written into `folder`, unless the image's own is
        equivalent."""
        if self._user is None:
            return ()
        folder.chmod(0o755)
        path = folder / "passwd"
        path.write_text(self.passwd)
        path.chmod(0o644)
        return (f"--volume={path}:/etc/passwd:ro,Z",)

    def close(self) -> None:
        if self._user is not None:
            self._user.release()


def tmpfs(limits: Limits, copies_up: bool, uid: int) -> dict[str, str]:
    """Folder -> mount options: everything that can be written to, each with its size.

    The work directory and HOME belong to the commands' user. `copies_up`: the engine cannot say so
    for a mount, but copies what the image has below it, owners included; then the mounts are the
    folders above, which hold nothing else, and the agent makes the folders anew as the commands' user.
    """
    common = f"rw,exec,nosuid,nodev,size={limits.disk}"
    if copies_up:
        own = {str(Path(folder).parent): f"{common},mode=0755" for folder in (WORK_DIR, HOME)}
    else:
        own = dict.fromkeys((WORK_DIR, HOME), f"{common},mode=0755,uid={uid},gid={IMAGE_UID}")
    return {"/tmp": f"{common},mode=1777", **own}


def process_ulimit() -> int:
    """The highest RLIMIT_NPROC that may be asked for: an engine without CAP_SYS_RESOURCE cannot raise it."""
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    return MOST_PROCESSES if hard == resource.RLIM_INFINITY else min(hard, MOST_PROCESSES)


def core_ulimit() -> int:
    """RLIMIT_CORE as the agent wants it (see there), or as low as it is already."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    return NO_CORE if hard == resource.RLIM_INFINITY else min(hard, NO_CORE)


def run_arguments(
    limits: Limits, name: str, run_id: str, limited: bool, copies_up: bool, account: Account
) -> list[str]:
    """Options of `podman run` and `docker run` alike.

    `limited`: whether the engine can enforce limits. `copies_up`: see `tmpfs`.
    """
    arguments = [
        "--interactive", "--rm", "--pull=never", f"--name={name}", f"--label={LABEL}={name}",
        f"--label={RUN_LABEL}={run_id}", "--network=none", "--hostname=sandbox", "--ipc=private",
        "--user=0:0", "--workdir=/", "--cap-drop=all", *(f"--cap-add={each}" for each in CAPABILITIES),
        "--security-opt=no-new-privileges", "--read-only", *(
            f"--tmpfs={folder}:{options}" for folder, options in tmpfs(limits, copies_up, account.uid).items()
        ),
        f"--shm-size={limits.disk}", "--log-driver=none", *ulimits(),
    ]  # fmt: skip
    if limited:
        arguments += limit_arguments(limits)
    return arguments


def ulimits() -> list[str]:
    """What each process is held to."""
    most = {"nofile": OPEN_FILES, "nproc": process_ulimit(), "core": core_ulimit()}
    return [f"--ulimit={name}={value}:{value}" for name, value in most.items()]


def limit_arguments(limits: Limits) -> list[str]:
    """What the kernel is to hold a container to."""
    return [
        f"--memory={limits.memory}", f"--memory-swap={limits.memory}", f"--cpus={limits.cpus:g}",
        f"--pids-limit={limits.processes}",
    ]  # fmt: skip


def settings(limits: Limits, limited: bool, account: Account, image: str) -> AgentSettings:
    """The agent's settings. If no cgroup limits memory and processes, the agent watches them."""
    return AgentSettings(
        limits,
        child_uid=account.uid,
        child_gid=IMAGE_UID,
        process_limit=0 if limited else limits.processes * 8,  # a backstop: it is shared by all sandboxes
        watch=not limited,
        expect_pid=1,
        expect_uid=0,
        kind=image,
    )


def check_agent(sandbox: AgentSandbox) -> None:
    """Raises SandboxError unless the agent has exactly the rights that it should have."""
    rights = sandbox.hello.capabilities
    if rights != CAPABILITY_BITS:
        raise SandboxError(f"the sandbox's agent has capabilities {rights:#x}, not {CAPABILITY_BITS:#x}")
    check_filter(sandbox)


def check_filter(sandbox: AgentSandbox) -> None:
    """Raises SandboxError unless the kernel holds programs to the system calls that they may make."""
    if not sandbox.hello.filtered:
        raise SandboxError("the sandbox's agent could not install its system call filter")


async def limits_hold(sandbox: AgentSandbox, limits: Limits) -> bool:
    """Whether the kernel holds the limits, as seen from inside. Raises SandboxError for a wrong user, and for
    folders that are not that user's."""
    shown = await sandbox.run(["/bin/sh", "-c", SHOW_LIMITS], time_limit_s=60)
    words = shown.stdout.decode("utf-8", "replace").split()
    if words[-3:] != [str(sandbox.hello.child_uid), "assay", "wrote"]:
        raise SandboxError(f"a test command in the sandbox failed: {shown.output[:300]!r}")
    return words[:2] == [str(limits.memory), str(limits.processes)]


class ProcessHandle:
    """A sandbox's first process, held so that its number cannot come to mean another. `of`: the cgroups that
    it has for itself; those of a container are found. OSError if it has ended."""

    def __init__(self, pid: int, of: cgroups.Cgroups | None = None) -> None:
        self._fd = os.pidfd_open(pid)
        self.pid = pid
        self.cgroups = cgroups.of_process(pid) if of is None else of

    def kill(self) -> None:
        """Kill it, and with it everything in its pid namespace."""
        if self._fd >= 0:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self._fd, signal.SIGKILL)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def handle(pidfile: Path) -> ProcessHandle | None:
    """The process that an engine has written down; None if it has not, or it is not ours to see."""
    try:
        pid = int(pidfile.read_text())
        return ProcessHandle(pid) if pid > 1 else None
    except (OSError, ValueError):
        return None
