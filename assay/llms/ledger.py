"""What a run has spent, and whether it may go on spending."""

from __future__ import annotations

from assay.errors import BudgetExceeded
from assay.records import Usage


class Ledger:
    """Sums paid calls. `cost` is None once a call of unknown price was made."""

    def __init__(self, max_cost: float | None = None, max_tokens: int | None = None) -> None:
        self.max_cost, self.max_tokens = max_cost, max_tokens
        self.usage = Usage()
        self.known_cost = 0.0
        self.unknown_prices = 0  # calls

    @property
    def cost(self) -> float | None:
        return None if self.unknown_prices else self.known_cost

    def add(self, usage: Usage, cost: float | None) -> None:
        self.usage += usage
        if cost is None:
            self.unknown_prices += 1
        else:
            self.known_cost += cost

    def check(self) -> None:
        """Before each request. Raises BudgetExceeded; calls already in flight end normally."""
        if self.max_cost is not None and self.known_cost >= self.max_cost:
            raise BudgetExceeded(
                f"--max-cost {self.max_cost:g} reached: ${self.known_cost:.4f} spent; "
                "go on with --resume and a higher limit"
            )
        if self.max_tokens is not None:
            tokens = self.usage.input_tokens + self.usage.output_tokens
            if tokens >= self.max_tokens:
                raise BudgetExceeded(
                    f"--max-tokens {self.max_tokens} reached: {tokens} used; "
                    "go on with --resume and a higher limit"
                )
