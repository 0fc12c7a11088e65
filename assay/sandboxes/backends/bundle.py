"""
The specification that an engine would give its low-level runtime, adapted to one of our sandboxes.

The engine itself writes the specification (https://github.com/opencontainers/runtime-spec), once, for a
container with our options. So its filter of system calls, its capabilities, its masked paths, its limits and
its profiles are those that a container of that engine has. What differs for each sandbox, and nothing else,
is changed by `configure`; a test holds both against each other:

- the agent's command, the files of the image, the limits, the commands' user id: as asked for this sandbox;
- /dev/shm is memory of its own size, no folder that the engine has made; what else the engine mounts from its
  own folders (/etc/hostname and the like) has the same content from a file of ours;
- the cgroup is named after its owner, so that it is found when a run was killed;
- of cgroups version 1, the folder above the mounts is read-only, which crun forgets (`READ_ONLY_CGROUPS`);
- annotations and hooks are gone that only the engine's own programs understand.

Whatever is not known here is refused: then the engine starts the container, as it always could.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandboxes.backends import container
from assay.sandboxes.limits.cgroups import CPU_PERIOD, cpu_quota
from assay.sandboxes.wire import agent_command

NAMESPACES = {"pid", "network", "ipc", "uts", "mount"}
PASSWD = "/etc/passwd"
LARGEST_FILE = 1 << 16  # of those that an engine mounts: host names, mostly

# What containers have mounted anyhow: folder -> kinds. Those that can be written to are checked apart.
MOUNTS: Mapping[str, tuple[str, ...]] = {
    "/proc": ("proc",),
    "/dev": ("tmpfs",),
    "/dev/pts": ("devpts",),
    "/dev/mqueue": ("mqueue",),
    "/dev/shm": ("bind", "tmpfs"),
    "/sys": ("sysfs",),
    "/sys/fs/cgroup": ("cgroup", "cgroup2"),
}
FILES = ("/etc/hostname", "/etc/hosts", "/etc/resolv.conf", "/run/.containerenv", PASSWD)
OWN_HOOKS = ("libnetwork-setkey",)  # docker's, for networks; a sandbox has none

READ_ONLY_CGROUPS: Mapping[str, Any] = {
    "destination": "/sys/fs/cgroup",
    "type": "bind",
    "source": "/sys/fs/cgroup",
    "options": ["bind", "remount", "ro", "nosuid", "nodev", "noexec"],
}


@dataclass(frozen=True)
class Template:
    """An engine's specification. `files`: what it mounts from files of its own -> their content."""

    spec: Mapping[str, Any]
    files: Mapping[str, str]


def kept(found: Mapping[str, Any]) -> Template:
    """A saved template, checked again. Raises SandboxError."""
    check(found["spec"])
    return Template(found["spec"], found["files"])


def read(config: Path) -> Template:
    """What an engine has written for a container. Raises SandboxError if that is not as it should be."""
    try:
        spec = json.loads(config.read_bytes())
    except (OSError, ValueError) as error:
        raise SandboxError(f"the engine's specification cannot be read: {error}") from None
    check(spec)
    return Template(spec, {each["destination"]: _content(each) for each in _own_files(spec)})


def _own_files(spec: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for each in spec["mounts"] if each["destination"] in FILES and each["destination"] != PASSWD]


def _content(mount: Mapping[str, Any]) -> str:
    try:
        with Path(mount["source"]).open() as file:
            return file.read(LARGEST_FILE)
    except (OSError, ValueError) as error:
        raise SandboxError(f"the engine's {mount['destination']} cannot be read: {error}") from None


def check(spec: Mapping[str, Any]) -> None:
    """Raises SandboxError unless this is a container closed off as ours are, without anything unknown."""
    try:
        problem = _problem(spec)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        problem = f"it makes no sense ({type(error).__name__}: {error})"
    if problem:
        raise SandboxError(f"the engine's specification cannot be used without the engine: {problem}")


