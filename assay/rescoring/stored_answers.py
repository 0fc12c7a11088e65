"""Answers stored by another program, in a format that a suite can read: replies in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import ConfigError, ProviderError
from assay.records import Completion, JsonMode, Message, Tool, TrialKey
from assay.rescoring.work import Work
from assay.running.roles import Roles
from assay.running.trial import Planned
from assay.suites.blame import blame
from assay.suites.selection import APPLIED, Selection
from assay.suites.stored import Stored, StoredTrial
from assay.suites.suite import Suite


@dataclass(frozen=True)
class StoredModel:
    """Return the stored replies of a trial in order, whoever asks; they include the judges'."""

    name: str
    trials: dict[TrialKey, StoredTrial]
    begun: dict[TrialKey, Iterator[Completion]] = field(default_factory=dict)
    trial: TrialKey | None = None

    def for_trial(self, trial: TrialKey) -> StoredModel:
        self.begun.setdefault(trial, iter(self.trials[trial].replies))
        return replace(self, trial=trial)

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        if self.trial is None:
            raise ProviderError("stored answers belong to trials; call for_trial first")
        if error := self.trials[self.trial].error:
            raise ProviderError(error)
        completion = next(self.begun[self.trial], None)
        if completion is None:
            count = len(self.trials[self.trial].replies)
            raise ProviderError(f"the test asks more often than there are stored replies ({count})")
        return completion


def stored_work(path: Path, selection: Selection) -> list[Work]:
    """The answers at a path, model by model. Raises ConfigError if no suite can read it,
    TestFileError for a mistake in one that reads it."""
    names = replace(selection, suites=selection.suites or ("all",)).suite_names()
    tried = []
    for name in [name for name in names if name != APPLIED]:
        try:
            suite = selection.suite(name)
        except ConfigError as error:
            if selection.suites:
                raise
            tried.append(str(error))  # nobody asked for this suite
            continue
        with blame(suite.name, suite.folder):
            if (stored := suite.stored(path, selection.options)) is not None:
                return [_work(path, suite, each) for each in stored]
        tried.append(name)
    raise ConfigError(
        f"{path} is neither a saved run nor a file of answers that a suite can read "
        f"(suites tried: {', '.join(tried) or 'none'})"
    )


def _work(path: Path, suite: Suite, stored: Stored) -> Work:
    trials = {TrialKey(each.sample.id, each.epoch, suite.name): each for each in stored.trials()}
    model = StoredModel(stored.model, trials)
    planned = [Planned(suite.own(each.sample), each.epoch) for each in trials.values()]
    return Work(path, stored.model, [suite], planned, Roles(model, model, model), stored.problems)
