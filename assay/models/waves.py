"""
Calls by batch: what is asked waits until no trial can go on without a reply. Then all of it is sent, one
batch for each model, so tests of several calls need about as many waves as they have calls.

What a request is sent under is made of its content, its epoch and how often the trial asked the same before
(its key in the cache), so a process that asks it again after a kill finds the batch that holds it
(batch_store.py) and waits for that.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import hashlib
import json
import math
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import AssayError, NobodyThere, ProviderError, Refused, Transient
from assay.models.batch_store import Batch, BatchStore
from assay.models.batches import BatchAPI, Result, Standing
from assay.models.failures import RateLimited, Unanswered, Unreachable
from assay.models.http_provider import written
from assay.models.ledger import Ledger, Ticket
from assay.models.provider import ProviderSettings

CALM_S = 1.0  # without a new request, until a wave is sent
LEAST_POLL_S = 5.0
REPORT_S = 600.0  # between two lines about one batch
STARTED = 20  # requests of a model's first wave, if the budget allows no more replies of full length
LONGEST_S = 24 * 3600.0  # of a batch


@dataclass(frozen=True)
class Channel:
    """A provider's batches, and how it is reached."""

    api: BatchAPI
    settings: ProviderSettings
    attempts: int

    @property
    def poll_s(self) -> float:
        return self.settings.batch_poll_s


@dataclass(eq=False)
class Request:
    """One that waits to be sent, or for its result."""

    id: str
    channel: Channel
    model: str
    path: str
    body: Mapping[str, Any]
    ticket: Ticket
    result: asyncio.Future[dict[str, Any]]

    @property
    def group(self) -> tuple[str, str, str]:
        """What one batch may hold."""
        return self.channel.settings.provider, self.model, self.path


@dataclass(eq=False)
class Wait:
    """A batch that is waited for. `standing`: as last seen."""

    batch: Batch
    standing: Standing = field(default_factory=lambda: Standing(False))
    said: float = -math.inf  # when a line was printed
    unclear: bool = False  # whether it was made

    def words(self) -> str:
        """
        >>> batch = Batch("t", "openai", "m", "/chat/completions", 40, time.time(), 0, "batch_1")
        >>> Wait(batch, Standing(False, 10, 40)).words()
        'openai/m: 10 of 40 replies by batch, 0 s after it was sent (a batch may take 24 h)'
        """
        done = f"{self.standing.done:,} of {self.batch.size:,} replies"
        age = spell(time.time() - self.batch.made)
        name = f"{self.batch.provider}/{self.batch.model}"
        return f"{name}: {done} by batch, {age} after it was sent ({_until(self)})"


def _until(wait: Wait) -> str:
    expires = wait.standing.expires
    if not expires:
        return "a batch may take 24 h"
    return time.strftime("it may take until %H:%M on %d %b", time.localtime(expires))


def spell(seconds: float) -> str:
    """
    >>> spell(42), spell(180), spell(7_500)
    ('42 s', '3 min', '2 h 5 min')
    """
    minutes = int(max(0.0, seconds)) // 60
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{int(max(0.0, seconds))} s"


