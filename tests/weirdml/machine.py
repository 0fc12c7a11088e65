"""The sandbox in use, seen from inside: what the prompt tells of it."""

from __future__ import annotations

import json
from typing import Any

from assay.errors import SandboxError
from assay.records import Limits, Sandbox

from .prompt import Machine

LIBRARIES = ("torch", "torchvision", "numpy", "scipy", "scikit-learn", "pandas", "xgboost", "lightgbm", "jax", "numba",
             "pillow", "matplotlib", "chess")  # fmt: skip
PROBE_LIMIT_S = 120.0

# Runs inside. The driver itself is asked for its GPUs: torch may be a build that has no use for them.
_PROBE = """\
import ctypes, importlib.metadata, json, platform, sys
found = {"python": platform.python_version(), "libraries": {}, "gpus": [], "cuda": False}
for name in sys.argv[2:]:
    try:
        found["libraries"][name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
if sys.argv[1]:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0:
            for number in range(count.value):
                name, size = ctypes.create_string_buffer(100), ctypes.c_size_t(0)
                driver.cuDeviceGetName(name, 100, number)
                driver.cuDeviceTotalMem_v2(ctypes.byref(size), number)
                found["gpus"].append([name.value.decode(), size.value])
        import torch
        found["cuda"] = torch.cuda.is_available()
    except (OSError, ImportError):
        pass
print(json.dumps(found))
"""


async def examine(sandbox: Sandbox, limits: Limits, threads: int, time_limit_s: float) -> Machine:
    """Look around inside. Raises SandboxError if it is not as it was asked for."""
    result = await sandbox.run(["python3", "-c", _PROBE, limits.gpus, *LIBRARIES], time_limit_s=PROBE_LIMIT_S)
    try:
        found = json.loads(result.stdout)
        device = device_line(found["gpus"], bool(found["cuda"]), limits.gpus)
        libraries = {str(name): str(version) for name, version in found["libraries"].items()}
        return Machine(device, str(found["python"]), libraries, limits.memory, threads, time_limit_s)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SandboxError(f"cannot see what the sandbox has: {result.output[-500:]}") from None


def device_line(gpus: list[Any], cuda: bool, asked: str) -> str:
    """The device in words. Raises SandboxError for a GPU that was asked for and is not there.

    >>> device_line([], False, "")
    'no GPU: everything runs on the CPU'
    >>> device_line([["NVIDIA X1", 80 << 30]], True, "all")
    'GPU: NVIDIA X1 with 80 GiB, to be used by torch as cuda'
    """
    if not asked:
        return "no GPU: everything runs on the CPU"
    if not gpus:
        raise SandboxError(
            f"--gpus {asked} was asked for, and the sandbox sees no GPU: its driver's library does not load or finds "
            "none (--doctor says what is missing)"
        )
    names = ", ".join(f"{name} with {size / (1 << 30):.3g} GiB" for name, size in gpus)
    use = "to be used by torch as cuda" if cuda else "but this build of torch cannot use it"
    return f"GPU{'s'[: len(gpus) > 1]}: {names}, {use}"


def thread_variables(threads: int) -> dict[str, str]:
    """The environment that keeps libraries to so many threads."""
    names = ("OMP", "MKL", "OPENBLAS", "NUMEXPR", "NUMBA", "VECLIB_MAXIMUM")
    return {f"{name}_NUM_THREADS": str(threads) for name in names}
