"""NVIDIA GPUs for sandboxes: which there are, and how each backend is told to pass them on.

podman takes them by the Container Device Interface (https://github.com/cncf-tags/container-device-interface),
docker by its own --gpus, bubblewrap by binding the device files and the driver's libraries.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from assay.errors import ConfigError, SandboxError

DEVICES = Path("/dev")
CDI = ("/etc/cdi", "/var/run/cdi")
MAKE_CDI = "nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"
DRIVER_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib/wsl/lib",
                  "/usr/local/nvidia/lib64")  # fmt: skip
DRIVER_FILES = ("libcuda.so*", "libnvidia-ml.so*", "libnvidia-ptxjitcompiler.so*", "libnvidia-nvvm*.so*",
                "libnvidia-gpucomp.so*", "libcudadebugger.so*")  # fmt: skip
INSIDE = "/run/nvidia"  # where bubblewrap shows the driver's libraries
CONTROL = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset")


def present() -> list[str]:
    """The numbers of this machine's NVIDIA GPUs, by their device files."""
    numbers = [path.name.removeprefix("nvidia") for path in DEVICES.glob("nvidia[0-9]*")]
    return sorted((each for each in numbers if each.isdecimal()), key=int)


def chosen(gpus: str) -> list[str]:
    """The numbers that "all" or "0,1" means. Raises ConfigError if none is, or one is not there."""
    there = present()
    if gpus != "all" and not re.fullmatch(r"\d+(,\d+)*", gpus):
        raise ConfigError(f"GPUs {gpus!r}: write all, or numbers such as 0 or 0,1")
    if not there:
        raise ConfigError(
            f"this machine has no NVIDIA GPU that can be given to a sandbox ({DEVICES}/nvidia0 is missing); "
            "leave --gpus out, or install the driver"
        )
    wanted = there if gpus == "all" else gpus.split(",")
    if missing := [each for each in wanted if each not in there]:
        raise ConfigError(f"there is no GPU {missing[0]}; this machine has {', '.join(there)}")
    return wanted


def podman_options(gpus: str) -> list[str]:
    """Options of `podman run`."""
    return [f"--device=nvidia.com/gpu={each}" for each in gpus.split(",")] if gpus else []


def docker_options(gpus: str) -> list[str]:
    """Options of `docker run`."""
    if not gpus:
        return []
    return ["--gpus", "all" if gpus == "all" else f'"device={gpus}"']


def bubblewrap_options(gpus: str) -> tuple[str, ...]:
    """Options of bwrap, after --dev: the device files, and the driver's libraries below /run/nvidia.

    Raises SandboxError if there is no such GPU.
    """
    if not gpus:
        return ()
    try:
        names = [f"nvidia{number}" for number in chosen(gpus)] + list(CONTROL)
    except ConfigError as error:
        raise SandboxError(str(error)) from None
    options: list[str] = []
    for name in names:
        if (DEVICES / name).exists():
            options += ["--dev-bind", str(DEVICES / name), f"/dev/{name}"]
    for library in driver_libraries():
        options += ["--ro-bind", os.path.realpath(library), f"{INSIDE}/{library.name}"]
    return tuple(options)


def driver_libraries(folders: Sequence[str] = DRIVER_FOLDERS) -> list[Path]:
    """The driver's libraries that programs load by name; the first one if a name is found twice."""
    found: dict[str, Path] = {}
    for folder in folders:
        for pattern in DRIVER_FILES:
            for path in sorted(Path(folder).glob(pattern)):
                found.setdefault(path.name, path)
    return list(found.values())


def environment(gpus: str) -> dict[str, str]:
    """The environment that a command in bubblewrap needs to find the libraries."""
    return {"LD_LIBRARY_PATH": INSIDE} if gpus else {}


def summary() -> str:
    """This machine's GPUs in a sentence, for `assay doctor`."""
    there = present()
    if not there:
        return f"none (no {DEVICES}/nvidia0)"
    word = f"NVIDIA GPU {', '.join(there)}; a suite can give them to its sandboxes (weirdml: --gpus)"
    specified = any(Path(folder).glob("nvidia*") for folder in map(Path, CDI) if Path(folder).is_dir())
    if shutil.which("podman") and not specified:
        word += f". podman needs a description of them: {MAKE_CDI}"
    return word