class Waves:
    """
    All batches of a run. `busy`: trials that run and do not wait for a reply; its user counts them. `say`:
    shows a message.

    A wave is sent once no trial is busy, or where some are busy for long (`batch_poll_s` without a new
    request). What the budget has no room for waits for the next one.
    """

    def __init__(self, path: Path, ledger: Ledger, say: Callable[[str], None]) -> None:
        self.store, self.ledger, self.say = BatchStore(path), ledger, say
        self.busy = 0
        self.sent = 0  # batches
        self._asked: dict[str, Request] = {}  # all that wait
        self._queue: dict[str, Request] = {}  # of these, what is not sent yet
        self._given: set[str] = set()  # requests whose results were given out here
        self._used: list[str] = []  # of these, what the cache has by the end
        self._latest = 0.0  # the loop's time of the last new request
        self._waits: dict[str, Wait] = {}
        self._most: dict[tuple[str, str, str], int] = {}  # requests that may wait at the provider at once
        self._sender: asyncio.Task[None] | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}

    # ---------------------------------------------------------------- for those who ask

    async def reply(
        self, channel: Channel, key: str, model: str, ticket: Ticket, path: str, body: Mapping[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """The id of a request, and the JSON of its reply. `key`: of its reply in the cache. Raises what
        BatchAPI's results are, BudgetExceeded, and ProviderError where no batch can be made."""
        asked = f"{key} {path} ".encode() + written(dict(sorted(body.items())))
        request_id = hashlib.sha256(asked).hexdigest()[:40]
        kept = self.store.find(request_id)
        if kept is not None and kept[1] is not None:
            if request_id not in self._given:
                self._given.add(request_id)
                self.ledger.join(ticket)
                return request_id, json.loads(kept[1])
            self.store.discard([request_id])  # it was of no use, since it is asked again
            kept = None
        future = asyncio.get_running_loop().create_future()
        request = Request(request_id, channel, model, path, body, ticket, future)
        self._asked[request_id] = request
        if kept is not None:
            self.ledger.join(ticket)
            self._follow(kept[0], channel)
        else:
            self._enqueue(request)
        try:
            found = await future
        finally:
            self._asked.pop(request_id, None)
            self._queue.pop(request_id, None)
        self._given.add(request_id)
        return request_id, found

    def used(self, requests: Sequence[str]) -> None:
        """The results of these became a reply, which the cache has by the time of `forget`."""
        self._used += requests

    @property
    def waiting(self) -> int:
        """Requests."""
        return len(self._asked)

    def words(self) -> list[str]:
        """How the batches stand, a line each."""
        return [wait.words() for wait in self._waits.values()]

    async def close(self) -> None:
        """Stop waiting. Batches go on at the provider, and are found again."""
        tasks = [*self._tasks.values(), *([self._sender] if self._sender else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._waits:
            number = len(self._waits)
            go_on = "1 batch goes on" if number == 1 else f"{number} batches go on"
            self.say(f"{go_on} at the provider: --resume takes the replies, and nothing is paid for twice")

    def forget(self) -> None:
        """Call when the cache is closed, and has all that was used."""
        self.store.discard(self._used)
        self.store.close()

    # ---------------------------------------------------------------- sending

    def _enqueue(self, request: Request) -> None:
        self._queue[request.id] = request
        self._latest = asyncio.get_running_loop().time()
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send_waves())

    async def _send_waves(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue:
            longest = min(each.channel.poll_s for each in self._queue.values())
            calm = min(CALM_S, longest)
            await asyncio.sleep(calm / 2)
            quiet = loop.time() - self._latest
            if quiet < calm or (self.busy > 0 and quiet < longest):
                continue
            try:
                admitted = self._admitted()
            except AssayError as error:
                for each in list(self._queue.values()):
                    self._fail(each, error)
                return
            for batch in self._batches(admitted):
                for each in batch:
                    del self._queue[each.id]
                self._send(batch)

    def _room(self) -> list[Request]:
        """What the providers have room for."""
        left, found = dict(self._most), list[Request]()
        for wait in self._waits.values():
            group = wait.batch.provider, wait.batch.model, wait.batch.path
            if group in left:
                left[group] -= wait.batch.size
        for each in self._queue.values():
            if left.get(each.group, 1) > 0:
                found.append(each)
                if each.group in left:
                    left[each.group] -= 1
        return found

    def _admitted(self) -> list[Request]:
        """What the budget has room for; that is then set aside. Raises BudgetExceeded."""
        wave = self._room()
        return wave[: self.ledger.enter_wave([each.ticket for each in wave], STARTED)]

    def _batches(self, wave: Sequence[Request]) -> Iterator[list[Request]]:
        groups: dict[tuple[str, str, str], list[Request]] = {}
        for each in wave:
            groups.setdefault(each.group, []).append(each)
        for its in groups.values():
            api, batch, size = its[0].channel.api, list[Request](), 0
            for each in its:
                length = len(self._line(each, "0" * 16)) + 2
                if batch and (len(batch) >= api.most or size + length > api.most_bytes - 100):
                    yield batch
                    batch, size = [], 0
                batch.append(each)
                size += length
            yield batch

    def _line(self, each: Request, token: str) -> bytes:
        return each.channel.api.line(f"{each.id}-{token}", each.path, each.body)

    def _send(self, requests: list[Request]) -> None:
        first = requests[0]
        provider, model, path = first.group
        token = secrets.token_hex(8)
        batch = Batch(token, provider, model, path, len(requests), time.time(), os.getpid())
        wait = self._waits[batch.token] = Wait(batch)
        self._tasks[batch.token] = asyncio.create_task(self._sent(wait, requests))

    async def _sent(self, wait: Wait, requests: list[Request]) -> None:
        batch, channel = wait.batch, requests[0].channel
        try:
            self.store.begin(batch, [each.id for each in requests])
            lines = [self._line(each, batch.token) for each in requests]
            remote = await self._create(channel, wait, lines)
            del lines
            self.store.sent(batch.token, remote)
            wait.batch = self.store.batch(batch.token) or batch
            self.sent += 1
            self.say(f"{batch.provider}/{batch.model}: batch {remote} with {_requests(batch.size)} is sent")
        except Exception as error:  # noqa: BLE001 - nobody else would tell those who wait
            if wait.unclear or not isinstance(error, AssayError):
                self._broke(wait, error)
                return
            self._gone(wait)
            for each in requests:
                self._fail(each, error)
            return
        finally:
            self.store.made(batch.token)
        await self._wait_for(wait, channel)

    async def _create(self, channel: Channel, wait: Wait, lines: Sequence[bytes]) -> str:
        """Make the batch at the provider. Where it is unclear whether an attempt made it, it is looked for
        before the next one."""
        batch = wait.batch
        for attempt in range(1, channel.attempts + 1):
            try:
                async with _limit(channel.settings.total_timeout_s):
                    return await channel.api.create(batch, lines)
            except Transient as error:
                failure = error
            if not isinstance(failure, (Unreachable, RateLimited)):
                wait.unclear = True
                if (remote := await self._find(channel, batch)) is not None:
                    return remote
                wait.unclear = False
            elif attempt < channel.attempts:
                await asyncio.sleep(min(2.0**attempt, channel.poll_s) + (failure.retry_after_s or 0.0))
        kind = NobodyThere if isinstance(failure, Unreachable) else ProviderError
        raise kind(f"{failure} (gave up making a batch after {channel.attempts} attempts)")

    async def _find(self, channel: Channel, batch: Batch) -> str | None:
        """The id of a batch that was written down, and may have been made. None only once it has not turned
        up for `batch_poll_s`: what was under way when a process was killed is there by then."""
        began, told = time.monotonic(), False
        while True:
            late = time.monotonic() - began >= channel.poll_s
            try:
                async with _limit(channel.settings.timeout_s):
                    found = await channel.api.find(batch, self.store.known())
                if found is not None or late:
                    return found
            except Transient as error:
                if not told and not isinstance(error, Unanswered):
                    self.say(f"{batch.provider}/{batch.model}: {error}")
                    told = True
                if not isinstance(error, Unreachable) and time.monotonic() - began > 2 * LONGEST_S:
                    raise
            await asyncio.sleep(channel.poll_s / 2)

    # ---------------------------------------------------------------- waiting

    def _follow(self, token: str, channel: Channel) -> None:
        """Wait for a batch that an earlier command sent, or may have sent."""
        batch = self.store.batch(token)
        if token in self._tasks or batch is None:
            return
        self._waits[token] = wait = Wait(batch)
        self.say(
            f"{batch.provider}/{batch.model}: waiting for {_requests(batch.size)} sent by an earlier command"
        )
        self._tasks[token] = asyncio.create_task(self._found_again(wait, channel))

    async def _found_again(self, wait: Wait, channel: Channel) -> None:
        token = wait.batch.token
        try:
            while not wait.batch.remote and self.store.being_made(wait.batch):
                await asyncio.sleep(channel.poll_s / 2)
                wait.batch = self.store.batch(token) or wait.batch
            if not wait.batch.remote:
                remote = await self._find(channel, wait.batch)
                if remote is None:  # it was never made
                    self._over(wait, {}, again=True)
                    return
                self.store.sent(token, remote)
                wait.batch = self.store.batch(token) or wait.batch
        except Exception as error:  # noqa: BLE001
            self._broke(wait, error)
            return
        await self._wait_for(wait, channel)

    async def _wait_for(self, wait: Wait, channel: Channel) -> None:
        """Poll until the batch has ended, then give out its results."""
        settings, refused = channel.settings, dict[str, Exception]()
        try:
            while True:
                try:
                    async with _limit(settings.timeout_s):
                        wait.standing = await channel.api.look(wait.batch)
                    if wait.standing.ended:
                        async with _limit(settings.total_timeout_s):
                            refused = await self._take(wait, channel)
                        break
                except Transient as error:  # it goes on there, whatever became of this question
                    self._report(wait, str(error))
                else:
                    self._report(wait)
                age = time.time() - wait.batch.made
                await asyncio.sleep(min(settings.batch_poll_s, max(LEAST_POLL_S, age / 20)))
        except Exception as error:  # noqa: BLE001
            self._broke(wait, error)
            return
        self._over(wait, refused)

    def _report(self, wait: Wait, trouble: str = "") -> None:
        now = time.monotonic()
        if now - wait.said >= REPORT_S:
            if wait.said > 0 or trouble:
                self.say(wait.words() + (f"; {trouble}" if trouble else ""))
            wait.said = now

    async def _take(self, wait: Wait, channel: Channel) -> dict[str, Exception]:
        """Keep and give out the replies. Returns why others have none."""
        batch, unknown, kept = wait.batch, 0, list[tuple[str, dict[str, Any]]]()
        expected, refused = set(self.store.unanswered(batch.token)), dict[str, Exception]()

        def flush() -> None:
            self.store.keep(batch.token, ((each, json.dumps(reply)) for each, reply in kept))
            for each, reply in kept:
                self._give(each, reply)
            kept.clear()

        def take(name: str, result: Result) -> None:
            nonlocal unknown
            request, _, token = name.rpartition("-")
            if token != batch.token or request not in expected:
                unknown += 1
                return
            expected.discard(request)
            if isinstance(result, dict):
                kept.append((request, result))
            else:
                refused[request] = result
            if len(kept) >= 500:
                flush()

        broken = await channel.api.results(batch, wait.standing, take)
        flush()
        what = f"{batch.provider}/{batch.model}: batch {batch.remote}"
        if unknown:
            self.say(f"{what}: {unknown} of its results answer no request of ours and are ignored")
        if broken:
            self.say(f"{what}: {broken} of its lines cannot be read; what has no result is sent again")
        return refused

    def _over(self, wait: Wait, refused: Mapping[str, Exception], *, again: bool = False) -> None:
        """Forget a batch that has ended. `refused`: requests with an error. `again`: it was never made, so
        its requests are sent."""
        batch, standing = wait.batch, wait.standing
        what = f"{batch.provider}/{batch.model}"
        left = [each for each in map(self._asked.get, self.store.unanswered(batch.token)) if each]
        numbers = {}
        if standing.lines:
            numbers = {each: at for at, each in enumerate(self.store.in_order(batch.token), 1)}
        self._gone(wait)
        group = batch.provider, batch.model, batch.path
        others = any((w.batch.provider, w.batch.model, w.batch.path) == group for w in self._waits.values())
        if standing.crowded and (batch.size > 1 or others):
            self._most[group] = max(1, (batch.size + 1) // 2)
            self.say(f"{what}: the provider has no room for {batch.size} requests at once; sending fewer")
            again = True
        for each in left:
            if again:
                self.ledger.left(each.ticket)
                self._enqueue(each)
            elif standing.failure:
                at_fault = standing.crowded or not numbers or numbers.get(each.id) in standing.lines
                said = f"{what}: the batch was refused: {standing.failure}"
                self._fail(each, Refused(said) if at_fault else Transient(said))
            else:
                self._fail(each, refused.get(each.id) or standing.rest(what))
        if not again and not standing.failure:
            took = spell(time.time() - batch.made)
            self.say(
                f"{what}: batch {batch.remote} is done after {took}: {standing.done:,} of {batch.size:,}"
            )

    def _broke(self, wait: Wait, error: Exception) -> None:
        """The batch cannot be asked for. It stays written down: its requests are not sent again."""
        left = self.store.unanswered(wait.batch.token)
        self._waits.pop(wait.batch.token, None)
        self._tasks.pop(wait.batch.token, None)
        what = error if isinstance(error, AssayError) else f"{type(error).__name__}: {error}"
        said = (
            f"{what} (batch {wait.batch.remote or 'without a known id'}, sent "
            f"{time.strftime('%d %b %H:%M', time.localtime(wait.batch.made))}, may have been charged, so its "
            f"requests are not sent again; --resume looks for it again, and {self.store.path} remembers it)"
        )
        for each in filter(None, map(self._asked.get, left)):
            self._fail(each, ProviderError(said))

    def _gone(self, wait: Wait) -> None:
        self.store.close_batch(wait.batch.token)
        self._waits.pop(wait.batch.token, None)
        self._tasks.pop(wait.batch.token, None)

    def _give(self, request_id: str, reply: dict[str, Any]) -> None:
        request = self._asked.get(request_id)
        if request is not None and not request.result.done():
            request.result.set_result(reply)

    def _fail(self, request: Request, error: Exception) -> None:
        self._queue.pop(request.id, None)
        if not request.result.done():
            request.result.set_exception(copy.copy(error))  # each is raised once
            request.result.exception()  # a trial that was cancelled does not take it


def _requests(number: int) -> str:
    return f"{number:,} request{'s'[: number != 1]}"


@contextlib.asynccontextmanager
async def _limit(seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise Unanswered(f"no answer within {seconds:g} s") from None
