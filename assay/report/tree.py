"""A test as a tree to read: what each step is told, who does it, and where."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from assay.language.dsl import AndNode, Node, NotNode, OrNode, StringNode, ThenNode
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM
from assay.report.sanitise import one_line, visible

WIDTH = 72  # characters of an argument that are shown
PLAYERS = {LLM: "the model under test", EVAL_LLM: "the judge", VISION_EVAL_LLM: "the judge of pictures"}


@dataclass(frozen=True)
class Step:
    """A node. `asks`: whom, '' for nobody; `again`: only if a reply is unclear. `sandbox`: whether it runs
    there. `needs`: what the sandbox must have. `code`: file:line of a function of the author's. `repeats`:
    how often it asks is not known."""

    title: str
    arguments: tuple[tuple[str, str], ...] = ()
    asks: str = ""
    again: bool = False
    sandbox: bool = False
    host: bool = False
    needs: tuple[str, ...] = ()
    code: str = ""
    steps: tuple[Step, ...] = ()
    repeats: bool = False
    warnings: list[str] = field(default_factory=list)

    def notes(self) -> list[str]:
        """What is worth knowing of it, in words."""
        said = []
        if self.asks:
            said.append(f"asks {self.asks}" + (" once more if the reply is unclear" if self.again else ""))
        if self.sandbox:
            said.append("in the sandbox" + (f", with {', '.join(self.needs)}" if self.needs else ""))
        if self.host:
            said.append("on this machine")
        if self.code:
            said.append(self.code)
        return said

    def to_json(self) -> dict[str, Any]:
        return {
            "node": self.title, "arguments": dict(self.arguments), "asks": self.asks, "again": self.again,
            "sandbox": self.sandbox, "needs": list(self.needs), "code": self.code,
            "warnings": list(self.warnings), "steps": [each.to_json() for each in self.steps],
        }  # fmt: skip


def tree(test: Node) -> list[Step]:
    """The steps of a test in order; those of `&`, `|`, `~` and loops stand below them."""
    return [_step(node) for node in _chain(test)]


def _chain(node: Node) -> Iterator[Node]:
    """a >> b >> c, however the operators nested it."""
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
        node.on_host,
        tuple(node.needs),
        _place(getattr(node, "fn", None)),
        tuple(_named(name, each) for name, each in _parts(node)),
        node.repeats,
    )


def _branch(node: Node) -> Step:
    """A side of an operator: one step, or several behind one another."""
    steps = tree(node)
    return steps[0] if len(steps) == 1 else Step("in order", steps=tuple(steps))


def _named(name: str, node: Node) -> Step:
    return Step(f"{name}:", steps=tuple(tree(node)))


def _sides(node: Node, kind: type[Node]) -> Iterator[Node]:
    """a | b | c as three."""
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
    """Those that differ from what the node takes by itself, each as Python shows it."""
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
    """As Python shows it, on one line; of a long text the beginning and how much more there is."""
    if isinstance(value, str):
        text = visible(value)
        lines = text.count("\n") + 1
        first = one_line(text.strip().partition("\n")[0])
        cut = first if len(first) <= WIDTH else first[: WIDTH - 1] + "…"
        more = f" … {lines} lines" if lines > 1 else ""
        return json.dumps(cut, ensure_ascii=False) + more
    text = one_line(repr(value))
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _place(fn: Any) -> str:
    """'judge(), tests/foo.py:12', where the author's function stands; '' for none."""
    if not callable(fn):
        return ""
    name = getattr(fn, "__name__", type(fn).__name__)
    code = getattr(inspect.unwrap(fn), "__code__", None)
    if code is None:
        return f"{name}()"
    return f"{name}(), {Path(code.co_filename).name}:{code.co_firstlineno}"


def unreached(steps: Sequence[Step], most: int | None) -> None:
    """Mark the steps that no right reference reaches: one of `most` replies answers so many calls. None:
    some reference is a function of the dialogue, which may answer any number."""
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
    """In the order in which they run; loops, where the number of calls is not known, are left out."""
    for step in steps:
        if step.repeats:
            return
        yield step
        yield from _walk(step.steps)
