"""A Ray cluster of nodes on this machine, each with processes of its own that can be killed as one."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STORE = 80 << 20  # bytes of shared memory for each node; the least that Ray takes is 75 MB
STARTS_S = 120.0
SLOW = "The current node timed out during startup"  # Ray gives it 30 s, and a busy machine may need more


def processes():
    """pid -> (parent, command line), of everything on this machine that can be seen."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            stat = (folder / "stat").read_text()
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            found[int(folder.name)] = int(stat[stat.rfind(")") + 2 :].split()[1]), line
    return found


def below(pid):
    """Every process that descends from one, itself included: pid -> command line."""
    everything = processes()
    found = {pid: everything[pid][1]} if pid in everything else {}
    while more := {p: line for p, (up, line) in everything.items() if up in found and p not in found}:
        found.update(more)
    return found


class Node:
    """One `ray start --block`. `env`: over this process's; `prefix`: a command that runs it."""

    def __init__(self, cluster, flags, env, prefix=()):
        command = [*prefix, sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *flags]
        self.log = cluster.folder / f"node-{time.monotonic_ns()}.log"
        kept = {name: value for name, value in os.environ.items() if not name.endswith(("_KEY", "_TOKEN"))}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                env={**kept, "RAY_USAGE_STATS_ENABLED": "0", **env},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
            )
        deadline = time.monotonic() + STARTS_S
        while "Ray runtime started" not in self.log.read_text():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    @property
    def tree(self):
        return below(self.process.pid)

    def kill_9(self):
        """Ray's own processes, as when the machine fails; what they had started is left to end by itself."""
        ours = [p for p, line in self.tree.items() if "raylet" in line or line.startswith("ray::")]
        for pid in (self.process.pid, *ours):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(20)

    def stop(self):
        tree = self.tree
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(20)
        for pid in tree:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(20)


class Nodes:
    """The head, and what is added to it. For a `with`."""

    def __init__(self, cpus=1, env={}):
        self.folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))  # a socket's path must be short
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        flags = ["--head", f"--port={port}", f"--temp-dir={self.folder}/r", "--include-dashboard=false"]
        self.nodes = []
        self.start([*flags, *self.common(cpus)], env)

    def common(self, cpus):
        return [f"--num-cpus={cpus}", f"--object-store-memory={STORE}", "--disable-usage-stats"]

    def start(self, flags, env={}, prefix=()):
        for left in (2, 1, 0):
            try:
                self.nodes.append(Node(self, [*flags, "--node-ip-address=127.0.0.1"], env, prefix))
            except AssertionError as error:
                if SLOW not in str(error) or not left:
                    raise
            else:
                break
        return self.nodes[-1]

    def add(self, cpus=1, *flags, env={}, prefix=()):
        return self.start([f"--address={self.address}", *self.common(cpus), *flags], env, prefix)

    def remove(self, node):
        self.nodes.remove(node)
        node.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for node in reversed(self.nodes):
            node.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
