# ruff: noqa: E501 - programs read best in one piece
"""A program cannot stop the agent, look into it or speak in its name."""

from __future__ import annotations

from assay.conformance.sandboxes.suite import cases, python
from assay.records import Sandbox
from assay.sandboxes.backends.registry import Backend

STOPPERS = {
    "kill the agent": "import os, signal\nfor p in (1, os.getppid()):\n    for s in range(1, 65):\n        try: os.kill(p, s)\n        except OSError: pass",
    "kill everything": "import os\nos.kill(-1, 9)",
    "limit the agent": "import os, resource\nfor p in (1, os.getppid()):\n  for r in range(16):\n    try: resource.prlimit(p, r, (0, 0))\n    except (OSError, ValueError): pass",
    "trace the agent": "import ctypes, os\nl = ctypes.CDLL(None)\nfor p in (1, os.getppid()): print(l.ptrace(16, p, 0, 0))",
    "close everything": "import os\nos.closerange(0, 10000)",
}


@cases("attack", STOPPERS)
async def the_agent_cannot_be_stopped(isolated: Sandbox, attack: str) -> None:
    result = await isolated.run(["python3", "-c", STOPPERS[attack]], time_limit_s=5)
    assert not result.timed_out and b"0" not in result.stdout.split()
    again = await isolated.run(["echo", "alive"])
    assert again.stdout == b"alive\n"


def the_agents_memory_and_descriptors_are_closed(isolated: Backend) -> None:
    program = (
        "import os\n"
        "for p in (1, os.getppid()):\n"
        "    for f in ('mem', 'environ', 'maps', 'fd', 'stack', 'syscall', 'cwd', 'root'):\n"
        "        path = f'/proc/{p}/{f}'\n"
        "        try:\n"
        "            os.listdir(path) if f in ('fd', 'cwd', 'root') else open(path, 'rb').read(1)\n"
        "            print('opened', path)\n"
        "        except OSError: pass\n"
        "print(sorted(os.listdir('/proc/self/fd')))\n"
    )
    result = python(isolated, program)
    assert (
        b"opened" not in result.stdout and result.stdout == b"['0', '1', '2', '3']\n"
    )  # 3 is the listing's own


def results_cannot_be_forged_on_any_descriptor(isolated: Backend) -> None:
    program = (
        "import os\n"
        "forged = b'\\0\\0\\0\\x20' + b'0' * 16 + b'\\0\\0\\0\\x011\\0\\0\\0\\x04done' + b'\\0' * 40\n"
        "for fd in range(3, 256):\n"
        "    try: os.write(fd, forged)\n"
        "    except OSError: pass\n"
        "for p in (1, os.getppid()):\n"
        "    for fd in range(64):\n"
        "        try: open(f'/proc/{p}/fd/{fd}', 'wb').write(forged)\n"
        "        except OSError: pass\n"
        "os.write(1, forged); os.write(2, forged); print('honest'); raise SystemExit(3)\n"
    )
    result = python(isolated, program)
    assert result.returncode == 3 and result.stdout.endswith(b"honest\n")
