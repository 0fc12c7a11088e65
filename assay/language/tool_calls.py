"""Judging which tools a reply calls, and with what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps, loads
from typing import Any

from assay.errors import ModelFault, NodeError
from assay.language.dsl import Branch, Branches, Context, Node, NoOutput, Reason
from assay.language.judge import Evaluator, as_json, verdict
from assay.language.tools import Calling, read_arguments
from assay.language.values import excerpt, on_one_line
from assay.records import Block, Cause, ToolCall

NO_CALLS = "ToolCallEvaluator judges a reply to tools: LLMRun(tools=[...]) before it"


@dataclass(frozen=True, repr=False)
class ToolCallEvaluator(Evaluator):
    """True if the reply of LLMRun(tools=...) is one call of `tool` with these arguments.

    They are compared as JSON values: 1 equals 1.0 and differs from "1" and true, the items of a list have
    an order, the keys of an object have none. An argument that is not in `arguments` must be left out, or
    equal its default; with `extra` it may be anything. None: whatever the arguments are. They may be written
    as JSON, e.g. for numbers of a column: '{"days": <days>}'. With `among` it may be one of several calls.
    """

    tool: str
    arguments: Mapping[str, Any] | str | None = None
    among: bool = False
    extra: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.tool, str):
            raise NodeError(f"ToolCallEvaluator needs the name of a tool, not {self.tool!r:.100}")
        if isinstance(self.arguments, str):  # which may have columns yet
            return
        try:
            wrong = self.arguments is not None and not isinstance(loads(dumps(self.arguments)), dict)
        except (TypeError, ValueError):
            wrong = True
        if wrong:
            raise NodeError(
                "ToolCallEvaluator needs the arguments as a dict of JSON values, e.g. "
                f'ToolCallEvaluator({self.tool!r}, {{"city": "Oslo"}}), not {self.arguments!r:.100}'
            )

    def unfit(self, before: Node, verdict: bool) -> str:
        if not verdict:
            raise NodeError(f"{NO_CALLS}, not {type(before).__name__} without tools")
        return super().unfit(before, verdict)

    async def run(self, value: Any, ctx: Context) -> Branches:
        if not isinstance(value, Calling):
            raise NodeError(NO_CALLS)
        try:
            why, cause, broken = self._why_not(value)
        except RecursionError:
            raise ModelFault("the arguments nest too deep to be compared") from None
        if not why:
            more = "" if self.arguments is None else f" with {self._wanted}"
            yield verdict(self, True, f"called {self.tool}{more}")
            return
        block = Block("verdict", type(self).__name__, why, passed=False, cause=cause)
        yield Branch(NoOutput(why, cause) if broken else False, Reason(self, block))

    @property
    def _wanted(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else as_json(self.arguments, 200)

    def _why_not(self, reply: Calling) -> tuple[str, str, bool]:
        """What differs from the call that is wanted, its cause, and whether it cannot be compared."""
        calls = reply.calls
        if not calls:
            said = f"; the reply was {excerpt(reply)}" if reply.strip() else ""
            return f"no tool was called{said}", Cause.NO_CALL, False
        if len(calls) > 1 and not self.among:
            names = on_one_line(", ".join(call.name for call in calls), 200)
            return f"{len(calls)} tools were called ({names}), where one call was wanted", "", False
        own = [call for call in calls if call.name == self.tool]
        if not own:
            names = on_one_line(", ".join(dict.fromkeys(call.name for call in calls)), 200)
            return f"called {names}, not {self.tool}", "", False
        if self.arguments is None:
            return "", "", False
        found = [self._differs(call, reply) for call in own]
        if len(found) == 1 or not all(why for why, _, _ in found):
            return next((each for each in found if not each[0]), found[0])
        wanted = as_json(self.arguments, 200)
        return (
            f"none of {len(found)} calls of {self.tool} has the arguments {wanted}",
            "",
            all(broken for _, _, broken in found),
        )

    def _differs(self, call: ToolCall, reply: Calling) -> tuple[str, str, bool]:
        own = self.arguments
        try:
            wanted = read_arguments(own if isinstance(own, str) else dumps(own))
        except ValueError as error:
            raise NodeError(f"ToolCallEvaluator({self.tool!r}): {error}") from None
        try:
            given = read_arguments(call.arguments)
        except ValueError as error:
            return f"{self.tool}: {error}: {excerpt(call.arguments)}", Cause.BROKEN_CALL, True
        defaults, optional = reply.defaults(self.tool), reply.optional(self.tool)
        named, wanted, given = wanted, {**defaults, **wanted}, {**defaults, **given}
        if self.extra:  # anything that is not named may be anything
            wanted, given = named, {name: each for name, each in given.items() if name in named}
        left_out = {name for name in optional - set(wanted) if given.get(name, 0) is None}
        given = {name: each for name, each in given.items() if name not in left_out}
        why = _difference(wanted, given, "argument ")
        return (f"{self.tool}: {why}" if why else ""), "", False


def _difference(wanted: Any, found: Any, where: str) -> str:
    """Where a JSON value is another than the wanted one, in words; '' if it is the same.

    >>> _difference({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3.0]}}, "argument ")
    'argument a.b[1] should be 2, is 3.0'
    >>> _difference({"a": 1}, {"b": 1}, "argument "), _difference({"n": 1}, {"n": 1.0}, "")
    ("argument 'a' is missing", '')
    """
    if isinstance(wanted, dict) and isinstance(found, dict):
        inside = where if where in ("", "argument ") else f"{where}."
        for key, value in wanted.items():
            if key not in found:
                return f"{inside}{key!r} is missing"
            if why := _difference(value, found[key], f"{inside}{key}"):
                return why
        extra = [key for key in found if key not in wanted]
        return f"{inside}{extra[0]!r:.100} ({as_json(found[extra[0]])}) is not wanted" if extra else ""
    if isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            return f"{where} should have {len(wanted)} items, has {len(found)}: {as_json(found)}"
        pairs = enumerate(zip(wanted, found, strict=True))
        whys = (_difference(*pair, f"{where}[{place}]") for place, pair in pairs)
        return next(filter(None, whys), "")
    same_kind = isinstance(wanted, bool) == isinstance(found, bool)  # True == 1 in Python, not in JSON
    if same_kind and not isinstance(found, (dict, list)) and wanted == found:
        return ""
    return f"{where} should be {as_json(wanted)}, is {as_json(found)}"
