"""The first trial of a judge that has never answered: its name may be misspelt, and what it cannot judge is
paid for in vain."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator

from assay.errors import RunEnds
from assay.records import Model, traits_of
from assay.running.roles import Roles, roles_asked
from assay.running.trial import Planned
from assay.suites.sample import Sample

PATIENCE_S = 300.0  # for the first verdict; an agent, say, may take hours to it
SET_ASIDE = 200  # trials; many more would have to be kept in memory


class FirstVerdict:
    """While a judge has not answered, in this run or before, one trial of each model that asks it goes first,
    and the others have not begun. Nobody waits by batch, nor where the model's answers are free.
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

    def order(self, plan: Iterable[Planned], roles: Roles) -> Iterator[Planned]:
        """The plan of a model, with trials that would only wait behind those that would not."""
        aside: deque[Planned] = deque()
        for trial in plan:
            while aside and not self._waits(aside[0], roles):
                yield aside.popleft()
            if len(aside) < SET_ASIDE and self._waits(trial, roles):
                aside.append(trial)
            else:
                yield trial
        yield from aside

    def _waits(self, trial: Planned, roles: Roles) -> bool:
        return roles.llm.name in self._first and bool(self._unheard(trial.sample, roles))

    @contextlib.asynccontextmanager
    async def turn(self, sample: Sample, roles: Roles) -> AsyncIterator[None]:
        """A block for a trial. Raises RunEnds for those that wait for one that raises it."""
        model, asked = roles.llm.name, self._unheard(sample, roles)
        if not asked:
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

    def _unheard(self, sample: Sample, roles: Roles) -> set[str]:
        """The judges that a sample asks and that have not answered yet."""
        if traits_of(roles.llm).free:
            return set()
        judges = (getattr(roles, role) for role in roles_asked(sample))
        return {each.name for each in judges if self._may_be_absent(each)}

    def _may_be_absent(self, judge: Model) -> bool:
        if judge.name not in self._known | self._new:
            (self._new if getattr(judge, "untried", False) else self._known).add(judge.name)
        return judge.name not in self._known

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
