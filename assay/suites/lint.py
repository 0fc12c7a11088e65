"""Problems of a test found without asking a model: errors, and verdicts that need no ability."""

from __future__ import annotations

import contextlib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.errors import AssayError, NodeError, NoText, ProviderError
from assay.home import docs_page
from assay.language.checks import TestCase
from assay.language.dsl import Node, StringNode, ThenNode
from assay.language.picture_files import header
from assay.records import (
    Block,
    Cause,
    Completion,
    ExecResult,
    JsonMode,
    Limits,
    Message,
    Outcome,
    TerminalOutput,
    Tool,
    TrialKey,
    TrialRecord,
)
from assay.running.trial import run_trial
from assay.suites.loading import Loaded
from assay.suites.questions import last_step, shown_to_judge
from assay.suites.sample import Sample
from assay.suites.selection import APPLIED
from assay.suites.tree_warnings import ends_loosely, told

Kind = Literal["error", "warning", "hint"]
References = Callable[[Sample, bool], Sequence[Any]]

# Uses of the network, which a sandbox does not have; a line about the local machine is fine.
NETWORK = re.compile(
    r"\b(?:pip3?|npm|apt|apt-get|cargo|gem|go) (?:-\S+ )*(?:install|add|get)\b|\bgit clone\b|\b(?:curl|wget) "
    r"|\b(?:urlopen|urlretrieve|create_connection)\(|\b(?:requests|httpx)\.(?:get|post|put)\("
)
LOCAL = re.compile(r"localhost|127\.0\.0\.1|file:|\[::1\]")
# Imports of what the image has and many a machine does not
LIBRARY = re.compile(
    r"^[ \t]*(?:from[ \t]+|import[ \t]+(?:[\w., \t]*,[ \t]*)?)"
    r"(numpy|scipy|PIL|matplotlib|numba|jax|torch|chess)\b",
    re.MULTILINE,
)
BRING_NUMPY = ("python:scipy", "python:matplotlib", "python:numba", "python:jax")


@dataclass(frozen=True)
class Finding:
    """`kind`: an error loses the test, a warning makes its verdict doubtful, a hint would improve it."""

    kind: Kind
    where: str  # file, or file:line
    test: str
    text: str
    suite: str = APPLIED


@dataclass(frozen=True)
class Unable:
    """A model without any ability: it answers every question by a function of it."""

    name: str
    reply: Callable[[str], str]

    def for_trial(self, trial: TrialKey) -> Unable:
        return self

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        return Completion(self.reply(messages[-1].content))


def _unknown(question: str) -> str:
    raise ProviderError("the lint asks no judge")


NO_JUDGE = Unable("what a judge would say is not known here", _unknown)
UNABLE = (
    Unable("repeating the question, which contains its own answer", lambda question: question),
    Unable("an empty reply", lambda question: ""),
    Unable("a refusal", lambda question: "I'm sorry, but I can't help with that."),
)
# of a step that yields, or makes a Block of, what no step may, or uses what no module has; other mistakes may
# be due to the reply
MISUSE = re.compile(
    rf"{NoText.__name__}:|{NodeError.__name__}:|.* raised (?:\w+: {Block.__name__}: |ImportError: "
    r"|ModuleNotFoundError: |AttributeError: module '[\w.]+' has no attribute )"
)
# ... of one that uses what no text has, though with another reply it might have no text there
TAKEN_FOR_TEXT = re.compile(r".* raised AttributeError: 'str' object has no attribute ")
EACH = "each of these replies: the question itself, an empty reply, a refusal"


def of_files(loaded: Loaded, files_errors: Iterable[str] = ()) -> Iterator[Finding]:
    """Findings from loading the files: broken ones, duplicate tests, the precedence trap."""
    for kind, texts in (
        ("error", (*files_errors, *loaded.errors, *loaded.mistakes)),
        ("warning", loaded.warnings),
    ):
        for text in dict.fromkeys(texts):
            found = re.match(r"(?P<where>[^\n]+?\.py(?::\d+)?): (?P<text>.*)", text, re.DOTALL)
            where, said = (found["where"], found["text"]) if found else ("", text)
            said = said.partition("\n    ")[0]  # an editor that jumps there shows the line anyway
            yield Finding("error" if kind == "error" else "warning", where, "", said)


def of_tree(sample: Sample) -> Iterator[Finding]:
    """What is doubtful about a suite's sample, as loading tells it of tests in files."""
    for kind, text in told(sample.test):
        yield _finding(kind, sample, text)


def of_facts(sample: Sample, references: References) -> Iterator[Finding]:
    """What is missing in a test's references, or in a sandbox for its code."""
    try:
        right, wrong = len(references(sample, True)), len(references(sample, False))
    except AssayError as error:
        yield _finding("error", sample, str(error))
        return
    if not right and not wrong:
        text = "it has no references, so nothing proves that it can be passed or failed"
        yield _finding("hint", sample, f"{text} (References in {docs_page('writing-tests')})")
    elif not right:
        yield _finding(
            "warning", sample, "its references have no right answer, so nothing proves that it can be passed"
        )
    elif not wrong:
        yield _finding(
            "warning", sample, "its references have no wrong answer, so nothing proves that it can be failed"
        )
    for line in needs_network(sample.test):
        yield _finding("warning", sample, f"this needs the network, which the sandbox does not have: {line}")
    for need in unnamed_libraries(sample):
        lacks = f"it imports {need.removeprefix('python:')}, which a sandbox may lack"
        yield _finding("warning", sample, f'{lacks}: add REQUIRES = ["{need}"]')


