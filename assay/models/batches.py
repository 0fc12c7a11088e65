"""What the batch APIs have in common: how a batch stands, and the lines of its results."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from assay.errors import ProviderError, Transient
from assay.models.batch_store import Batch
from assay.models.failures import StatusError, Unanswered, Unreadable
from assay.models.http_provider import HTTPProvider, answer_in, parsed

Result = dict[str, Any] | Exception  # a reply's JSON, or why there is none
Take = Callable[[str, Result], None]  # gets the id of a request, and its result
ID = re.compile(r"[A-Za-z0-9._-]{1,200}")
MOST_RESULTS = 16 << 30  # bytes of a file of results
MOST_LINE = 256 << 20
SLACK_S = 600.0  # by which our clock and the provider's may differ


@dataclass(frozen=True)
class Standing:
    """How a batch stands. `ended`: no request of it will be answered any more. `rest`: why a request without
    a result has none, once it ended. `failure`: why the provider refused the batch as a whole, by `lines` if
    the fault is in those (from 1); `crowded`: because too much was waiting there already. `files`: where
    results are."""

    ended: bool
    done: int = 0
    total: int = 0
    expires: float = 0.0  # Unix time
    rest: Callable[[str], Exception] = lambda what: Unanswered(f"{what}: no result in the batch")
    failure: str = ""
    lines: frozenset[int] = frozenset()
    crowded: bool = False
    files: tuple[str, ...] = ()


class BatchAPI(Protocol):
    """A provider's batches. Every method raises ProviderError: Unreachable or RateLimited if nothing was
    done, another Transient if the server may have done what it was asked for."""

    most: int  # requests of a batch
    most_bytes: int

    def line(self, request: str, path: str, body: Mapping[str, Any]) -> bytes:
        """A request as it is sent."""

    async def create(self, batch: Batch, lines: Sequence[bytes]) -> str:
        """Make a batch; its id. Once it returns, or is interrupted, the requests may be charged."""

    async def find(self, batch: Batch, known: set[str]) -> str | None:
        """The id of a batch that may have been made by a process that was killed; None if there is none.
        `known`: ids of others."""

    async def look(self, batch: Batch) -> Standing: ...

    async def results(self, batch: Batch, standing: Standing, take: Take) -> int:
        """Give every result to `take`. Returns the number of lines that could not be read."""


def expired(what: str) -> Exception:
    return Transient(f"{what}: the batch expired before the request was answered")


def canceled(what: str) -> Exception:
    return ProviderError(
        f"{what}: the batch was canceled at the provider; --resume sends its requests again, without --batch "
        "one by one"
    )


@contextmanager
def explained(provider: HTTPProvider, model: str) -> Iterator[None]:
    """Around a request about batches: a server that has none is told of as that."""
    with provider.explains(model):
        try:
            yield
        except StatusError as error:
            if error.status in (404, 405):
                error.message += f" (has {provider.settings.base_url} a batch API?)"
            raise
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, Unreadable):
                raise
            raise Unreadable(f"not what a batch API replies ({type(error).__name__})") from None


async def got(provider: HTTPProvider, path: str) -> dict[str, Any]:
    """The JSON of a page."""
    return answer_in(parsed(await provider.send(path, None)))


def id_in(reply: Mapping[str, Any], name: str = "id") -> str:
    """An id, checked, since it becomes part of addresses."""
    found = reply[name]
    if not isinstance(found, str) or not ID.fullmatch(found):
        raise Unreadable(f"{name} is {found!r:.100}")
    return found


class Lines:
    """JSON lines out of a file that comes in parts; each to `take`. One that is not readable is counted."""

    def __init__(self, take: Callable[[dict[str, Any]], None]) -> None:
        self._take, self._rest, self.broken = take, bytearray(), 0

    def feed(self, part: bytes) -> None:
        self._rest += part
        if b"\n" not in part:
            if len(self._rest) > MOST_LINE:
                raise Unreadable(f"a line of more than {MOST_LINE:,} bytes")
            return
        *whole, rest = bytes(self._rest).split(b"\n")
        self._rest = bytearray(rest)
        for line in whole:
            self._line(line)

    def end(self) -> None:
        self._line(bytes(self._rest))

    def _line(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            self._take(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.broken += 1


async def read_lines(provider: HTTPProvider, path: str, take: Callable[[dict[str, Any]], None]) -> int:
    """Every line of a file; the number of those that could not be read."""
    lines = Lines(take)
    await provider.send(path, None, lines.feed, most=MOST_RESULTS)
    lines.end()
    return lines.broken
