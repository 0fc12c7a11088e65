"""What runs in a worker of apart.py: reads calls from its stdin, and writes what they returned."""

from __future__ import annotations

import os
import pickle
import select
import time

MEMORY = 2 << 30  # bytes of address space
READY = b"ready"
HEAD = 8  # bytes that say how long a message is


def message(descriptor: int, deadline: float = float("inf")) -> bytes | None:
    """One message whole; None at the end of the stream, or if it is not there by then."""
    data = bytearray()
    wanted = HEAD
    while len(data) < wanted:
        wait = None if deadline == float("inf") else deadline - time.monotonic()
        if wait is not None and (wait <= 0 or not select.select([descriptor], [], [], wait)[0]):
            return None
        more = os.read(descriptor, 1 << 20)
        if not more:
            return None
        data += more
        if len(data) >= HEAD and wanted == HEAD:
            wanted = HEAD + int.from_bytes(data[:HEAD], "big")
    return bytes(data[HEAD:])


def serve() -> None:
    """What a worker does until its owner goes away."""
    import ctypes
    import resource
    import signal

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: dies with the thread that started it
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answers = os.dup(1)
    os.dup2(2, 1)
    _write(answers, READY)
    while (call := message(0)) is not None:
        reader, arguments = pickle.loads(call)  # noqa: S301 - of our own process
        try:
            answer = pickle.dumps(("ok", reader(*arguments)))
        except (MemoryError, RecursionError) as error:
            answer = pickle.dumps(("broken", f"{type(error).__name__} in its reader"))
        except Exception as error:  # noqa: BLE001 - it goes to whoever asked
            answer = pickle.dumps(("error", error))
        _write(answers, answer)


def _write(descriptor: int, answer: bytes) -> None:
    data = memoryview(len(answer).to_bytes(HEAD, "big") + answer)
    while data:
        data = data[os.write(descriptor, data) :]
