"""A test as a readable tree: what each step gets, who does it, and where."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from assay.language.asked_judge import Judge
from assay.language.dsl import AndNode, Node, NotNode, OrNode, StringNode, ThenNode, expression
from assay.language.models import LLMVisionRun
from assay.language.values import is_token
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM
from assay.report.sanitise import one_line, visible

WIDTH = 72  # characters of an argument that are shown
PLAYERS = {LLM: "the model under test", EVAL_LLM: "the judge", VISION_EVAL_LLM: "the judge of pictures"}


@dataclass(frozen=True)
class Step:
    """A node. `in_short`: its arguments in a node's own words, '' for none.

    `asks`: whom, '' for nobody; `again`: only if a reply is unclear. `sandbox`: whether it runs there;
    `picture`: whether a picture is decoded there, to be shown to whom it asks. `needs`: what the sandbox must
    have. `code`: file:line of the author's function. `repeats`: the number of calls is unknown."""

    title: str
    arguments: tuple[tuple[str, str], ...] = ()
    asks: str = ""
    again: bool = False
    sandbox: bool = False
    picture: bool = False
    host: bool = False
    needs: tuple[str, ...] = ()
    code: str = ""
    steps: tuple[Step, ...] = ()
    repeats: bool = False
    in_short: str = ""
    warnings: list[str] = field(default_factory=list)

    def notes(self) -> list[str]:
        """What a reader should know about the step, in words."""
        said = []
        if self.asks:
            said.append(f"asks {self.asks}" + (" once more if the reply is unclear" if self.again else ""))
        if self.sandbox:
            said.append("in the sandbox" + (f", with {', '.join(self.needs)}" if self.needs else ""))
        if self.picture:
            said.append("its picture is decoded in the sandbox")
        if self.host:
            said.append("on this machine")
        if self.code:
            said.append(self.code)
        return said

    def to_json(self) -> dict[str, Any]:
        return {
            "node": self.title, "arguments": dict(self.arguments), "asks": self.asks, "again": self.again,
            "sandbox": self.sandbox or self.picture, "needs": list(self.needs), "code": self.code,
            "warnings": list(self.warnings), "steps": [each.to_json() for each in self.steps],
        }  # fmt: skip


def tree(test: Node) -> list[Step]:
    """The steps of a test in order; those of `&`, `|`, `~` and loops are nested below them."""
    return [_step(node) for node in _chain(test)]


def _chain(node: Node) -> Iterator[Node]:
    """The nodes of a >> b >> c, however they are nested."""
    if isinstance(node, ThenNode):
        yield from _chain(node.left)
        yield from _chain(node.right)
    else:
        yield node


def _step(node: Node) -> Step:
    if isinstance(node, (AndNode, OrNode)):
        title = "both of (&)" if isinstance(node, AndNode) else "either of (|)"
        return Step(title, steps=tuple(_branch(side) for side in _sides(node, type(node))))
    if isinstance(node, NotNode):
        return Step("not (~)", steps=(_branch(node.node),))
    if isinstance(node, StringNode):
        return Step(shortened(node.text))
    return Step(
        node.shown_as or type(node).__name__,
        tuple(_arguments(node)),
        " and ".join(PLAYERS[role] for role in dict.fromkeys(node.asks)),
        node.asks_again,
        node.in_sandbox,
        isinstance(node, LLMVisionRun) or (isinstance(node, Judge) and VISION_EVAL_LLM in node.asks),
        node.on_host,
        tuple(node.needs),
        _place(getattr(node, "fn", None)),
        tuple(_named(name, each) for name, each in _parts(node)),
        node.repeats,
        one_line(node.in_short),
    )


def _branch(node: Node) -> Step:
    """A side of an operator: one step, or several in sequence."""
    steps = tree(node)
    return steps[0] if len(steps) == 1 else Step("in order", steps=tuple(steps))


def _named(name: str, node: Node) -> Step:
    return Step(f"{name}:", steps=tuple(tree(node)))


def _sides(node: Node, kind: type[Node]) -> Iterator[Node]:
    """The three sides of a | b | c, however they are nested."""
    if type(node) is kind and isinstance(node, (AndNode, OrNode)):
        yield from _sides(node.left, kind)
        yield from _sides(node.right, kind)
    else:
        yield node


def _parts(node: Node) -> Iterator[tuple[str, Node]]:
    names = [each.name for each in fields(node)] if is_dataclass(node) else list(vars(node))
    for name in names:
        value = getattr(node, name, None)
        if isinstance(value, Node):
            yield name, value


def _arguments(node: Node) -> Iterator[tuple[str, str]]:
    """The arguments that differ from the node's defaults, as Python shows them."""
    if not is_dataclass(node):
        return
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Node) or callable(value):
            continue
        if each.name == "llm" or (value == each.default and type(value) is type(each.default)):
            continue
        yield each.name, shortened(value)


def shortened(value: Any) -> str:
    """A value as Python shows it, on one line; a long text is cut, with the length of the rest."""
    if isinstance(value, str):
        if is_token(value):
            return "all tests passed"
        text = visible(value)
        lines = text.count("\n") + 1
        first = one_line(text.strip().partition("\n")[0])
        cut = first if len(first) <= WIDTH else first[: WIDTH - 1] + "…"
        more = f" … {lines} lines" if lines > 1 else ""
        return json.dumps(cut, ensure_ascii=False) + more
    text = one_line(expression(value))
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _place(fn: Any) -> str:
    """For example 'judge(), tests/foo.py:12', the place of the author's function; '' for none."""
    if not callable(fn):
        return ""
    name = getattr(fn, "__name__", type(fn).__name__)
    code = getattr(inspect.unwrap(fn), "__code__", None)
    if code is None:
        return f"{name}()"
    return f"{name}(), {Path(code.co_filename).name}:{code.co_firstlineno}"


def unreached(steps: Sequence[Step], most: int | None) -> None:
    """Mark the steps that no right reference reaches: each of `most` replies answers one call. None: some
    reference is a function of the dialogue, which may answer any number of calls."""
    if most is None:
        return
    asked = 0
    for step in _walk(steps):
        if step.asks and not step.again:
            asked += 1
            if asked > most:
                replies = "1 reply" if most == 1 else f"{most} replies"
                step.warnings.append(
                    f"no right reference reaches this step: this is call {asked}, the longest has {replies}"
                )
                return


def _walk(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps in the order in which they run, without loops, whose number of calls is unknown."""
    for step in steps:
        if step.repeats:
            return
        yield step
        yield from _walk(step.steps)
