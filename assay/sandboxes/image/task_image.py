"""
The image of a task that brings a Dockerfile of its own: built once, kept between runs.

Its name holds a hash of the Dockerfile and of all files beside it, its label the bases that it was built
from, so that a changed file or base is built anew and nothing else is. The Dockerfile is as trusted as the
test that names it: what its steps run is kept in containers, and has the machine's network; this machine's
mirrors and their passwords are not handed in. `assay image` removes images that no run has used for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import GraderError, MissingData
from assay.home import user_cache
from assay.sandboxes.agent.processes import descendants, processes
from assay.sandboxes.image.builder import answer, clock, say, tail
from assay.sandboxes.image.dockerfile import mapped, replaced

NAME = "localhost/assay-task"
LABEL = "assay.task"  # ids of the images that it starts from
PULL_LIMIT_S = 180.0
UNUSED_S = 14 * 86400.0  # after which `assay image` removes one
ENGINE = "podman"

_unreachable: dict[str, str] = {}  # image -> why it could not be pulled, while this process lives
_building: dict[tuple[int, str], asyncio.Future[None]] = {}


@dataclass(frozen=True)
class TaskImage:
    """`folder`: of the Dockerfile, the context of its build. `image`: one that somebody has built, taken if
    `bases` has something in its place or there is no Dockerfile. `bases`: image -> what to take in its place,
    for machines without a registry. `limit_s`: of the build, in seconds."""

    folder: Path
    image: str = ""
    bases: Mapping[str, str] = field(default_factory=dict)
    limit_s: float = 600.0

    @property
    def dockerfile(self) -> Path | None:
        """None if the image is not to be built."""
        path = self.folder / "Dockerfile"
        return path if path.is_file() and mapped(self.image, self.bases) == self.image else None

    def name(self) -> str:
        """The name of the image to be had, without asking an engine: it is made of what goes in."""
        if self.dockerfile is None:
            return mapped(self.image, self.bases)
        digest = hashlib.sha256(self._text()[0].encode())
        for path in sorted(self.folder.rglob("*")):
            mode = path.lstat().st_mode
            digest.update(
                f"{path.relative_to(self.folder).as_posix()}\0{mode:o}\0".encode("utf-8", "replace")
            )
            if path.is_symlink():
                digest.update(os.fsencode(path.readlink()))
            elif path.is_file():
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        return f"{NAME}:{digest.hexdigest()[:20]}"

    async def build(self) -> None:
        """See that it is there. Many may wait for one build; those of a machine take turns. Raises
        MissingData for an image that cannot be had, GraderError for a Dockerfile that cannot be built."""
        key = (id(asyncio.get_running_loop()), self.name())
        if key not in _building:
            _building[key] = asyncio.ensure_future(asyncio.to_thread(self._build, key[1]))
        try:
            await asyncio.shield(_building[key])
        finally:
            if key in _building and _building[key].done():
                del _building[key]

    def _text(self) -> tuple[str, list[str]]:
        """The Dockerfile with the bases that this machine has, and these."""
        assert self.dockerfile is not None
        bases: list[str] = []

        def other(image: str) -> str:
            bases.append(mapped(image, self.bases))
            return bases[-1]

        return replaced(self.dockerfile.read_text("utf-8"), other), bases

    def _build(self, name: str) -> None:
        if self.dockerfile is None:
            _id_of(name)
            return
        text, bases = self._text()
        wanted = " ".join(map(_id_of, bases)) or "scratch"
        log = _log(name)
        with _alone():
            log.parent.mkdir(parents=True, exist_ok=True)
            if _answer("image", "inspect", f'--format={{{{index .Labels "{LABEL}"}}}}', name) != wanted:
                self._run(name, text, wanted, log)
            log.touch()

    def _run(self, name: str, text: str, wanted: str, log: Path) -> None:
        started, what = time.monotonic(), self.folder.parent.name
        say(f"building {what}, at most {self.limit_s:g} s; the log is {log}")
        with tempfile.TemporaryDirectory(prefix="assay-task-") as folder, log.open("wb") as out:
            dockerfile = Path(folder) / "Dockerfile"
            dockerfile.write_text(text)
            command = [ENGINE, "build", "--pull=never", "--network=host", f"--label={LABEL}={wanted}"]
            command += [f"--tag={name}", f"--file={dockerfile}", str(self.folder)]
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = process.wait(self.limit_s)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _end(process)
        if code != 0:
            how = f"exit {code}" if code is not None else f"it took longer than {self.limit_s:g} s"
            last = "\n".join("  " + line for line in tail(log, 12))
            raise GraderError(f"{self.dockerfile} cannot be built ({how}); see {log}:\n{last}")
        say(f"built {what} in {clock(started)}")


def _answer(*arguments: str) -> str | None:
    return answer(ENGINE, *arguments)


def _id_of(image: str) -> str:
    """The id of an image, pulled if it is not here. Raises MissingData."""
    found = _answer("image", "inspect", "--format={{.Id}}", image)
    if found is None and image not in _unreachable:
        _unreachable[image] = _pull(image)
        found = _answer("image", "inspect", "--format={{.Id}}", image)
    if found is None:
        raise MissingData(
            f"the image {image} is not here, base_images in config.json names none in its place, and the "
            f"registry did not give it: {_unreachable[image] or 'it is gone'}"
        )
    return found


def _pull(image: str) -> str:
    """Why it could not be pulled; '' if it was."""
    first = image.partition("/")[0]
    if "." not in first and first != "localhost":
        image = f"docker.io/{image if '/' in image else f'library/{image}'}"
    say(f"asking the registry for {image}")
    try:
        done = subprocess.run(
            [ENGINE, "pull", "--quiet", image], capture_output=True, text=True, timeout=PULL_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {PULL_LIMIT_S:g} s"
    except OSError as error:
        return str(error)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["?"])[-1][-300:]


def remove_unused(unused_s: float = UNUSED_S) -> None:
    """Remove the images of tasks that no run has used for so long."""
    names = _answer("images", "--format={{.Repository}}:{{.Tag}}", f"--filter=label={LABEL}") or ""
    for name in names.split():
        log = _log(name)
        used = log.stat().st_mtime if log.exists() else 0.0
        if name.startswith(f"{NAME}:") and time.time() - used >= unused_s:
            subprocess.run(
                [ENGINE, "rmi", name], capture_output=True, check=False
            )  # refused while it is in use
            log.unlink(missing_ok=True)


def _log(name: str) -> Path:
    """Of its last build; its time is that of the image's last use."""
    return user_cache() / "task-images" / f"{name.rpartition(':')[2]}.log"


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """One build on this machine at a time: the steps of several would share its cores, and their limits."""
    path = user_cache() / "task-images.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a build that goes on: what it runs is killed first, so that the engine removes its containers."""
    while process.poll() is None and (below := descendants(processes(), [process.pid])):
        for pid in below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
    process.kill()
    process.wait()
