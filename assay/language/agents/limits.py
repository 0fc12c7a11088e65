"""What an agent may spend. It is told of a limit one turn before that ends its work."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import NodeError
from assay.records import Cause, Completion


def _turns(number: int) -> str:
    return f"{number} turn{'s'[: number != 1]}"


@dataclass(frozen=True)
class Spent:
    """Sums over turns. `seconds`: of the model's replies and of the tools."""

    turns: int = 0
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def __sub__(self, other: Spent) -> Spent:
        return Spent(
            self.turns - other.turns,
            self.tokens - other.tokens,
            self.cost - other.cost,
            self.seconds - other.seconds,
        )

    @property
    def words(self) -> str:
        cost = [f"${self.cost:.4f}"] if self.cost else []
        return ", ".join([_turns(self.turns), f"{self.tokens:,} tokens", *cost, f"{self.seconds:.1f} s"])

    def after(self, reply: Completion, tool_seconds: float) -> Spent:
        """With one more turn."""
        tokens = reply.usage.input_tokens + reply.usage.output_tokens
        seconds = reply.seconds + tool_seconds
        return Spent(
            self.turns + 1, self.tokens + tokens, self.cost + (reply.cost or 0.0), self.seconds + seconds
        )


@dataclass(frozen=True)
class Limit:
    """`cause` of a trial that fails by it. `words`: what it is, for people and for the model."""

    cause: Cause
    words: str


READS = Limit(Cause.OUT_OF_TOKENS, "what the model can read")


@dataclass(frozen=True)
class Limits:
    """See AgentRun; None is no limit. Raises NodeError for what cannot be one."""

    turns: int
    tokens: int | None
    cost: float | None
    seconds: float | None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not value > 0:
                raise NodeError(f"AgentRun: a limit of {value!r} {name}; it must be more than 0")

    @property
    def words(self) -> str:
        tokens = [f"{self.tokens:,} tokens"] if self.tokens is not None else []
        cost = [f"${self.cost:g}"] if self.cost is not None else []
        seconds = [f"{self.seconds:,g} s"] if self.seconds is not None else []
        return ", ".join([_turns(self.turns), *tokens, *cost, *seconds])

    def overrun(self, spent: Spent) -> Limit | None:
        """The limit that leaves room for nothing more."""
        if self.tokens is not None and spent.tokens >= self.tokens:
            return Limit(Cause.OUT_OF_TOKENS, f"{self.tokens:,} tokens")
        if self.cost is not None and spent.cost >= self.cost:
            return Limit(Cause.OUT_OF_MONEY, f"${self.cost:g}")
        if self.seconds is not None and spent.seconds >= self.seconds:
            return Limit(Cause.OUT_OF_TIME, f"{self.seconds:g} s")
        return None

    def next_to_last(self, spent: Spent, before: Spent) -> Limit | None:
        """The limit that leaves room for no more than one turn like the last one. `before`: what had been
        spent before that."""
        last = spent - before
        if spent.turns + 1 >= self.turns:
            return Limit(Cause.OUT_OF_TURNS, _turns(self.turns))
        if self.tokens is not None and spent.tokens + last.tokens >= self.tokens:
            return Limit(Cause.OUT_OF_TOKENS, f"{self.tokens:,} tokens")
        if self.cost is not None and spent.cost + last.cost >= self.cost:
            return Limit(Cause.OUT_OF_MONEY, f"${self.cost:g}")
        if self.seconds is not None and spent.seconds + last.seconds >= self.seconds:
            return Limit(Cause.OUT_OF_TIME, f"{self.seconds:g} s")
        return None
