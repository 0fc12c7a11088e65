"""Reading what a model wrote, in a process that can be killed where it is long or may take long.

All trials share one thread. What reads a model's text does so in linear time, as
testing/house/test_linear_time.py sees to, and is called as it is while the text is short. A long one goes to
one of two workers, and so does an author's regular expression, whose time nobody can promise: processes that
start when they are first needed and wait for more.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import re
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import AssayError, ModelFault
from assay.records import Cause

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")

SHORT = 20_000  # characters that are read in place
LONGEST = 1_000_000  # characters of a reply or an output that are read at all
LIMIT_S = 20.0
START_S = 60.0  # of a worker, on a busy machine
WORKERS = 2
SHOWN = 1_000  # characters of a match
FEW_STEPS = 2_000_000  # for the matcher: a tenth of a second at most
MEMORY = 2 << 30  # bytes of a worker's address space

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from assay.language.apart import serve; serve(int(sys.argv[2]))"
)


async def read(reader: Callable[..., T], *arguments: Any, limit_s: float = LIMIT_S) -> T:
    """`reader(*arguments)`, in a worker if the texts among `arguments` are long. `reader` must be a function
    at the top level of a module, in linear time.

    Raises ModelFault for more than LONGEST characters, or if it takes longer than `limit_s` seconds.
    """
    length = sum(len(each) for each in arguments if isinstance(each, (str, bytes)))
    if length <= SHORT:
        return reader(*arguments)
    if length > LONGEST:
        raise ModelFault(f"the text has too many characters, {length:,}; the limit is {LONGEST:,}")
    return await apart(reader, *arguments, limit_s=limit_s)


async def apart(reader: Callable[..., T], *arguments: Any, limit_s: float = LIMIT_S) -> T:
    """Call `reader(*arguments)` in a worker, whatever their length. Raises ModelFault as `read` does, and
    whatever `reader` raises. Cancelled, the worker is killed."""
    import asyncio
    import pickle

    call = _Call(pickle.dumps((reader, arguments)), limit_s)
    try:
        answer = await asyncio.get_running_loop().run_in_executor(_threads(), call.made)
    except asyncio.CancelledError:
        call.stop()
        raise
    kind: str = "broken"
    value: Any = ""
    if answer is not None:
        kind, value = pickle.loads(answer)  # noqa: S301 - of our own process
    if kind == "ok":
        return value  # type: ignore[no-any-return]
    if kind == "error":
        raise value
    why = value or (f"it took longer than {limit_s:g} s" if call.late else "its reader was killed")
    raise ModelFault(f"what the model wrote cannot be read: {why}", Cause.TIMED_OUT if call.late else "wrong")


@cache
def _threads() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(WORKERS, thread_name_prefix="apart")


class _Worker:
    def __init__(self) -> None:
        import subprocess
        from multiprocessing.connection import Pipe

        self.new = True
        self.connection, theirs = Pipe()
        argv = [sys.executable, "-c", _START, json.dumps(sys.path), str(theirs.fileno())]
        nothing = subprocess.DEVNULL
        self.process = subprocess.Popen(
            argv,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()

    def ready(self) -> bool:
        """Waits for a new one to be there."""
        if self.new:
            self.new = self.answer(START_S) is None
        return not self.new

    def ask(self, call: bytes, limit_s: float) -> bytes | None:
        """The answer, as `answer`."""
        with contextlib.suppress(OSError):
            self.connection.send_bytes(call)
        return self.answer(limit_s)

    def answer(self, limit_s: float) -> bytes | None:
        """None if there is none within so many seconds, or the worker has died."""
        with contextlib.suppress(OSError, EOFError):
            if self.connection.poll(limit_s):
                return self.connection.recv_bytes()
        return None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.connection.close()


def serve(descriptor: int) -> None:
    """What a worker does until its owner goes away: reads calls, and writes what they returned."""
    import ctypes
    import pickle
    import resource
    import signal
    from multiprocessing.connection import Connection

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: dies with the thread that started it
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    owner = Connection(descriptor)
    owner.send_bytes(b"ready")
    with contextlib.suppress(EOFError):
        while True:
            reader, arguments = pickle.loads(owner.recv_bytes())  # noqa: S301 - of our own process
            try:
                answer = pickle.dumps(("ok", reader(*arguments)))
            except (MemoryError, RecursionError) as error:
                answer = pickle.dumps(("broken", f"{type(error).__name__} in its reader"))
            except Exception as error:  # noqa: BLE001 - it goes to whoever asked
                answer = pickle.dumps(("error", error))
            owner.send_bytes(answer)


_idle: list[_Worker] = []
_lock = threading.Lock()


@atexit.register
def _end() -> None:
    with _lock:
        while _idle:
            _idle.pop().kill()


class _Call:
    """One call, made in a thread of its own; another thread may stop it."""

    def __init__(self, message: bytes, limit_s: float) -> None:
        self.message, self.limit_s = message, limit_s
        self.late = self.stopped = False
        self.worker: _Worker | None = None

    def made(self) -> bytes | None:
        with _lock:
            if self.stopped:
                return None
            self.worker = worker = _idle.pop() if _idle else _Worker()
        if not worker.ready():
            worker.kill()
            raise AssayError("a process for reading replies could not be started on this machine")
        deadline = time.monotonic() + self.limit_s
        answer = worker.ask(self.message, self.limit_s)
        with _lock:
            if answer is None or self.stopped:
                self.late = time.monotonic() >= deadline
                worker.kill()
            else:
                _idle.append(worker)
            self.worker = None
        return answer

    def stop(self) -> None:
        with _lock:
            self.stopped = True
            if self.worker is not None:
                self.worker.process.kill()


def matched(pattern: str, flags: int, text: str) -> str | None:
    """The beginning of what `pattern` matches first in `text`; None if it matches nowhere."""
    found = re.search(pattern, text, flags)
    return None if found is None else found[0][:SHOWN]


async def search(pattern: str, flags: int, text: str) -> str | None:
    """As `matched`, in a worker unless it cannot take long."""
    if len(text) > LONGEST:
        raise ModelFault(f"the text has too many characters, {len(text):,}; the limit is {LONGEST:,}")
    if may_be_slow(pattern, len(text)):
        try:
            return await apart(matched, pattern, flags, text)
        except ModelFault as fault:
            raise ModelFault(f"searching for /{pattern[:100]}/: {fault}", fault.cause) from None
    return matched(pattern, flags, text)


def may_be_slow(pattern: str, length: int) -> bool:
    """Whether searching a text of `length` characters might take more than a tenth of a second.

    A quantifier on a group, or a reference to one, may take any time; each other quantifier costs another
    pass at worst.

    >>> may_be_slow("(a+)+$", 10), may_be_slow(r"\\bforty-two\\b", 10000), may_be_slow("a.*b", 10000)
    (True, False, True)
    """
    if re.search(r"\)[*+?{]|\\[1-9]|\(\?P=", pattern):
        return True
    quantifiers = len(re.findall(r"[*+?{]", pattern))
    return bool((length + 1) ** (1 + quantifiers) > FEW_STEPS)
