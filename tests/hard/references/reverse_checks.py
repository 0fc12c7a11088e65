"""Right and wrong replies to reverse_checks."""

from __future__ import annotations

from ..reverse_checks import TASK


def right(seed: int) -> list[str]:
    table, _ = TASK.puzzle(seed)
    return [f"I went through the cases.\n\nTable: {table}", f"- **Table:** {', '.join(table)}"]


def wrong(seed: int) -> list[str]:
    table, _ = TASK.puzzle(seed)
    inverse = "".join(str(table.index(digit)) for digit in "0123456789")
    turned = "".join(str((int(digit) + 1) % 10) for digit in table)
    swapped = table[1] + table[0] + table[2:]
    said = (inverse, turned, swapped, table[:9], "0123456789")
    return [f"Table: {each}" for each in said if each != table] + ["No table fits."]
