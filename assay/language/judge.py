"""Nodes that judge: their output is the verdict, their reason says why."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import ModelFault, NodeError, NoText
from assay.language.apart import SHORT, apart, read, search
from assay.language.dsl import Branch, Branches, Context, Node, NoOutput, Reason
from assay.language.extract import json_text
from assay.language.printed import Printed, PrintedBytes, judged_texts
from assay.language.values import PLACE, as_text, excerpt, is_token, seen_blocks, textless, value_summary
from assay.records import Block

# A number stands in a run of such characters, which are looked at once; possessive (++): never in part
RUN = re.compile(r"[\w.,\u2009\u202f\u00a0]++")
SEPARATOR = re.compile(r"[,\u2009\u202f\u00a0]")
PART = re.compile(r"(?P<digits>\d{1,3}(?:_\d{3})++(?!\d)|\d++)(?:\.(?P<decimals>\d++))?\D*+")
LIST = re.compile(r"(?<=[\[\]])[\d\s,.+\u2212-]++(?=[\[\]])")  # between brackets a comma separates numbers
SIGNS = "-+\u2212"


NO_TEXTS: Mapping[type, str] = {
    int: "the number ", float: "the number ", list: "the list ", dict: "the dict ", bool: "", type(None): "",
}  # fmt: skip

IT_WAS, ALL_PRINTED = "it was", "all that was printed, errors too:"  # before what was judged

_CHECK = re.compile(r"^test \d+ failed: .{1,300}", re.MULTILINE)


def failed_check(text: str) -> str:
    """What the first failed check of a test program said; '' if none did."""
    said = _CHECK.search(text)
    return said[0] if said else ""


def first_missing(wanted: str, text: str, lower: bool = False) -> str:
    """The first line of a wanted text that is missing; '' if the wanted text is a single line.

    >>> first_missing("a\\nb\\nc", "a\\nc\\n")
    "no line 'b'"
    """
    if "\n" not in wanted:
        return ""
    wanted, text = (wanted.lower(), text.lower()) if lower else (wanted, text)
    there = set(text.splitlines())
    missing = next((line for line in wanted.splitlines() if line not in there), "")
    return f"no line {excerpt(missing)}" if missing else ""


def with_ends_of(wanted: str, text: str) -> str:
    """A text in which lines end as in what is wanted: \\r\\n is one only to a test that says so itself."""
    return text if "\r" in wanted else text.replace("\r\n", "\n")


def verdict(node: Node, passed: bool, why: str, seen: Any = None) -> Branch:
    """The verdict as a branch, with the reason. `seen`: what was judged, shown in part if it failed."""
    shown: tuple[Block, ...] = ()
    it_was, cause = IT_WAS, ""
    if passed and isinstance(seen, (Printed, PrintedBytes)) and (broke := seen.streams.broke):
        why, cause = f"{why}; {broke.body}", broke.cause  # it passes by what was printed before
    if isinstance(seen, Printed) and not seen.streams.ok:  # else it might be "differs from ''; it was ''"
        it_was = it_was if seen == seen.streams.told else ALL_PRINTED
        seen = seen.streams.told
    if not passed and seen is not None:
        why += f"; {it_was} {value_summary(seen)}"
        shown = seen_blocks(seen, "the output")
    block = Block("verdict", type(node).__name__, why, passed=passed, cause=cause)
    return Branch(passed, Reason(node, (block, *shown) if shown else block))


def judges_a_verdict(node: Node, before: Node) -> str:
    """What to say of a check behind another one."""
    name, other = type(node).__name__, before.shown_as or type(before).__name__
    return (
        f"{name} judges the verdict of the check before it ({other}), which is True or False, and not the "
        f"answer; join two checks with &, as in ... >> ({other}(...) & {name}(...))"
    )


class Evaluator(Node):
    """A node whose explanation is one verdict."""

    is_judge = True

    def unfit(self, before: Node, verdict: bool) -> str:
        return judges_a_verdict(self, before) if verdict else ""

    @classmethod
    def explain(cls, children: Any) -> Block:
        return children if isinstance(children, Block) else super().explain(children)


@dataclass(frozen=True, repr=False)
class SubstringEvaluator(Evaluator):
    """True if the output contains `substr`; `lower` ignores case."""

    substr: str
    lower: bool = False

    def unfit(self, before: Node, verdict: bool) -> str:
        if self.substr == "":
            return 'SubstringEvaluator("") finds the empty text in every output, whatever is replied'
        return super().unfit(before, verdict)

    async def run(self, value: Any, ctx: Context) -> Branches:
        wanted = as_text(self.substr)
        text = with_ends_of(wanted, as_text(value))
        found = wanted.lower() in text.lower() if self.lower else wanted in text
        if is_token(wanted):  # meaningless to people
            why = "all tests passed" if found else failed_check(text) or "not all tests passed"
        else:
            cased = ", whatever the case" if self.lower else ""
            why = f"output {'contains' if found else 'lacks'} {excerpt(wanted)}{cased}"
            if not found and (missing := first_missing(wanted, text, self.lower)):
                why = f"{missing}; {why}"
        yield verdict(self, found, why, value)


@dataclass(frozen=True, repr=False)
class RegexEvaluator(Evaluator):
    """True if `pattern` matches anywhere in the output, as `re.search` does.

    An output in which it is searched for longer than 20 s is a FAIL.
    """

    pattern: str
    ignore_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            re.compile(self.pattern)
        except (re.error, TypeError) as error:
            raise NodeError(f"RegexEvaluator: {self.pattern!r} is not a valid pattern: {error}") from None

    async def run(self, value: Any, ctx: Context) -> Branches:
        flags = re.IGNORECASE if self.ignore_case else 0
        matches = [await search(self.pattern, flags, as_text(text)) for text in judged_texts(value)]
        shown = f"/{self.pattern}/{'i' if self.ignore_case else ''}"
        if matches[0] is not None and None not in matches:
            yield verdict(self, True, f"output matches {shown} with {excerpt(matches[0])}", value)
        elif matches[0] is not None:
            why = f"the run failed, and with its error messages the output does not match {shown}"
            yield verdict(self, False, why, value)
        else:
            yield verdict(self, False, f"output does not match {shown}", value)


def integers(text: str) -> list[int]:
    """The whole numbers in a text: 1,234 and 1_234 are one number, 7.0 is 7, 3.5 and x86 do not count.
    A minus belongs to the digits right behind it; a dash, a list's mark or a rule does not.

    >>> integers("rows: 1,234 (was -7, +8), 3.5 s, 5.00, v2, 2024-01")
    [1234, -7, 8, 5, 2024, 1]
    >>> integers("- 42"), integers("-----\\n42"), integers("[100,200,-300]")
    ([42], [42], [100, 200, -300])
    """
    lists = [m.span() for m in LIST.finditer(text) if text[m.start() - 1] == "[" or text[m.end()] == "]"]
    lists.reverse()
    found: list[int] = []
    for run in RUN.finditer(text):
        while lists and lists[-1][1] <= run.start():
            lists.pop()
        in_list = bool(lists) and lists[-1][0] <= run.start()
        numbers = _numbers(SEPARATOR.split(run[0]), in_list)
        if numbers and numbers[0] and run[0][0].isdigit() and _is_negative(text, run.start()):
            numbers[0] = -numbers[0]
        found += [number for number in numbers if number is not None]
    return found


def _is_negative(text: str, start: int) -> bool:
    """Whether a minus stands right before `start` and belongs to what follows: not in 2024-01 or ---42."""
    before = text[start - 2 : start - 1] if start > 1 else ""
    sign = text[start - 1] if start else ""
    return sign in ("-", "\u2212") and not (before.isalnum() or (before and before in f"_)]{SIGNS}"))


def _numbers(parts: list[str], in_list: bool) -> list[int | None]:
    """The whole numbers in the pieces of a run; None first if it does not begin with one."""
    found: list[int | None] = []
    at = 0
    while at < len(parts):
        digits, end = parts[at], at
        if not in_list and len(digits) <= 3 and digits.isdecimal():
            while end + 1 < len(parts) and len(parts[end + 1]) == 3 and parts[end + 1].isdecimal():
                end += 1
        last = PART.fullmatch(parts[end])
        if not in_list and end + 1 < len(parts) and (end > at or (len(digits) <= 3 and digits.isdecimal())):
            tail = PART.fullmatch(parts[end + 1])  # 1,234.00 and 1,234th
            if tail and len(tail["digits"]) == 3:
                last, end = tail, end + 1
        found.append(_whole("".join(parts[at:end]), last))
        at = end + 1
    return found


def _whole(before: str, last: re.Match[str] | None) -> int | None:
    if last is None or (last["decimals"] or "").strip("0"):
        return None
    digits = before + last["digits"].replace("_", "")
    return int(digits) if len(digits) <= 4000 else None


def _integer_in(text: str, wanted: int) -> tuple[bool, list[int]]:
    """Whether it is there, and the first of those that are."""
    seen = integers(text)
    return wanted in seen, seen[:20]


@dataclass(frozen=True, repr=False)
class ContainsIntEvaluator(Evaluator):
    """True if the whole number `num` is in the output: 42 is not in "142", "4.2", "-42" or "x42"."""

    num: int

    def __post_init__(self) -> None:
        if isinstance(self.num, str) and re.fullmatch(r"\s*[-+]?\d+\s*", self.num):
            object.__setattr__(self, "num", int(self.num))
        super().__post_init__()

    async def run(self, value: Any, ctx: Context) -> Branches:
        asked = as_text(value), int(self.num)
        long = len(asked[0]) > SHORT  # an output of digits would hold up all other trials for a second
        found, first = await apart(_integer_in, *asked) if long else _integer_in(*asked)
        named = ", ".join(map(str, first)) or "none"
        why = (
            f"output contains the number {self.num}"
            if found
            else f"no {self.num} among its numbers ({named})"
        )
        yield verdict(self, found, why, value)


@dataclass(frozen=True, repr=False)
class EqualEvaluator(Evaluator):
    """True if the output equals `goal`. White space at both ends of two texts does not count, nor does case
    with `ignore_case`."""

    goal: Any
    ignore_case: bool = False

    def unfit(self, before: Node, verdict: bool) -> str:
        """A goal of the author's own type may equal anything."""
        if verdict:
            return super().unfit(before, verdict) if isinstance(self.goal, str) else ""
        if (kind := NO_TEXTS.get(type(self.goal))) is None or not before.yields_text:
            return ""
        write = f"EqualEvaluator({str(self.goal)!r})"
        if type(self.goal) is int:
            write += f" or ContainsIntEvaluator({self.goal})"
        elif isinstance(self.goal, (list, dict)):
            write = f"JSONSubsetEvaluator({self.goal!r:.60})"
        return (
            f"EqualEvaluator compares with {kind}{self.goal!r:.60}, which no text equals, and "
            f"{type(before).__name__} yields a text: write {write}"
        )

    async def run(self, value: Any, ctx: Context) -> Branches:
        if isinstance(value, (str, bytes, bytearray)) and isinstance(self.goal, str):
            texts = [with_ends_of(self.goal, as_text(text)).strip() for text in judged_texts(value)]
            goal = self.goal.strip()
            if self.ignore_case:
                texts, goal = [text.casefold() for text in texts], goal.casefold()
            printed = texts[0] == goal
            same = all(text == goal for text in texts)
            same = same and not (isinstance(value, Printed) and value.streams.notes)  # it is not all
        else:
            printed = same = bool(value == self.goal)
            if not same and (lacking := textless(value)) and _incomparable(value, self.goal):
                raise NoText(value, *lacking)
        if isinstance(value, PrintedBytes):
            same = same and value.streams.whole
        kinds = [_kind(each) for each in (value, self.goal)]
        cased = ", whatever the case" if self.ignore_case else ""
        if printed and not same:
            why = f"the program printed {self.goal!r}{cased}, but a failed run equals nothing"
        elif same or kinds[0] == kinds[1]:
            why = f"output {'equals' if same else 'differs from'} {self.goal!r}{cased}"
        else:  # 42 and '42'
            why = f"output ({kinds[0]}) differs from {self.goal!r} ({kinds[1]})"
        yield verdict(self, same, why, value)


