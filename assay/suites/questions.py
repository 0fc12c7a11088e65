"""What a test asks the model, as far as its tree tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from assay.extensions import is_ours
from assay.language.dsl import Node, StringNode, ThenNode
from assay.language.pictures import Image
from assay.records import LLM
from assay.suites.braces import texts_of
from assay.suites.columns import columns_in

INPUT = "<A>"  # what comes in, in the prompts of nodes that ask a model


class Question(NamedTuple):
    """A text that the model is asked. `whole`: nothing is asked beside it."""

    text: str
    whole: bool


def first_step(node: Node) -> Node:
    return first_step(node.left) if isinstance(node, ThenNode) else node


def last_step(node: Node) -> Node:
    return last_step(node.right) if isinstance(node, ThenNode) else node


def asks_the_model(node: Node) -> bool:
    """Whether it asks the model under test in any case."""
    return LLM in node.asks and not node.asks_again


def may_ask(node: Node) -> bool:
    """Whether it may ask without saying so: code of the author's own runs. A class that only sets what
    Assay's code reads, as a run node of a package's language does, has none."""
    kind = type(node)
    return not (is_ours(kind.run) and is_ours(kind.__call__))


def shown_to_judge(test: Node) -> bool:
    """Whether a picture that the test begins with is shown to a judge, as LLMVisionRun does by default."""
    for node in test.walk():
        if isinstance(node, ThenNode) and isinstance(last_step(node.left), Image):
            step = first_step(node.right)
            if step.asks and LLM not in step.asks and step.is_judge is False:
                return True
    return False


def questions(test: Node) -> Iterator[Question]:
    """The texts that the model is asked."""
    for node in test.walk():
        if isinstance(node, ThenNode):
            step, text = first_step(node.right), last_step(node.left)
            if asks_the_model(step) and isinstance(text, StringNode):
                yield Question(text.text, getattr(step, "check_prompt", INPUT) == INPUT)
        elif asks_the_model(node) and (own := getattr(node, "check_prompt", INPUT)) != INPUT:
            yield Question(str(own), True)


def until_asked(test: Node) -> list[Node]:
    """The steps up to the last one that asks the model, on which its questions depend; none if one is
    among them that may ask anything."""
    steps = list(test.walk())
    while steps and not asks_the_model(steps[-1]):
        steps.pop()
    return [] if any(map(may_ask, steps)) else steps


def same_for_all(steps: list[Node], columns: frozenset[str]) -> bool:
    """Whether nothing in these steps, those of `until_asked`, depends on a row."""
    values = (value for step in steps for value in vars(step).values() if not isinstance(value, Node))
    return bool(steps) and columns.isdisjoint(
        name for value in values for text in texts_of(value) for name in columns_in(text)
    )
