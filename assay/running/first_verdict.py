"""The first trial of a judge that has never answered: its name may be misspelt, and what it cannot judge is
paid for in vain."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable

from assay.errors import RunEnds
from assay.records import Model, traits_of

PATIENCE_S = 300.0  # for the first verdict; an agent, say, may take hours to it


class FirstVerdict:
    """While a judge has not answered, in this run or before, one trial of each model that asks it goes first,
    and the others have not begun. Nobody waits for a judge by batch, nor before a model that is free.
    """

    def __init__(self) -> None:
        self._known = set[str]()  # judges for whom no trial waits
        self._new = set[str]()  # those that never answered
        self._first = set[str]()  # models of which a trial goes first
        self._ended: dict[str, RunEnds] = {}  # by model, what its first trial ended the run with
        self._news = asyncio.Event()

    def heard(self, name: str) -> None:
        """Record that a model has answered."""
        if name in self._new:
            self._known.add(name)
            self._tell()

    @contextlib.asynccontextmanager
    async def turn(self, llm: Model, judges: Iterable[Model]) -> AsyncIterator[None]:
        """A block for a trial of `llm` that may ask `judges`. Raises RunEnds for those that wait for a trial
        that raises it."""
        model, asked = llm.name, {each.name for each in judges if self._may_be_absent(each)}
        if traits_of(llm).free or not asked:
            yield
            return
        try:
            async with asyncio.timeout(PATIENCE_S):
                while model in self._first and asked - self._known:
                    await self._news.wait()
        except TimeoutError:
            self._known |= asked
        if model in self._ended:
            raise self._ended[model]
        first = bool(asked - self._known)
        if first:
            self._first.add(model)
        try:
            yield
        except RunEnds as error:
            if first:
                self._ended[model] = error
            raise
        finally:
            if first:
                self._first.discard(model)
                self._tell()

    def _may_be_absent(self, judge: Model) -> bool:
        if judge.name not in self._known | self._new:
            (self._new if getattr(judge, "untried", False) else self._known).add(judge.name)
        return judge.name not in self._known

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
