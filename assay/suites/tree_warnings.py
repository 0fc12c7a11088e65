"""What is doubtful about a test, told by its tree alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from assay.errors import NodeError
from assay.extensions import is_ours
from assay.language.dsl import AndNode, ChoiceNode, Node, NotNode, OrNode, StringNode, ThenNode
from assay.language.languages import language_row
from assay.language.models import in_words
from assay.language.own_nodes import keeps_state
from assay.language.pictures import Image
from assay.records import LLM
from assay.suites.columns import ONLY_WORDS
from assay.suites.questions import INPUT, asks_the_model, first_step, last_step, may_ask


def doubts(test: Node) -> Iterator[str]:
    """What is doubtful about any test, in a file or not. Raises NodeError for one that cannot run."""
    for node in test.walk():
        if node.runs_input and isinstance(language := getattr(node, "language", None), str):
            language_row(language)
    yield from misfits(test)
    yield from lost_replies(test)
    own = dict.fromkeys(type(node) for node in test.walk() if not _is_ours(node))
    yield from filter(None, (lacks_question(test), *map(keeps_state, own)))


def told(test: Node) -> list[tuple[Literal["error", "warning"], str]]:
    """The same of a test that is in no file, and whether it cannot run."""
    try:
        return [("warning", text) for text in (precedence_trap(test), *doubts(test)) if text]
    except NodeError as error:
        return [("error", str(error))]


def precedence_trap(test: Node) -> str:
    """The problem if `test` reads `q >> LLMRun() >> A | B`, where B judges the question; else ''."""
    while isinstance(test, (AndNode, OrNode)):
        asks = any(node.asks and not node.asks_again for node in test.left.walk())
        if isinstance(test.left, ThenNode) and asks and _judges_only(test.right):
            sign = "&" if isinstance(test, AndNode) else "|"
            judge = type(test.right).__name__
            return (
                f">> binds tighter than {sign}, so {judge} after the {sign} judges the empty start of the "
                f"pipeline, not the answer; write ... >> (A {sign} B)"
            )
        test = test.left
    return ""


def _judges_only(node: Node) -> bool:
    if isinstance(node, NotNode):
        return _judges_only(node.node)
    if isinstance(node, (AndNode, OrNode)):
        return _judges_only(node.left)
    return node.is_judge is True


def ends_loosely(test: Node) -> str:
    """What is wrong with the end of a test that passes with any output; '' for any other."""
    judge = "SubstringEvaluator(...), PyEvaluator(...) or Judge(...)"
    if loose := _loose_end(test):
        return f"ends in {loose}, which passes with any reply; end with a judge, such as {judge}"
    return ""


def _loose_end(node: Node) -> str:
    """The name of a last step that does not judge; '' if all ends judge, or if this cannot be told."""
    if isinstance(node, ThenNode):
        return _loose_end(node.right)
    if isinstance(node, (AndNode, OrNode)):
        return _loose_end(node.left) or _loose_end(node.right)
    if isinstance(node, NotNode):
        return _loose_end(node.node)
    return type(node).__name__ if node.is_judge is False else ""


def lacks_rows(test: Node) -> str:
    """What is wrong with a question that is nothing but places for columns, or a picture that is one, in a
    test without Rows; '' for any other."""
    for node in test.walk():
        if isinstance(node, Image) and node.has_column:
            return (
                f"shows {node.path}, a place for a column of Rows, and has no Rows: write "
                f'Rows("FILE.csv") >> {node!r} >> ...'
            )
        if isinstance(node, ThenNode) and first_step(node.right).asks:
            asked = last_step(node.left)
            columns = " ".join(asked.text.split()) if isinstance(asked, StringNode) else ""
            if columns != INPUT and ONLY_WORDS.fullmatch(columns):
                return (
                    f"asks only {columns}, a place for a column of Rows, and has no Rows: write "
                    f'Rows("FILE.csv") >> "{columns}" >> ...'
                )
    return ""


def lacks_question(test: Node) -> str:
    """What is wrong with a test that lacks its question, as `"q" and LLMRun() >> A` does; '' for others."""
    step = first_step(test)
    if step.asks and getattr(step, "check_prompt", "") == INPUT:
        name = type(step).__name__
        return f'begins with {name}, so the model is asked nothing; write "a question" >> {name}() >> ...'
    return ""


def misfits(test: Node) -> Iterator[str]:
    """What is wrong with steps because of those before them, as with a check of a check. Raises NodeError
    for a step that cannot run there."""
    for node in test.walk():
        if not isinstance(node, ThenNode):
            continue
        before = list(ends(node.left))
        verdict = all(_is_ours(end) and end.is_judge is True for end in before)
        if verdict or all(_is_ours(end) and (end.yields_text or end.yields_picture) for end in before):
            steps = filter(_is_ours, _starts(node.right))
            yield from filter(None, (step.unfit(before[0], verdict) for step in steps))


def lost_replies(test: Node) -> Iterator[str]:
    """What is wrong with a text or a picture behind a reply if nothing from there on can depend on it."""
    if isinstance(test, ChoiceNode):
        yield from lost_replies(test.left)
        if not any(map(_remembers, test.left.walk())):
            yield from lost_replies(test.right)
    elif isinstance(test, NotNode):
        yield from lost_replies(test.node)
    steps = list(_pipeline(test))
    asked = next((at for at, step in enumerate(steps) if any(map(asks_the_model, step.walk()))), len(steps))
    given = max((at for at, step in enumerate(steps) if isinstance(step, (StringNode, Image))), default=0)
    since = [node for step in steps[asked:given] for node in step.walk()]
    behind = [node for step in steps[given + 1 :] for node in step.walk()]
    if since and behind and not any(map(_remembers, since)) and not any(map(_may_recall, behind)):
        yield (
            f"what follows {in_words(steps[given])} checks that, and not the reply before it, which nothing "
            "uses: remove it, or write it before the step that asks"
        )


def _pipeline(node: Node) -> Iterator[Node]:
    """The steps of a chain of >>."""
    if isinstance(node, ThenNode):
        yield from (*_pipeline(node.left), *_pipeline(node.right))
    else:
        yield node


def _remembers(node: Node) -> bool:
    """Whether it may leave something of a reply beside its output: in the sandbox, or wherever an author's
    own code does."""
    return node.in_sandbox or node.on_host or may_ask(node)


def _may_recall(node: Node) -> bool:
    """Whether its output may depend on more than what comes in and the sandbox."""
    return LLM in node.asks or node.on_host or may_ask(node)


def ends(node: Node) -> Iterator[Node]:
    """The steps whose output is the node's."""
    if isinstance(node, ThenNode):
        yield from ends(node.right)
    elif isinstance(node, ChoiceNode):
        yield from (*ends(node.left), *ends(node.right))
    else:
        yield node


def _starts(node: Node) -> Iterator[Node]:
    """The steps that get what comes in."""
    if isinstance(node, ThenNode):
        yield from _starts(node.left)
    elif isinstance(node, ChoiceNode):
        yield from (*_starts(node.left), *_starts(node.right))
    elif isinstance(node, NotNode):
        yield from _starts(node.node)
    else:
        yield node


def _is_ours(node: Node) -> bool:
    """An author's own step may yield, and judge, what its class does not say."""
    return is_ours(type(node))
