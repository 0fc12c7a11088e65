"""Right and wrong replies to concurrent_turns."""

from __future__ import annotations

PROGRAM = """
import asyncio
from collections import deque


class Lock:
    def __init__(self, most):
        self._most = most
        self._readers = 0
        self._writing = False
        self._upgrade = None
        self._queue = deque()

    def _wake(self):
        if self._upgrade is not None:
            if self._readers == 1 and not self._writing:
                waiter, self._upgrade = self._upgrade, None
                self._readers, self._writing = 0, True
                waiter.set_result(True)
            return
        while self._queue and not self._writing:
            waiter, writes = self._queue[0]
            if writes:
                if self._readers:
                    return
                self._writing = True
            else:
                if self._readers >= self._most:
                    return
                self._readers += 1
            self._queue.popleft()
            waiter.set_result(None)

    async def _enter(self, writes):
        waiter = asyncio.get_running_loop().create_future()
        entry = (waiter, writes)
        self._queue.append(entry)
        self._wake()
        try:
            await waiter
        except asyncio.CancelledError:
            if entry in self._queue:
                self._queue.remove(entry)
            elif writes:
                self._writing = False
            else:
                self._readers -= 1
            self._wake()
            raise

    async def read(self):
        await self._enter(False)

    async def write(self):
        await self._enter(True)

    async def upgrade(self):
        if self._upgrade is not None:
            return False
        waiter = self._upgrade = asyncio.get_running_loop().create_future()
        self._wake()
        try:
            await waiter
        except asyncio.CancelledError:
            if self._upgrade is waiter:
                self._upgrade = None
            else:
                self._writing, self._readers = False, 1
            self._wake()
            raise
        return True

    def downgrade(self):
        self._writing, self._readers = False, 1
        self._wake()

    def release(self):
        if self._writing:
            self._writing = False
        else:
            self._readers -= 1
        self._wake()
"""
# A waiter whose future is cancelled stays in the queue until its task runs: what wakes others meets it first.
CAREFUL = {
    "            waiter, writes = self._queue[0]\n": "            waiter, writes = self._queue[0]\n            if waiter.cancelled():\n"
    "                self._queue.popleft()\n                continue\n",
    "            if entry in self._queue:\n                self._queue.remove(entry)\n": "            if waiter.cancelled():\n"
    "                if entry in self._queue:\n                    self._queue.remove(entry)\n",
}
MISTAKES = (
    # a turn that came just before the task was cancelled is lost
    ("            elif writes:\n                self._writing = False\n            else:\n                self._readers -= 1\n", ""),
    # who goes out of the queue wakes nobody
    ("                self._readers -= 1\n            self._wake()\n            raise", "                self._readers -= 1\n            raise"),
    # a reader passes waiting writers
    ("        waiter = asyncio.get_running_loop().create_future()\n        entry",
     "        if not writes and not self._writing and self._readers < self._most:\n            self._readers += 1\n            return\n"
     "        waiter = asyncio.get_running_loop().create_future()\n        entry"),
    # a cancelled upgrade is still waited for
    ("            if self._upgrade is waiter:\n                self._upgrade = None\n            else:", "            if self._upgrade is not waiter:"),
    # an upgrade waits behind the queue
    ("            if self._readers == 1 and not self._writing:", "            if self._readers == 1 and not self._writing and not self._queue:"),
)  # fmt: skip


def _reply(code: str) -> str:
    return f"```python\n{code.strip()}\n```"


def _careful() -> str:
    code = PROGRAM
    for old, new in CAREFUL.items():
        code = code.replace(old, new)
    # set_result on a future that was cancelled raises
    code = code.replace("waiter.set_result(True)", "waiter.cancelled() or waiter.set_result(True)")
    return code


def right(seed: int) -> list[str]:
    # the other lets even a cancelled task in, which goes out again when it runs
    return [
        _reply(_careful()),
        _reply(PROGRAM.replace("waiter.set_result", "waiter.cancelled() or waiter.set_result")),
    ]


def wrong(seed: int) -> list[str]:
    return [_reply(PROGRAM), *(_reply(_careful().replace(old, new)) for old, new in MISTAKES)]
