"""What is wrong with a test before any model is asked: mistakes, and answers that need no ability."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.errors import AssayError, ProviderError
from assay.harness.engine import run_trial
from assay.harness.suite import Loaded, Sample
from assay.nodes.dsl import Node, StringNode
from assay.records import Completion, Message, Outcome, TrialKey

Kind = Literal["error", "warning", "hint"]
References = Callable[[Sample, bool], Sequence[Any]]

# What reaches out of the sandbox, which has no network; a line about this machine itself is fine.
NETWORK = re.compile(
    r"\b(?:pip3?|npm|apt|apt-get|cargo|gem|go) (?:-\S+ )*(?:install|add|get)\b|\bgit clone\b|\b(?:curl|wget) "
    r"|\b(?:urlopen|urlretrieve|create_connection)\(|\b(?:requests|httpx)\.(?:get|post|put)\("
)
LOCAL = re.compile(r"localhost|127\.0\.0\.1|file:|\[::1\]")


@dataclass(frozen=True)
class Finding:
    """`kind`: an error loses the test, a warning makes its verdict doubtful, a hint would make it better."""

    kind: Kind
    where: str  # file, or file:line
    test: str
    text: str


@dataclass(frozen=True)
class Unable:
    """A model under test that can do nothing: it answers every question by a function of it."""

    name: str
    reply: Callable[[str], str]

    def for_trial(self, trial: TrialKey) -> Unable:
        return self

    async def complete(self, messages: Sequence[Message], *, json: bool = False) -> Completion:
        return Completion(self.reply(messages[-1].content))


@dataclass(frozen=True)
class NoJudge:
    """What a judge would say is not known here."""

    name: str = "no judge"

    def for_trial(self, trial: TrialKey) -> NoJudge:
        return self

    async def complete(self, messages: Sequence[Message], *, json: bool = False) -> Completion:
        raise ProviderError("the lint asks no judge")


UNABLE = (
    Unable("the question said back, so it contains its own answer", lambda question: question),
    Unable("an empty reply", lambda question: ""),
    Unable("a refusal", lambda question: "I'm sorry, but I can't help with that."),
)


def of_files(loaded: Loaded, files_errors: Iterable[str] = ()) -> Iterator[Finding]:
    """What loading the files has told already: broken ones, two tests of one name, the precedence trap."""
    for kind, texts in (("error", (*files_errors, *loaded.errors)), ("warning", loaded.warnings)):
        for text in dict.fromkeys(texts):
            found = re.match(r"(?P<where>[^\n]+?\.py(?::\d+)?): (?P<text>.*)", text, re.DOTALL)
            where, said = (found["where"], found["text"]) if found else ("", text)
            said = said.partition("\n    ")[0]  # an editor that jumps there shows the line itself
            yield Finding("error" if kind == "error" else "warning", where, "", said)


def of_facts(sample: Sample, references: References) -> Iterator[Finding]:
    """What a test's file and its references lack."""
    if not sample.description:
        yield _finding("hint", sample, 'say what it is about: DESCRIPTION = "Can the model ...?"')
    if not sample.tags:
        yield _finding("hint", sample, 'name what --tag finds it by: TAGS = ["code", "python"]')
    try:
        right, wrong = len(references(sample, True)), len(references(sample, False))
    except AssayError as error:
        yield _finding("error", sample, str(error))
        return
    if not right and not wrong:
        yield _finding("hint", sample, "no references: nothing proves that it can be passed, or failed")
    elif not right:
        yield _finding(
            "warning", sample, "no right answer in its references: nothing proves that it can be passed"
        )
    elif not wrong:
        yield _finding(
            "warning", sample, "no wrong answer in its references: nothing proves that it can be failed"
        )
    for line in needs_network(sample.test):
        yield _finding("warning", sample, f"the sandbox has no network, and this asks for it: {line}")


async def of_verdict(sample: Sample) -> Finding | None:
    """Whether a model that can do nothing passes. Only what can be told without a sandbox and a judge."""
    for model in UNABLE:
        record = await run_trial(sample, model, NoJudge(), NoJudge(), None)
        if record.outcome is Outcome.PASS:
            return _finding("warning", sample, f"passed by {model.name}")
    return None


def needs_network(test: Node) -> list[str]:
    """The lines of the author's own code, commands and test cases that reach for the network."""
    found = []
    for text in _own_code(test):
        found += [
            line.strip() for line in text.splitlines() if NETWORK.search(line) and not LOCAL.search(line)
        ]
    return list(dict.fromkeys(found))[:3]


def _own_code(test: Node) -> Iterator[str]:
    for node in test.walk():
        if isinstance(case := getattr(node, "test_case", None), str):
            yield case
        fn = getattr(node, "fn", None)
        if callable(fn):
            with contextlib.suppress(OSError, TypeError):
                yield inspect.getsource(fn)
        left, right = getattr(node, "left", None), getattr(node, "right", None)
        if type(right).__name__ in ("TerminalRun", "StartDockerJob") and left is not None:
            step = getattr(left, "right", left)
            if isinstance(step, StringNode):
                yield step.text
        if isinstance(command := getattr(node, "command", None), str):
            yield command


def _finding(kind: Kind, sample: Sample, text: str) -> Finding:
    return Finding(kind, sample.source, sample.id, text)
