"""A Docker engine for the tests where none runs: started at the first need, ended with the session."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from assay.sandboxes.image import builder
from testing.dockerd import answers, dockerd

DATA = Path("/var/lib/assay-test-docker")  # kept, so that the image is copied once for each machine

_open = contextlib.ExitStack()
_started = False


def start_docker() -> None:
    """Let DOCKER_HOST name an engine that has the image, if there can be one: as root, with docker.io."""
    global _started
    if _started:
        return
    _started = True
    if os.geteuid() != 0 or shutil.which("docker") is None:
        return
    if not answers(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")):
        if shutil.which("dockerd", path=f"{os.environ['PATH']}:/usr/sbin") is None:
            return
        DATA.mkdir(parents=True, exist_ok=True)
        # Two engines must not share their data; another session waits, it also has only two cores.
        lock = _open.enter_context((DATA / "lock").open("w"))
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.environ["DOCKER_HOST"] = _open.enter_context(dockerd(DATA / "data"))
        _open.callback(os.environ.pop, "DOCKER_HOST", None)
    builder.share()


def stop() -> None:
    """End what was started."""
    global _started
    _open.close()
    _started = False


@contextlib.contextmanager
def docker() -> Iterator[None]:
    """The same for as long as the block runs."""
    start_docker()
    try:
        yield
    finally:
        stop()
