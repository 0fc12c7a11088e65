"""`replay/MODEL`: the answers that MODEL gave before, from the cache; for scoring a run again."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import ProviderError
from assay.models.cache import Cache, prompt_hash
from assay.records import Completion, JsonMode, Message, Model, Tool, Traits, TrialKey


@dataclass(frozen=True)
class ReplayModel:
    """Asks no provider. Parameters may have changed since: messages, JSON mode and epoch must be the
    same, and the newest such answer is given."""

    name: str
    provider: str
    model: str
    cache: Cache
    epoch: int = 1
    traits = Traits(free=True, replays=True)

    def for_trial(self, trial: TrialKey) -> Model:
        return dataclasses.replace(self, epoch=trial.epoch)

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        found = self.cache.find(self.model, self.provider, prompt_hash(messages, json, tools), self.epoch)
        if found is None:
            raise ProviderError(
                f"{self.name}: the cache {self.cache.path} has no reply of {self.provider}/{self.model} to "
                f"this prompt in epoch {self.epoch}; run the model itself"
            )
        return found
