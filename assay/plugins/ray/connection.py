"""Ray itself, imported on demand and connected quietly; only this module on the driver's side knows it."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import socket
import sys
import warnings
from collections.abc import AsyncIterator
from typing import Any

from assay.errors import ConfigError
from assay.extras import need

START = (
    "start it with `ray start --head` on this machine and `ray start --address=ADDRESS:6379` on each "
    "other one, then give --ray-address ADDRESS:6379"
)
CONNECT_S = 10.0
LEAVE_S = 10.0
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # it would report to its makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # otherwise it warns of a changing default
    "RAY_DEDUP_LOGS": "0",
}


def import_ray() -> Any:
    """Raises ConfigError if it is not installed."""
    need("ray", "--engine ray")
    os.environ.update(QUIET)
    hook = sys.excepthook
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ConfigError(f"--engine ray: Ray cannot be imported: {error}") from None
    finally:
        sys.excepthook = hook  # Ray's own hook sends tracebacks to the cluster


@contextlib.asynccontextmanager
async def connected(address: str) -> AsyncIterator[Any]:
    """The ray module, connected to the cluster at `address` ('' for RAY_ADDRESS, or the local one).

    Raises ConfigError, saying how to start one.
    """
    ray = import_ray()
    address = (address or os.environ.get("RAY_ADDRESS", "")).removeprefix("auto")
    if address.startswith("ray://"):
        raise ConfigError(
            f"--ray-address {address}: not Ray's client port but the cluster's own (HOST:6379); this machine "
            "must belong to the cluster: ray start --address=HOST:6379 --num-cpus=0"
        )
    if address:
        await _reach(address)
    _silence()
    try:
        # In a thread, because it takes a second and there leaves this process's signal handlers alone.
        await asyncio.to_thread(_init, ray, address or "auto")
    except Exception as error:  # noqa: BLE001 - of Ray's many
        words = " ".join(str(error).split())[:400]
        if "Could not find any running Ray instance" in words:
            words = "none is running on this machine"
        where = f" at {address}" if address else ""
        raise ConfigError(f"cannot join the Ray cluster{where}: {words}\n{START}") from None
    try:
        yield ray
    finally:
        leaving = asyncio.ensure_future(asyncio.to_thread(ray.shutdown))
        with contextlib.suppress(TimeoutError):  # the cluster may be gone
            async with asyncio.timeout(LEAVE_S):
                await asyncio.shield(leaving)


async def _reach(address: str) -> None:
    """Raise ConfigError if nobody listens there; Ray itself would try for a minute, with pages of
    messages."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ConfigError(f"--ray-address {address}: write HOST:PORT, e.g. 192.0.2.1:6379")
    try:
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port), family=socket.AF_UNSPEC)
    except (OSError, TimeoutError) as error:
        words = str(error) or f"no answer within {CONNECT_S:g} s"
        raise ConfigError(f"--ray-address {address}: {words}. Is Ray running there? {START}") from None
    writer.close()


def _init(ray: Any, address: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(address=address, namespace="assay", log_to_driver=False, logging_level=logging.CRITICAL)


def _silence() -> None:
    """Keep Ray from printing events of its processes on stdout, which is for results, and from telling the
    cluster our command line, which may contain a suite's secret."""
    worker = vars(importlib.import_module("ray._private.worker"))
    worker["print_to_stdstream"] = lambda *_, **__: None
    vars(importlib.import_module("ray._private.utils"))["get_entrypoint_name"] = lambda: "assay"
    logging.getLogger("ray").setLevel(logging.CRITICAL)