def _incomparable(a: Any, b: Any) -> bool:
    """Whether neither knows how to compare itself with the other."""
    kinds: tuple[Any, Any] = type(a), type(b)
    return kinds[0].__eq__(a, b) is NotImplemented and kinds[1].__eq__(b, a) is NotImplemented


def _kind(value: Any) -> str:
    return "text" if isinstance(value, (str, bytes, bytearray)) else type(value).__name__


def as_json(value: Any, length: int = 60) -> str:
    """The start of a value as JSON has it, so that 1 and "1" look different."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= length else f"{text[:length]} ... ({len(text):,} characters)"


def difference(goal: Any, found: Any, *path: str) -> str:
    """What `found`, at a path of keys in an output, lacks of `goal`, in words; '' if it has everything.

    >>> difference({"a": 1}, {"b": 1}), difference({"a": {"b": {"c": 1}}}, {"a": {"b": {}}})
    ("the output's JSON lacks the key 'a'", "in the output's JSON, a.b lacks the key 'c'")
    """
    where = f"in the output's JSON, {'.'.join(path)}" if path else "the output's JSON"
    if isinstance(goal, dict):
        if not isinstance(found, dict):
            return f"{where} should be an object, is {as_json(found)}"
        for key, wanted in goal.items():
            if key not in found:
                return f"{where} lacks the key {key!r}"
            if why := difference(wanted, found[key], *path, key):
                return why
        return ""
    if isinstance(goal, list):
        if not isinstance(found, list):
            return f"{where} should be a list, is {as_json(found)}"
        return _missing_item(goal, found, where)
    same_kind = isinstance(goal, bool) == isinstance(found, bool)  # True == 1 in Python, not in JSON
    if same_kind and not isinstance(found, (dict, list)) and goal == found:
        return ""
    return f"{where} should be {as_json(goal)}, is {as_json(found)}"


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
            return f"{where} lacks the item {as_json(wanted, 100)}"
    return ""


def _as_goal(goal: Any) -> Any:
    """The JSON value that a text is, or that a value becomes."""
    return json.loads(goal if isinstance(goal, str) else json.dumps(goal))


@dataclass(frozen=True, repr=False)
class JSONSubsetEvaluator(Evaluator):
    """True if every key, item and value of `goal` is in the output, recursively.

    The output is an object, or text with JSON in it. More keys and items are allowed; list items
    may stand in any order, and each item of `goal` needs one of its own.
    """

    goal: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            if not isinstance(self.goal, str) or not PLACE.search(self.goal):
                _as_goal(self.goal)
        except (TypeError, ValueError, RecursionError) as error:
            raise NodeError(
                f"JSONSubsetEvaluator: {self.goal!r:.60} is not JSON ({error}); write a dict or a list, "
                'such as JSONSubsetEvaluator({"a": 1})'
            ) from None

    async def run(self, value: Any, ctx: Context) -> Branches:
        found = value
        if not isinstance(value, (dict, list)):
            text = await read(json_text, as_text(value))
            if text is None:
                branch = verdict(self, False, "output holds no JSON object or list", value)
                yield Branch(
                    NoOutput("output holds no JSON object or list"), branch.reason
                )  # `~` makes no PASS of it
                return
            found = json.loads(text)
        elif lacking := textless(value):
            raise NoText(value, *lacking)
        goal = _as_goal(self.goal)
        try:
            why = difference(goal, found)
        except (ValueError, RecursionError) as error:
            raise ModelFault(f"the output cannot be compared as JSON: {error}") from None
        yield verdict(self, not why, why or "output has every key, item and value of the goal", value)
