"""Models that repeat what they are told: `--model parrot/grey`."""

from collections.abc import Mapping
from typing import Any

from assay.errors import ConfigError
from assay.models.provider import Call, ProviderSettings
from assay.models.registry import Row
from assay.records import Completion, Traits, Usage

ROW = Row("", needs_key=False, traits=Traits(free=True))


class Parrot:
    takes_pictures = takes_tools = False  # True once ask() sends message.images and call.tools

    def __init__(self, settings: ProviderSettings) -> None:
        settings.only()  # no settings of its own in config.json; settings.key and settings.base_url are there

    def open(self) -> None: ...  # called once; import an SDK here: runs from the cache need none

    def wire(self, model: str, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
        if parameters:  # others return them in the API's names; they reach ask() as call.wire
            raise ConfigError(f"parrot/{model} takes no parameters")
        return {}

    async def ask(self, call: Call) -> Completion:
        """One attempt. Raise Transient for what may pass, Refused for what will not (assay/errors.py)."""
        return Completion(call.messages[-1].content, Usage(input_tokens=1, output_tokens=1))

    async def close(self) -> None: ...


def connect(settings: ProviderSettings) -> Parrot:
    return Parrot(settings)
