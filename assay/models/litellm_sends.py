"""Find out which parameters of a call litellm really sends.

Its lists of what a provider takes name parameters that it then leaves out for some models, or sends as
something else: thinking that is turned off goes to Gemini as nothing, and to Mistral as the order to think.
So litellm is asked what it makes of the parameters, and of others in their place: where these come out
alike, the value is not sent.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

EFFORTS = ("low", "medium", "high")
OFF = {"type": "disabled"}
NO_BUDGET = {"type": "enabled", "budget_tokens": 0}  # how Gemini is told
SHOWN = "includeThoughts"  # whether thoughts come with the reply: it says nothing of whether there are any


class Sends:
    """What litellm turns the parameters for one model into."""

    def __init__(self, provider: str, model: str) -> None:
        self.provider, self.model = provider, model

    def made(self, body: Mapping[str, Any]) -> Any:
        """What is sent for them, without what says nothing; None where litellm will refuse them itself."""
        from litellm.utils import get_optional_params

        try:
            found = get_optional_params(
                model=self.model, custom_llm_provider=self.provider, **copy.deepcopy(dict(body))
            )
        except Exception:  # noqa: BLE001 - the call itself will say what is wrong
            return None
        return _telling(found)

    def value(self, name: str, body: Mapping[str, Any]) -> bool:
        """Whether the value of a parameter is sent, as it is or translated."""
        sent, value = self.made(body), body[name]
        if sent is None or _holds(sent, value):
            return True
        return all(sent != self.made({**body, name: other}) for other in _others(name, value))

    def budget(self, body: Mapping[str, Any]) -> bool:
        """Whether the tokens that the model may think are sent."""
        sent, tokens = self.made(body), body["thinking"]["budget_tokens"]
        more = {"type": "enabled", "budget_tokens": tokens + 1024}
        return sent is None or _holds(sent, tokens) or sent != self.made({**body, "thinking": more})

    def thinking(self, body: Mapping[str, Any]) -> bool:
        """Whether the order to think is sent."""
        sent, name = self.made(body), "reasoning_effort"
        return sent is None or sent != self.made({each: body[each] for each in body if each != name})

    def off(self, body: Mapping[str, Any]) -> dict[str, Any] | None:
        """The value of `thinking` that turns it off; None if it cannot be turned off."""
        nothing = self.made(body)
        on = self.made({**body, "thinking": {"type": "enabled", "budget_tokens": 2048}})
        for way in (OFF, NO_BUDGET):
            sent = self.made({**body, "thinking": way})
            if sent is None or sent not in (nothing, on):
                return dict(way)
        return None


def _others(name: str, value: Any) -> Iterator[Any]:
    if name == "reasoning_effort":
        yield from (effort for effort in EFFORTS if effort != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 1
        yield value / 2 if isinstance(value, float) else value // 2
    yield None  # which litellm takes for a parameter that is not there


def _holds(found: Any, value: Any) -> bool:
    """Whether `value` occurs anywhere in `found`."""
    if type(found) is type(value) and found == value:
        return True
    if isinstance(found, Mapping):
        return any(_holds(each, value) for each in found.values())
    if isinstance(found, (list, tuple)):
        return any(_holds(each, value) for each in found)
    numbers = isinstance(found, (int, float)) and isinstance(value, (int, float))
    return numbers and not isinstance(found, bool) and not isinstance(value, bool) and found == value


def _telling(found: Any) -> Any:
    if not isinstance(found, Mapping):
        return found
    its = {name: _telling(each) for name, each in found.items() if name != SHOWN}
    return {name: each for name, each in its.items() if each not in ({}, None)}
