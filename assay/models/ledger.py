"""What a run has spent, what its calls in flight are expected to cost, and whether another may begin."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.dialogue import money
from assay.errors import BudgetExceeded
from assay.records import Usage
from assay.trial_clock import standing_still

FIRST_OUTPUT = 1000  # assumed tokens of a model's first reply


@dataclass
class Past:
    """The paid calls of one model."""

    calls: int = 0
    output_tokens: int = 0
    squares: int = 0  # sum of the squares of each call's output tokens
    cost: float = 0.0

    def long_reply(self) -> int:
        """The mean of its replies' tokens and one standard deviation more."""
        mean = self.output_tokens / self.calls
        return round(mean + math.sqrt(max(0.0, self.squares / self.calls - mean * mean)))


@dataclass(eq=False)
class Ticket:
    """A call in flight: its model, about how many tokens its prompt has, and what usage costs there. `most`:
    tokens of its longest reply, 0 if unknown."""

    name: str
    prompt: int
    cost_of: Callable[[Usage], float | None]
    charged: bool = False
    most: int = 0


class Ledger:
    """
    Sums the paid calls of all models and judges of a run. `cost` is None once a call of unknown price was
    made. Under `max_cost` no call follows one whose cost cannot be estimated either.

    With a budget, what the calls in flight are expected to cost is set aside: one more begins only if there
    is room for it, else it waits until one of them has ended. When none is in flight it begins while
    anything of the budget is left. So a run exceeds its budget by about the cost of one call, not of all
    calls in flight. A call is expected to be as long as the model's calls were on average, and a standard
    deviation more; as calls end, the expectation for those still in flight is updated.
    """

    def __init__(self, max_cost: float | None = None, max_tokens: int | None = None) -> None:
        self.max_cost, self.max_tokens = max_cost, max_tokens
        self.usage = Usage()
        self.known_cost = 0.0
        self.unknown_prices = 0  # calls
        # expected of calls whose reply never came or told no cost: what the budget counts, and nobody saw
        self.lost_cost, self.lost_tokens = 0.0, 0
        self._unkept = ""  # why no budget can be kept: what of a reply nothing tells
        self.in_flight: set[Ticket] = set()
        self._past: dict[str, Past] = {}
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def cost(self) -> float | None:
        return None if self.unknown_prices else self.known_cost

    @property
    def tokens(self) -> int:
        return self.usage.input_tokens + self.usage.output_tokens

    async def enter(self, name: str, prompt: int, cost_of: Callable[[Usage], float | None]) -> Ticket:
        """Call before each request of about `prompt` tokens to the model `name`. Waits until there is room.
        Raises BudgetExceeded; the calls already in flight end normally. The ticket goes to `paid` or to
        `left`, whatever comes of the call."""
        while True:
            self.check()
            ticket = Ticket(name, prompt, cost_of)
            if not self.in_flight or self._fits(ticket):
                self.in_flight.add(ticket)
                return ticket
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                with standing_still():
                    await turn
            finally:
                if turn in self._waiting:
                    self._waiting.remove(turn)

    def enter_wave(self, tickets: Sequence[Ticket], least: int) -> int:
        """How many of these calls, which are sent together, there is room for, from the first; these are in
        flight then. Raises BudgetExceeded if there is no room and none is in flight.

        Nothing is learnt while a wave is under way. So a model's first replies are expected to be as long as
        they can be or, where that leaves room for fewer than `least` calls, as `expected` says for these.
        """
        self.check()
        if self.max_tokens is None and self.max_cost is None:
            self.in_flight.update(tickets)
            return len(tickets)
        begun = Counter(each.name for each in self.in_flight)
        tokens, cost = self.tokens + self.lost_tokens, self.known_cost + self.lost_cost
        for its_tokens, its_cost in (self.expected(each, longest=True) for each in self.in_flight):
            tokens, cost = tokens + its_tokens, cost + (its_cost or 0.0)
        admitted = 0
        for ticket in tickets:
            for longest in (True, False):
                if not longest and (ticket.name in self._past or begun[ticket.name] >= least):
                    continue
                its_tokens, its_cost = self.expected(ticket, longest=longest)
                within = self.max_tokens is None or tokens + its_tokens <= self.max_tokens
                if within and (self.max_cost is None or cost + (its_cost or 0.0) <= self.max_cost):
                    break
            else:
                break
            tokens, cost = tokens + its_tokens, cost + (its_cost or 0.0)
            begun[ticket.name] += 1
            self.in_flight.add(ticket)
            admitted += 1
        if not admitted and not self.in_flight:
            limit = (
                f"--max-tokens {self.max_tokens}"
                if self.max_cost is None
                else f"--max-cost {self.max_cost:g}"
            )
            raise BudgetExceeded(
                f"{limit}: what is left of it is less than the next call is expected to need; continue with "
                "--resume and a larger budget of its own"
            )
        return admitted

    def join(self, ticket: Ticket) -> None:
        """Record that a call is in flight that an earlier command sent."""
        self.in_flight.add(ticket)

    def expected(self, ticket: Ticket, *, longest: bool = False) -> tuple[int, float | None]:
        """Tokens, and what they cost; None if nothing is known of the price. `longest`: of a model that has
        not replied, the longest reply."""
        past = self._past.get(ticket.name)
        output = past.long_reply() if past else (longest and ticket.most) or FIRST_OUTPUT
        # of what it reads the provider may keep all for the next time, at a price of its own
        kept = Usage(ticket.prompt, output, cache_write_tokens=ticket.prompt)
        costs = [ticket.cost_of(usage) for usage in (Usage(ticket.prompt, output), kept)]
        known = [cost for cost in costs if cost is not None]
        if not known and past:
            known = [past.cost / past.calls]
        return ticket.prompt + output, max(known, default=None)

    def _fits(self, ticket: Ticket) -> bool:
        if self.max_tokens is None and self.max_cost is None:
            return True
        expected = [self.expected(each) for each in (ticket, *self.in_flight)]
        wanted = self.tokens + self.lost_tokens + sum(tokens for tokens, _ in expected)
        if self.max_tokens is not None and wanted > self.max_tokens:
            return False
        if self.max_cost is not None:
            known = [cost for _, cost in expected if cost is not None]
            return (
                len(known) == len(expected) and self.known_cost + self.lost_cost + sum(known) <= self.max_cost
            )
        return True

    def paid(self, ticket: Ticket, usage: Usage, cost: float | None) -> None:
        """Record that the call has ended with a reply."""
        ticket.charged = True
        if cost is None and self.max_cost is not None:  # the budget counts what is to be expected
            expected = self.expected(ticket)[1]
            self.lost_cost += expected or 0.0
            if expected is None:
                self._unkept = (
                    f"--max-cost {self.max_cost:g} cannot be kept: the cost of a reply of {ticket.name} is "
                    "unknown; a function returns a Completion with a cost, or has traits=Traits(free=True); "
                    "any other model needs a price in config.json"
                )
        counted = usage.input_tokens or usage.output_tokens
        if not counted and cost != 0 and self.max_tokens is not None:
            self._unkept = (
                f"--max-tokens {self.max_tokens} cannot be kept: the tokens of a reply of {ticket.name} are "
                "unknown; a function returns a Completion with a Usage, or has traits=Traits(free=True)"
            )
        if counted:
            past = self._past.setdefault(ticket.name, Past())
            past.calls += 1
            past.output_tokens += usage.output_tokens
            past.squares += usage.output_tokens**2
            past.cost += cost or 0.0
            self.usage += usage
        if cost is None:
            self.unknown_prices += 1
        else:
            self.known_cost += cost
        self.left(ticket)

    def lost(self, ticket: Ticket) -> None:
        """Record that the request was sent and no reply can be read: it counts with its expected cost,
        because the provider may charge it."""
        if ticket.charged:
            return
        ticket.charged = True
        tokens, cost = self.expected(ticket)
        self.lost_tokens += tokens
        self.lost_cost += cost or 0.0
        self.left(ticket)

    def left(self, ticket: Ticket) -> None:
        """Record that the call is over; a second call has no effect."""
        if ticket in self.in_flight:
            self.in_flight.remove(ticket)
            waiting, self._waiting = self._waiting, []
            for turn in waiting:  # in their order: the first for whom there is room goes, the rest wait on
                if not turn.done():
                    turn.set_result(None)

    def check(self) -> None:
        """Raises BudgetExceeded if the budget is used up, or cannot be kept."""
        if self._used_up():
            raise BudgetExceeded(self._used_up)

    def _used_up(self) -> str:
        """What of the budget is used up, with all that is spent by now; '' if nothing is."""
        again = "continue with --resume, which has a budget of its own"
        if self._unkept:
            return self._unkept
        lost = f", of which {money(self.lost_cost)} is estimated for calls of unknown cost"
        if self.max_cost is not None and self.known_cost + self.lost_cost >= self.max_cost:
            spent = f"{money(self.known_cost + self.lost_cost)} spent{lost if self.lost_cost else ''}"
            return f"--max-cost {self.max_cost:g} reached: {spent}; {again}"
        if self.max_tokens is not None and self.tokens + self.lost_tokens >= self.max_tokens:
            lost = f", of which {self.lost_tokens} are estimated for calls without a readable reply"
            used = f"{self.tokens + self.lost_tokens} used{lost if self.lost_tokens else ''}"
            return f"--max-tokens {self.max_tokens} reached: {used}; {again}"
        return ""
