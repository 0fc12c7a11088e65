"""What the model server says and what it has counted; knows nothing of sockets."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from testing.misbehaviour import Order, in_model_name, in_prompt, parse
from testing.model_wire import Asked, Reply, default_reply

Scripted = str | Reply
OLLAMA_MODELS = ("llama3.1:8b", "qwen3:8b")


class Desk:
    """What the server knows: its settings, the script and the counts. Touched only by its loop."""

    def __init__(
        self,
        *,
        latency: float = 0.0,
        fail_rate_429: float = 0.0,
        retry_after: str = "",
        seed: int = 0,
        key: str = "",
        replies: Mapping[str, str | Sequence[str]] | None = None,
        queue: Sequence[str] = (),
        reply: Callable[[Asked], Scripted | None] | None = None,
        record: bool = False,
        models: Sequence[str] = OLLAMA_MODELS,
    ) -> None:
        self.latency, self.fail_rate_429, self.key = latency, fail_rate_429, key
        self.random = random.Random(seed)
        self.refusal = Order("429", options={"retry-after": retry_after} if retry_after else {})
        self.replies = dict(replies or {})
        self.queue = deque(parse(order) for order in queue)
        self.reply = reply
        self.models = tuple(models)
        self.record = record
        self.reset()

    def reset(self) -> None:
        """Forget what was counted; the script stays."""
        self.in_flight = self.in_flight_max = self.connections = self.requests = 0
        self.repeated_after_answer = 0
        self.endpoints: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.prompts: Counter[str] = Counter()
        self.answered: set[str] = set()
        self.log: deque[Asked] = deque(maxlen=2000)
        self.turns: Counter[str] = Counter()

    def stats(self) -> dict[str, Any]:
        """`repeated`: requests whose very body had come before; `repeated_after_answer`: those of
        them that had already been answered in full."""
        return {
            "requests": self.requests,
            "in_flight": self.in_flight,
            "in_flight_max": self.in_flight_max,
            "connections": self.connections,
            "repeated": self.requests - len(self.prompts),
            "repeated_after_answer": self.repeated_after_answer,
            "endpoints": dict(self.endpoints),
            "statuses": {str(status): n for status, n in self.statuses.items()},
            "prompts": dict(self.prompts),
        }

    def order_for(self, asked: Asked) -> Order:
        if self.queue:
            return self.queue.popleft()
        order = in_model_name(asked.model) or in_prompt(asked.prompt)
        if order is not None and (order.times is None or asked.count <= order.times):
            return order
        if self.fail_rate_429 and self.random.random() < self.fail_rate_429:
            return self.refusal
        return Order("ok")

    def reply_to(self, asked: Asked) -> Reply:
        said: Scripted | None = self.reply(asked) if self.reply else None
        if said is None:
            said = self._scripted(asked.prompt)
        if said is None:
            return default_reply(asked)
        return said if isinstance(said, Reply) else Reply(said)

    def _scripted(self, prompt: str) -> str | None:
        if not self.replies:
            return None
        found = prompt if prompt in self.replies else next((k for k in self.replies if k in prompt), None)
        if found is None:
            return None
        said = self.replies[found]
        if isinstance(said, str):
            return said
        turn = self.turns[found]
        self.turns[found] += 1
        return said[min(turn, len(said) - 1)]