def of_ending(sample: Sample) -> Finding | None:
    """A finding if the test ends in a step that passes with any output."""
    text = ends_loosely(sample.test)
    return _finding("warning", sample, text) if text else None


def of_picture(sample: Sample) -> Finding | None:
    """A finding if only a judge sees the picture that the test begins with."""
    text = "the picture is shown to the judge; write llm=LLM to show it to the model under test"
    return _finding("warning", sample, text) if shown_to_judge(sample.test) else None


async def of_asking(sample: Sample) -> Finding | None:
    """A finding if the model is never asked, for example because the question meets the condition of
    UntilDone. Commands are not run but assumed to succeed; tests that need more are skipped."""
    pool: Any = PretendedPool()
    record = await run_trial(sample, UNABLE[0], NO_JUDGE, NO_JUDGE, pool)
    if record.calls or record.outcome not in (Outcome.PASS, Outcome.FAIL):
        return None
    return _finding("warning", sample, "the model is never asked, so nothing is tested")


class PretendedSandbox:
    """Run nothing: every command succeeds and prints nothing, every function returns true, and every picture
    to be decoded is shown unchanged."""

    tier = "pretended"

    async def run(self, argv: Sequence[str], *, stdin: bytes = b"", **more: Any) -> ExecResult:
        if header(stdin) is not None:
            return ExecResult(b'{"as_is": true}\n', b"", 0)
        nonce = ""
        with contextlib.suppress(ValueError, AttributeError):
            nonce = json.loads(stdin).get("nonce", "") if stdin else ""
        answer = {"ok": True, "returned": "True", "log": ""}
        return ExecResult(f"{nonce}{json.dumps(answer)}\n".encode() if nonce else b"", b"", 0)

    async def start(self, argv: Sequence[str], **more: Any) -> PretendedTerminal:
        return PretendedTerminal()

    async def read_file(self, path: str, *, max_bytes: int = 0) -> bytes:
        raise FileNotFoundError(path)

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        return b""

    async def close(self) -> None: ...


class PretendedTerminal:
    async def send(self, data: bytes) -> None: ...

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        return TerminalOutput(marker, matched=True)

    async def close(self) -> None: ...


class PretendedPool:
    tier = identity = "pretended"
    limits = Limits()
    browser: contextlib.AbstractAsyncContextManager[Any] = contextlib.nullcontext()

    async def acquire(self) -> Any:
        return PretendedSandbox()

    async def acquire_beside(self) -> Any:
        return PretendedSandbox()

    async def missing(self, requirements: Sequence[str]) -> tuple[str, ...]:
        return ()


async def of_verdict(sample: Sample) -> Finding | None:
    """A finding if a model without any ability passes, or if none can, as far as this can be told without a
    sandbox and a judge."""
    records = [await run_trial(sample, model, NO_JUDGE, NO_JUDGE, None) for model in UNABLE]
    if all(_breaks(each, MISUSE) for each in records):
        replied = f"with {EACH}" if any(each.calls for each in records) else "whatever is replied"
        return _finding("error", sample, f"is an ERROR {replied}: {records[0].why}")
    if all(_breaks(each, TAKEN_FOR_TEXT) for each in records):
        return _finding("warning", sample, f"is an ERROR with {EACH}: {records[0].why}")
    passing = [
        model.name for model, each in zip(UNABLE, records, strict=True) if each.outcome is Outcome.PASS
    ]
    if len(passing) == len(UNABLE):
        return _finding("warning", sample, f"is passed by {EACH}")
    return _finding("warning", sample, f"is passed by {passing[0]}") if passing else None


def _breaks(record: TrialRecord, mistake: re.Pattern[str]) -> bool:
    """Whether the author's code broke before a reply, or by this kind of mistake."""
    return record.cause == Cause.GRADER and (not record.calls or mistake.match(record.error) is not None)


def needs_network(test: Node) -> list[str]:
    """The lines of the author's own code, commands and test cases that use the network."""
    found = []
    for text in _own_code(test):
        found += [
            line.strip() for line in text.splitlines() if NETWORK.search(line) and not LOCAL.search(line)
        ]
    return list(dict.fromkeys(found))[:3]


def unnamed_libraries(sample: Sample) -> list[str]:
    """What the author's own code imports in the sandbox and nothing requires. A test would fail whatever the
    model replies or, after an agent, import a file of its own under that name."""
    found = {f"python:{module}" for text in _own_code(sample.test) for module in LIBRARY.findall(text)}
    found -= {*sample.needs, *(["python:numpy"] if {*BRING_NUMPY} & {*sample.needs} else [])}
    return sorted(found)


def _own_code(test: Node) -> Iterator[str]:
    for node in test.walk():
        if isinstance(case := getattr(node, "test_case", None), TestCase):  # its text has code of ours, too
            said = (each for pair in case.pairs for each in pair if isinstance(each, str))
            yield "\n".join((case.before, case.header, *said, case.after))
        elif isinstance(case, str):
            yield case
        fn = getattr(node, "fn", None)
        if callable(fn) and not node.on_host:
            with contextlib.suppress(OSError, TypeError):
                yield inspect.getsource(fn)
        if isinstance(node, ThenNode) and node.right.runs_input:
            step = last_step(node.left)
            if isinstance(step, StringNode):
                yield step.text
        if isinstance(command := getattr(node, "command", None), str):
            yield command


def _finding(kind: Kind, sample: Sample, text: str) -> Finding:
    where = sample.source if sample.suite == APPLIED else sample.place
    return Finding(kind, where, sample.id, text, sample.suite)
