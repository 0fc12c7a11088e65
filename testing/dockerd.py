"""
A Docker engine of our own, for tests on machines where none runs: no network, no shared state.

    with dockerd(Path("/var/lib/assay-test")) as host: ...   # host is for DOCKER_HOST
    python -m testing.dockerd FOLDER                         # prints the host, runs until interrupted
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

START_LIMIT_S = 60.0


def answers(host: str) -> bool:
    """Whether a Docker engine listens there."""
    try:
        asked = subprocess.run(
            ["docker", "--host", host, "version", "--format", "{{.Server.Version}}"],
            capture_output=True,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


@contextlib.contextmanager
def dockerd(data: Path) -> Iterator[str]:
    """A running engine that keeps its images in `data`; sockets and process files lie elsewhere."""
    program = shutil.which("dockerd") or shutil.which("dockerd", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        raise RuntimeError("there is no dockerd; apt-get install docker.io")
    data.mkdir(parents=True, exist_ok=True)
    state = Path(tempfile.mkdtemp(prefix="assay-dockerd-"))  # short: a socket's path is limited
    host = f"unix://{state}/docker.sock"
    (state / "daemon.json").write_text(json.dumps({"features": {"buildkit": True}}))
    # setpriv: should this process be killed, the engine ends with it.
    command = ["setpriv", "--pdeathsig", "TERM", "--", program, f"--config-file={state}/daemon.json"]
    command += [
        f"--host={host}",
        f"--data-root={data}",
        f"--exec-root={state}/exec",
        f"--pidfile={state}/pid",
    ]
    command += ["--iptables=false", "--ip6tables=false", "--bridge=none", "--default-ulimit=nofile=1024:1024"]
    with (state / "log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
        )
    try:
        until = time.monotonic() + START_LIMIT_S
        while not answers(host):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(
                    f"dockerd did not start:\n{(state / 'log').read_text(errors='replace')[-2000:]}"
                )
            time.sleep(0.2)
        yield host
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for mounted in (line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()):
            if mounted.startswith((f"{state}/", f"{data}/")):
                subprocess.run(["umount", "--lazy", mounted], capture_output=True, check=False)
        shutil.rmtree(state, ignore_errors=True)


def main() -> None:
    with dockerd(Path(sys.argv[1])) as where:
        sys.stdout.write(f"{where}\n")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
