"""Nodes that judge: their output is the verdict, their reason says why."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from assay.errors import NodeError
from assay.nodes.dsl import Branch, Branches, Context, Node, Reason
from assay.nodes.extract import json_readings
from assay.nodes.fences import drop_thinking
from assay.nodes.values import as_text, excerpt, seen_blocks, value_summary
from assay.records import Block

# Possessive (++): a number is never read in part, and a long run of digits costs linear time
INTEGER = re.compile(
    r"(?<![\w.])(?P<sign>(?<![\w)\]])[-+\u2212]\s?)?"
    r"(?P<digits>(?>\d{1,3}(?:[,_\u2009\u202f\u00a0]\d{3})++(?!\d)|\d++))"
    r"(?:\.(?P<decimals>\d++))?(?![\w.]*\d)"
)


def verdict(node: Node, passed: bool, why: str, seen: Any = None) -> Branch:
    """A bool and why. `seen`: what was judged, shown in part when it failed."""
    shown: tuple[Block, ...] = ()
    if not passed and seen is not None:
        why += f"; it was {value_summary(seen)}"
        shown = seen_blocks(seen, "the output")
    block = Block("verdict", type(node).__name__, why, passed=passed)
    return Branch(passed, Reason(node, (block, *shown) if shown else block))


class Evaluator(Node):
    """A node whose explanation is one verdict."""

    @classmethod
    def explain(cls, children: Any) -> Block:
        return children if isinstance(children, Block) else super().explain(children)


@dataclass(frozen=True)
class SubstringEvaluator(Evaluator):
    """True if the output contains `substr`; with `lower` whatever the case of either."""

    substr: str
    lower: bool = False

    async def run(self, value: Any, ctx: Context) -> Branches:
        text, wanted = as_text(value), as_text(self.substr)
        found = wanted.lower() in text.lower() if self.lower else wanted in text
        cased = ", whatever the case" if self.lower else ""
        yield verdict(self, found, f"output {'contains' if found else 'lacks'} {wanted!r}{cased}", value)


@dataclass(frozen=True)
class RegexEvaluator(Evaluator):
    """True if `pattern` matches anywhere in the output, as `re.search` does."""

    pattern: str
    ignore_case: bool = False

    def __post_init__(self) -> None:
        try:
            re.compile(self.pattern)
        except (re.error, TypeError) as error:
            raise NodeError(f"RegexEvaluator cannot read its pattern {self.pattern!r}: {error}") from None

    async def run(self, value: Any, ctx: Context) -> Branches:
        match = re.search(self.pattern, as_text(value), re.IGNORECASE if self.ignore_case else 0)
        if match:
            yield verdict(self, True, f"output matches /{self.pattern}/ with {excerpt(match[0])}")
        else:
            yield verdict(self, False, f"output does not match /{self.pattern}/", value)


def integers(text: str) -> list[int]:
    """The whole numbers in a text: 1,234 and 1_234 are one number, 7.0 is 7, 3.5 and x86 are none.

    >>> integers("rows: 1,234 (was -7, +8), 3.5 s, 5.00, v2, 2024-01")
    [1234, -7, 8, 5, 2024, 1]
    """
    found = []
    for match in INTEGER.finditer(text):
        digits = re.sub(r"\D", "", match["digits"])
        if len(digits) <= 4000 and not (match["decimals"] or "").strip("0"):
            sign = -1 if (match["sign"] or "+")[0] in "-\u2212" else 1
            found.append(sign * int(digits))
    return found


@dataclass(frozen=True)
class ContainsIntEvaluator(Evaluator):
    """True if the whole number `num` is in the output: 42 is not in "142", "4.2" or "x42"."""

    num: int

    async def run(self, value: Any, ctx: Context) -> Branches:
        seen = integers(as_text(value))
        found = int(self.num) in seen
        named = ", ".join(map(str, seen[:20])) or "none"
        why = (
            f"output contains the number {self.num}"
            if found
            else f"no {self.num} among its numbers ({named})"
        )
        yield verdict(self, found, why, value)


@dataclass(frozen=True)
class EqualEvaluator(Evaluator):
    """True if the output equals `goal`. Of two texts, white space at both ends does not count."""

    goal: Any

    async def run(self, value: Any, ctx: Context) -> Branches:
        if isinstance(value, (str, bytes, bytearray)) and isinstance(self.goal, str):
            same = as_text(value).strip() == self.goal.strip()
        else:
            same = bool(value == self.goal)
        yield verdict(self, same, f"output {'equals' if same else 'differs from'} {self.goal!r}", value)


def difference(goal: Any, found: Any, where: str = "$") -> str:
    """Where `found` lacks something of `goal`, in words; '' if it has everything.

    >>> difference({"a": [1]}, {"a": [2, 1], "b": 0}), difference({"a": {"b": 1}}, {"a": {}})
    ('', "$.a lacks the key 'b'")
    """
    if isinstance(goal, dict):
        if not isinstance(found, dict):
            return f"{where} should be an object, is {excerpt(json.dumps(found), 60)}"
        for key, wanted in goal.items():
            if key not in found:
                return f"{where} lacks the key {key!r}"
            if why := difference(wanted, found[key], f"{where}.{key}"):
                return why
        return ""
    if isinstance(goal, list):
        if not isinstance(found, list):
            return f"{where} should be a list, is {excerpt(json.dumps(found), 60)}"
        return _missing_item(goal, found, where)
    same_kind = isinstance(goal, bool) == isinstance(found, bool)  # True == 1 in Python, not in JSON
    if same_kind and not isinstance(found, (dict, list)) and goal == found:
        return ""
    return f"{where} should be {json.dumps(goal)}, is {excerpt(json.dumps(found), 60)}"


def _missing_item(goal: list[Any], found: list[Any], where: str) -> str:
    """Each item of `goal` needs an item of its own in `found`, in any order (bipartite matching)."""
    fits = [[n for n, item in enumerate(found) if not difference(wanted, item)] for wanted in goal]
    taken: dict[int, int] = {}

    def place(wanted: int, tried: set[int]) -> bool:
        for n in fits[wanted]:
            if n not in tried:
                tried.add(n)
                if n not in taken or place(taken[n], tried):
                    taken[n] = wanted
                    return True
        return False

    for number, wanted in enumerate(goal):
        if not place(number, set()):
            return f"{where} lacks the item {excerpt(json.dumps(wanted), 100)}"
    return ""


@dataclass(frozen=True)
class JSONSubsetEvaluator(Evaluator):
    """True if every key, item and value of `goal` is in the output, recursively.

    The output is an object, or text with JSON in it. More keys and items are allowed; list items
    may stand in any order, and each item of `goal` needs one of its own.
    """

    goal: Any

    async def run(self, value: Any, ctx: Context) -> Branches:
        found = value
        if not isinstance(value, (dict, list)):
            text = next((text for text, _ in json_readings(drop_thinking(as_text(value)))), None)
            if text is None:
                yield verdict(self, False, "output holds no JSON object or list", value)
                return
            found = json.loads(text)
        goal = json.loads(self.goal if isinstance(self.goal, str) else json.dumps(self.goal))
        why = difference(goal, found)
        yield verdict(self, not why, why or "output has every key, item and value of the goal", value)
