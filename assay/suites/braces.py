"""`{column}` in a text of Rows, where `<column>` is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assay.language.dsl import Node, StringNode

# not the ${name} of a shell, nor an argument in LaTeX such as \boxed{answer} or x_{n}
BRACED = re.compile(r"(?<![\w$\\^}]){ ?([^\W\d][\w -]{0,99}?) ?}")


def braced(test: Node, description: str) -> Mapping[str, str]:
    """The words that stand in braces in a question or a check and nowhere in angle brackets, as they are
    written: each would be a mistake if it were a column. Other texts may be code."""
    found = {word[1]: word[0] for text in (description, *_shown(test)) for word in BRACED.finditer(text)}
    if not found:
        return found
    used = [description, *texts_of(test)]
    return {word: seen for word, seen in found.items() if not any(f"<{word}>" in text for text in used)}


def _shown(test: Node) -> Iterator[str]:
    """The texts that a model or an evaluator sees."""
    for node in test.walk():
        if isinstance(node, StringNode) or node.asks or node.is_judge is True:
            for value in vars(node).values():
                if not isinstance(value, Node):
                    yield from texts_of(value)


def texts_of(value: Any) -> Iterator[str]:
    """The texts in an argument of a node."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Node):
        yield from texts_of(vars(value))
    elif isinstance(value, Mapping):
        yield from texts_of([*value.keys(), *value.values()])
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from texts_of(each)