def _problem(spec: Mapping[str, Any]) -> str:
    """What is wrong with it; '' if nothing is."""
    process, linux = spec["process"], spec["linux"]
    wanted = {f"CAP_{name}" for name in container.CAPABILITIES}
    rights = process["capabilities"]
    held = {kind: set(rights.get(kind) or ()) for kind in ("bounding", "effective", "permitted")}
    spaces = {each["type"] for each in linux["namespaces"]}
    rules = linux["resources"]["devices"]
    hooks = [hook for each in (spec.get("hooks") or {}).values() for hook in each or ()]
    problems = {
        f"the capabilities are {rights}": any(each != wanted for each in held.values())
        or set(rights.get("inheritable") or ()) - wanted,
        "there are ambient capabilities": rights.get("ambient"),
        "new privileges, or a terminal": process.get("noNewPrivileges") is not True
        or process.get("terminal"),
        "the agent would not be root inside": process["user"]["uid"] != 0 or process["user"]["gid"] != 0,
        "the root can be written to": spec["root"].get("readonly") is not True,
        "SELinux labels, of which each container has its own from the engine": process.get("selinuxLabel")
        or linux.get("mountLabel"),
        f"the namespaces are {', '.join(sorted(spaces))}": spaces - {"cgroup"} != NAMESPACES,
        "a namespace that is already there": any(each.get("path") for each in linux["namespaces"]),
        "a program that is asked about system calls": (linux.get("seccomp") or {}).get("listenerPath"),
        "devices": linux.get("devices"),
        "devices are not denied first": rules[0].get("allow") is not False
        or rules[0].get("access") != "rwm"
        or rules[0].get("major"),
        f"hooks ({hooks})": any(not set(OWN_HOOKS) & set(each.get("args") or ()) for each in hooks),
    }
    return next((words for words, found in problems.items() if found), "") or _mounts_problem(spec["mounts"])


def _mounts_problem(mounts: Sequence[Mapping[str, Any]]) -> str:
    for mount in mounts:
        folder, kind, options = mount["destination"], mount["type"], mount.get("options") or ()
        sized = any(each.startswith("size=") for each in options)
        if folder in FILES and kind == "bind" and "ro" in options:
            continue
        if folder in ("/sys", "/sys/fs/cgroup") and "ro" not in options:
            return f"{folder} can be written to"
        if kind in MOUNTS.get(folder, ()) or (folder in WRITABLE and kind == "tmpfs" and sized):
            continue
        return f"a mount on {folder} ({kind})"
    missing = {"/proc", "/dev", "/dev/shm", "/tmp"} - {each["destination"] for each in mounts}
    return f"nothing is mounted on {', '.join(sorted(missing))}" if missing else ""


WRITABLE = {
    folder for up in (True, False) for folder in container.tmpfs(Limits(), up, container.IMAGE_UID)
}  # by programs


def configure(
    template: Template,
    name: str,
    limits: Limits,
    uid: int,
    root: str,
    sources: Mapping[str, str],
    annotations: Mapping[str, str],
) -> dict[str, Any]:
    """The specification of one sandbox. `root`: its files; `sources`: file inside -> where it is here."""
    spec = template.spec
    process, linux = spec["process"], spec["linux"]
    resources = {
        **linux["resources"],
        "memory": {**linux["resources"]["memory"], "limit": limits.memory, "swap": limits.memory},
        "cpu": {**linux["resources"]["cpu"], "quota": cpu_quota(limits), "period": CPU_PERIOD},
        "pids": {"limit": limits.processes},
    }
    changed = {
        "process": {**process, "args": list(agent_command("/usr/bin/python3"))},
        "root": {**spec["root"], "path": root},
        "mounts": [_mount(each, limits, uid, sources) for each in spec["mounts"]],
        "annotations": dict(annotations),
        "linux": {**linux, "cgroupsPath": f"/{name}", "resources": resources},
    }
    return {**{key: value for key, value in spec.items() if key != "hooks"}, **changed}


def read_only(inside: str, source: Path) -> Mapping[str, Any]:
    """A mount of a folder of this machine."""
    options = ["bind", "ro", "nosuid", "nodev"]
    return {"destination": inside, "type": "bind", "source": str(source), "options": options}


def _mount(
    mount: Mapping[str, Any], limits: Limits, uid: int, sources: Mapping[str, str]
) -> Mapping[str, Any]:
    folder = mount["destination"]
    if folder in FILES:
        return {**mount, "source": sources[folder]}
    if folder == "/dev/shm":
        kept = [each for each in mount["options"] if each in ("nosuid", "nodev", "noexec")]
        options = [*kept, "mode=1777", f"size={limits.disk}"]
        return {**mount, "type": "tmpfs", "source": "shm", "options": options}
    if folder not in WRITABLE:
        return mount
    own = {"size=": str(limits.disk), "uid=": str(uid)}
    return {**mount, "options": [_with(each, own) for each in mount["options"]]}


def _with(option: str, values: Mapping[str, str]) -> str:
    return next((name + value for name, value in values.items() if option.startswith(name)), option)
