"""The host's side of the relay: requests that a program in the sandbox sends are answered by a model."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, NoReturn

from assay.errors import AssayError, Refused, RunEnds, SandboxError
from assay.language.bridge import chat, messages, responses
from assay.language.bridge.asked import Asked, BadRequest, NoMoreCalls, as_stream
from assay.records import Completion, Message, Terminal, TerminalOutput

FORMATS: Mapping[str, ModuleType] = {
    "/chat/completions": chat,
    "/messages": messages,
    "/responses": responses,
}
LARGEST_TOGETHER = 64 << 20  # bytes of all requests that wait; the relay bounds each one
MOST_AT_ONCE = 16  # calls that are answered; others wait for their turn
MOST_WAITING = 500
MOST_REFUSED = 100  # requests that cannot be read, or of calls beyond the limit; then none is read any more
PART = 32 << 10
STARTS_S = 20.0
LOOKS_EVERY_S = 600.0
QUIET_S = 10.0  # until a program that waits for a stream is told that it is still there
Answer = Callable[[Asked], Awaitable[Completion]]


@dataclass
class _Request:
    method: str
    path: str
    body: bytearray = field(default_factory=bytearray)
    task: asyncio.Task[None] | None = None


class Bridge:
    """Serves one relay. `answer`: what asks the model; `model`: what replies call it. `failure`: why the last
    call was not answered; None if it was. `ended_by`: a call's error that ends the run, e.g. since its budget
    is spent; then the sandbox is given up."""

    def __init__(self, terminal: Terminal, answer: Answer, model: str) -> None:
        self._terminal, self._answer, self._model = terminal, answer, model
        self._requests: dict[int, _Request] = {}
        self._said: dict[str, Completion] = {}  # every reply, by what a program hands back of it
        self._calls = self._refused = 0
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)
        self._refusing: set[asyncio.Task[None]] = set()
        loop = asyncio.get_running_loop()
        self._port: asyncio.Future[int] = loop.create_future()
        self._stopped: asyncio.Future[None] = loop.create_future()
        self.failure: AssayError | None = None
        self.ended_by: RunEnds | None = None

    async def port(self) -> int:
        """Where the relay listens. Raises SandboxError if it does not start."""
        async with asyncio.timeout(2 * STARTS_S):
            return await asyncio.shield(self._port)

    async def serve(self) -> None:
        """Answer until the relay ends, or until a call ends the run: see `ended_by`."""
        reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait({reading, self._stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [reading, *(each.task for each in self._requests.values() if each.task)]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if not self._port.done():
                self._port.set_exception(SandboxError("the relay of AgentCommand ended"))

    def _started(self, output: TerminalOutput) -> None:
        """The relay's first line says where it listens."""
        kind, number, _ = _fields(output.data)
        if kind == "P" and 0 < number < 65536:
            self._port.set_result(number)
        else:
            why = output.text.strip()[-300:] or "it said nothing"
            self._port.set_exception(SandboxError(f"the relay of AgentCommand did not start: {why}"))

    async def _read(self) -> None:
        self._started(await self._terminal.read_until(b"\n", time_limit_s=STARTS_S))
        while True:
            output = await self._terminal.read_until(b"\n", time_limit_s=LOOKS_EVERY_S)
            if output.ended:
                return
            if output.matched:
                self._hear(*_fields(output.data))

    def _hear(self, kind: str, number: int, data: bytes) -> None:
        """A line of the relay's. It may say anything: what makes no sense is ignored."""
        if kind == "R" and len(self._requests) >= MOST_WAITING:
            if len(self._refusing) < MOST_WAITING:  # or nobody reads what is told
                self._refuse(number)
        elif kind == "R" and number not in self._requests:
            method, _, path = data.decode("utf-8", "replace").partition(" ")
            self._requests[number] = _Request(method, path.partition("?")[0].rstrip("/"))
        elif (request := self._requests.get(number)) is None:
            return
        elif kind == "D" and request.task is None:
            if sum(len(each.body) for each in self._requests.values()) + len(data) <= LARGEST_TOGETHER:
                request.body += data
        elif kind == "E" and request.task is None:
            request.task = asyncio.create_task(self._serve_one(number, request))
        elif kind == "C":
            del self._requests[number]
            if request.task is not None:
                request.task.cancel()

    def _refuse(self, number: int) -> None:
        """Too many wait: tell this one at once."""
        body = json.dumps({"error": {"message": f"more than {MOST_WAITING} calls wait"}}).encode()
        task = asyncio.create_task(self._send(number, 503, body))
        self._refusing.add(task)
        task.add_done_callback(self._refusing.discard)

    async def _serve_one(self, number: int, request: _Request) -> None:
        try:
            async with self._turns:
                await self._reply_to(number, request)
        except SandboxError:
            pass  # nobody is there any more
        except RunEnds as error:
            self.ended_by = error
            if not self._stopped.done():
                self._stopped.set_result(None)
        finally:
            if self._requests.get(number) is request:
                del self._requests[number]

    async def _reply_to(self, number: int, request: _Request) -> None:
        spoken = next((form for end, form in FORMATS.items() if request.path.endswith(end)), None)
        if spoken is None or request.method != "POST":
            return await self._other(number, request)
        try:
            if self._refused >= MOST_REFUSED:
                raise BadRequest(f"after {MOST_REFUSED} refused requests none is read any more")
            body = _loaded(bytes(request.body))
            if not isinstance(body, dict):
                raise BadRequest("the request is not a JSON object")
            asked = spoken.read(body)
        except (BadRequest, ValueError, RecursionError, AttributeError, KeyError, TypeError) as error:
            self._refused += 1
            why = (
                str(error) if isinstance(error, BadRequest) else f"it cannot be read ({type(error).__name__})"
            )
            return await self._send(number, 400, json.dumps(spoken.failed(why, 400)).encode())
        asked = replace(asked, messages=tuple(map(self._as_said, asked.messages)))
        if asked.stream:
            await self._begin(number, 200, "text/event-stream")
        try:
            reply = await self._with_signs_of_life(number, asked)
        except RunEnds:
            raise
        except (AssayError, NoMoreCalls) as error:
            # after a call that was answered, what the provider refuses to read is of the program's making
            odd = isinstance(error, Refused) and error.content and self._calls > 0
            own = isinstance(error, NoMoreCalls) or odd
            if isinstance(error, AssayError):
                self.failure = None if odd else error
            self._refused += own
            status = 400 if own else 500
            told = spoken.failed(str(error), status)
            if not asked.stream:
                return await self._send(number, status, json.dumps(told).encode())
            return await self._end(number, as_stream(iter([("error", told)])))
        self.failure = None
        self._calls += 1
        self._said[_key(reply.turn)] = reply
        if asked.stream:
            await self._end(number, as_stream(spoken.stream(reply, self._model, self._calls, asked)))
        else:
            await self._send(number, 200, json.dumps(spoken.whole(reply, self._model, self._calls)).encode())

    async def _other(self, number: int, request: _Request) -> None:
        """What programs ask besides."""
        if request.method == "GET" and request.path.endswith("/models"):
            row = {"id": self._model, "object": "model", "created": 0, "owned_by": "assay"}
            return await self._send(number, 200, json.dumps({"object": "list", "data": [row]}).encode())
        if request.method == "POST" and request.path.endswith("/messages/count_tokens"):
            return await self._send(number, 200, b'{"input_tokens": %d}' % (len(request.body) // 4))
        why = f"{request.method} {request.path}: only calls of the trial's model are answered here"
        await self._send(number, 404, json.dumps({"error": {"message": why}}).encode())

    async def _with_signs_of_life(self, number: int, asked: Asked) -> Completion:
        """The reply; a program that waits for a stream is told now and then that it will come."""
        asking = asyncio.ensure_future(self._answer(asked))
        try:
            while not (await asyncio.wait({asking}, timeout=QUIET_S))[0]:
                if asked.stream:
                    await self._say("D", number, b": waiting for the model\n\n")
        finally:
            if not asking.done():
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
        return asking.result()

    def _as_said(self, message: Message) -> Message:
        """A turn of the model's as it was: with the reasoning that its provider wants back, which programs
        drop, and with arguments as they were written."""
        said = self._said.get(_key(message)) if message.role == "assistant" else None
        return message if said is None else said.turn

    async def _send(self, number: int, status: int, body: bytes) -> None:
        await self._begin(number, status, "application/json")
        await self._end(number, body)

    async def _begin(self, number: int, status: int, kind: str) -> None:
        await self._say("H", number, json.dumps([status, {"content-type": kind}]).encode())

    async def _end(self, number: int, body: bytes) -> None:
        for at in range(0, len(body), PART):
            await self._say("D", number, body[at : at + PART])
        await self._say("E", number, b"")

    async def _say(self, kind: str, number: int, data: bytes) -> None:
        line = b"%s %d %s\n" % (kind.encode(), number, base64.b64encode(data))
        await asyncio.shield(self._terminal.send(line))  # a request that is cancelled gives a sandbox up


def _fields(line: bytes) -> tuple[str, int, bytes]:
    """Kind, number and data of a line; ("", 0, b"") for what is none."""
    try:
        kind, number, *data = line.split()
        return kind.decode("ascii"), int(number), base64.b64decode(data[0] if data else b"", validate=True)
    except (ValueError, binascii.Error):
        return "", 0, b""


def _loaded(body: bytes) -> Any:
    """JSON without lone surrogates and infinite numbers, which providers refuse: that would be an ERROR of
    the agent's making. Raises ValueError."""
    text = body.decode("utf-8", "replace")
    found = json.loads(text, parse_constant=_no_number)
    if "\\ud" in text.lower():
        found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    return found


def _no_number(word: str) -> NoReturn:
    raise BadRequest(f"{word} is not JSON")


def _key(turn: Message) -> str:
    """What a program hands back of a turn, whatever the format."""
    calls = [[call.id, call.name, _plain(call.arguments)] for call in turn.calls]
    return json.dumps([turn.content.strip(), calls])


def _plain(arguments: str) -> Any:
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments
