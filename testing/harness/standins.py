"""What engine tests need of the world: scripted models, and a pool over this process's own folder.

Real providers and real sandboxes are run by testing/models and testing/sandboxes; here it is the engine
that is put to the test, so what surrounds it must be able to fail on command.
"""

from __future__ import annotations

import contextlib

from assay.records import Completion, ExecResult, Limits, Usage


class ScriptedModel:
    """Replies in order; an exception among them is raised, a callable is awaited."""

    def __init__(self, *replies, name="m"):
        self.name = name
        self.replies = list(replies)
        self.asked = []
        self.trials = []

    def for_trial(self, trial):
        self.trials.append(trial)
        return self

    async def complete(self, messages, *, json=False):
        self.asked.append(tuple(messages))
        reply = self.replies.pop(0) if self.replies else "ok"
        if callable(reply):
            reply = await reply()
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, Completion):
            return reply
        return Completion(reply, Usage(10, 5, 1), cost=0.25, seconds=0.5, model="m-2026")


class ScriptedSandbox:
    """Answers commands from a function; counts what was done and whether it was closed."""

    tier = "scripted"

    def __init__(self, pool):
        self.pool = pool
        self.closed = 0
        self.ran = []

    async def run(self, argv, *, files={}, stdin=b"", time_limit_s=20.0, env={}):
        self.ran.append(tuple(argv))
        result = self.pool.answer(argv, files)
        if isinstance(result, BaseException):
            raise result
        return result if isinstance(result, ExecResult) else ExecResult(result, b"", 0)

    async def start(self, argv, *, files={}, env={}):
        self.ran.append(("start", *argv))
        return object()

    async def read_file(self, path, *, max_bytes=1 << 20):
        self.ran.append(("read", path))
        if path == "none":
            raise FileNotFoundError(path)
        return path.encode()

    async def pack(self, only=()):
        return b""

    async def unpack(self, data):
        self.ran.append(("unpack", data))

    async def close(self):
        self.closed += 1


class ScriptedPool:
    tier = identity = "scripted"
    limits = Limits(profile="tiny")

    def __init__(self, answer=lambda argv, files: b"out", lacks=(), failure=None):
        self.answer, self.lacks, self.failure = answer, set(lacks), failure
        self.opened = []

    @property
    def browser(self):
        return contextlib.nullcontext()

    async def acquire(self):
        if self.failure:
            raise self.failure
        self.opened.append(ScriptedSandbox(self))
        return self.opened[-1]

    acquire_beside = acquire

    async def missing(self, requirements):
        return tuple(each for each in requirements if each in self.lacks)
