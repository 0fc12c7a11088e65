"""Why a trial did not pass: a cause, and one sentence with the deciding fact.

Causes are read from the reasons of the nodes, whose structure is known here, not from the blocks that a page
shows: in `a & b` only the side that failed counts, in `a | b` both do, and in `~a` whatever held and should
not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import ConfigError, JudgeError, NotRecorded, ProviderError, SandboxError, TestFileError
from assay.language.dsl import AndNode, NoOutput, NotNode, OrNode, Reason
from assay.language.fences import TAG, drop_thinking
from assay.records import LLM, Block, Cause, Outcome, Reply, TrialRecord
from assay.results.schema import Step

SENTENCE = 600  # characters
QUOTED = 300  # characters of what a judge said
BLOCKS = (Block, Step)  # explanations of trials and of lines that are read for tables
TAIL = 100  # characters at the end of a reply by which a later question that quotes it is known

# Finish reasons of replies that are not a whole answer, as this project or its providers call them
ENDINGS: Mapping[str, tuple[Cause, str]] = {
    "length": (Cause.CUT_OFF, "the reply was cut off"),
    "max_tokens": (Cause.CUT_OFF, "the reply was cut off"),
    "model_context_window_exceeded": (Cause.CUT_OFF, "the reply was cut off at the end of the context"),
    "refusal": (Cause.REFUSED, "the model refused to answer"),
    "content_filter": (Cause.FILTERED, "the provider's filter kept the answer back"),
    "tool_calls": (Cause.TOOL_CALL, "the model called a tool, and there is none, instead of answering"),
}


@dataclass(frozen=True)
class Found:
    """`cause`: '' for a plain verdict. `judged`: what judges said on the way to it."""

    cause: str
    why: str
    judged: str = ""


def sentence(text: str, limit: int = SENTENCE) -> str:
    """Put text on one line; a long one is cut at its end.

    >>> sentence("a  b\\nc"), sentence("abc def", 5)
    ('a b c', 'a ...')
    """
    text = text if len(text) <= 20 * limit else text[: 20 * limit]
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: max(limit - 4, 0)].rstrip()[: limit - 3] + " ..."


def of_failure(reasons: Sequence[Any], output: Any, replies: Sequence[Reply], branches: int) -> Found:
    """The cause of a FAIL. `reasons`: of the readings that failed, the last of which decides; `output`: of
    that last reading; `replies`: the trial's calls; `branches`: the number of readings."""
    if not reasons:
        return Found(Cause.NO_CODE, "the pipeline produced no output")
    way = _Way(replies, any(map(_offers_tools, reasons[-1:])))
    found = way.of(reasons[-1]) or Found("", "")
    nothing = isinstance(output, NoOutput)
    if nothing and not found.cause:
        found = Found(output.cause, output.why)
    if not found.cause and found.judged:
        found = Found(Cause.JUDGE, f"the judge said: {sentence(found.judged, QUOTED)}")
    why = found.why or f"the test's last step gave {type(output).__name__} {str(output)[:200]!r}"
    if branches > 1:
        why = f"none of {branches} readings of the reply passed; of the last: {why}"
    ended, cause = way.ended()
    if ended and ended not in why:
        why = f"{ended}; {why}"
    return Found(cause or found.cause or Cause.WRONG, sentence(why))


def of_pass(reason: Any) -> Found:
    """What is to be said of a PASS: that the program crashed or was stopped whose output passed."""
    held = (block.body for block in _blocks(reason) if _is_verdict(block) and block.passed and block.cause)
    return Found("", sentence(next(held, "")))


def of_error(error: BaseException, said: str) -> Found:
    """The cause of an ERROR. `said`: the error as the record tells it."""
    if isinstance(error, JudgeError):
        cause = Cause.NO_VERDICT
    elif isinstance(error, NotRecorded):
        return Found(Cause.NOT_RECORDED, sentence(str(error)))  # its end is that of the question
    elif isinstance(error, TestFileError):
        cause = Cause.GRADER
    elif isinstance(error, SandboxError):
        cause = Cause.SANDBOX
    elif isinstance(error, (ProviderError, ConfigError)):
        cause = Cause.PROVIDER
    else:
        cause = Cause.GRADER
    return Found(cause, last_words(said))


def of_record(record: TrialRecord) -> Found:
    """The cause that a record names; for a record older than causes, what can still be told."""
    if record.outcome is Outcome.PASS or record.cause in _KNOWN:
        return Found(record.cause, record.why)
    if record.outcome is Outcome.SKIPPED:
        return Found("", record.why or last_words(record.error))
    if record.outcome is Outcome.ERROR:
        return Found(_by_name(record.error), record.why or last_words(record.error))
    cause, words = _by_last_reply(record)
    said = record.why or _last_failure(record.reason) or NO_READING
    return Found(cause, sentence(f"{words}; {said}" if words else said))


def _last_failure(reason: Block | None) -> str:
    """What the last verdict that failed says; '' if there is none."""
    stack = [reason] if reason else []
    while stack:
        block = stack.pop()
        if _is_verdict(block) and block.passed is False:
            return block.body or block.title
        stack += block.children if block.kind == "group" else ()
    return ""


def cause_of(record: TrialRecord) -> str:
    """The cause alone, for counting many records."""
    if record.outcome is Outcome.PASS or record.outcome is Outcome.SKIPPED or record.cause in _KNOWN:
        return record.cause
    return _by_name(record.error) if record.outcome is Outcome.ERROR else _by_last_reply(record)[0]


def _by_last_reply(record: TrialRecord) -> tuple[Cause, str]:
    own = [reply for reply in record.replies if reply.role == LLM]
    return ENDINGS.get(own[-1].finish_reason, (Cause.WRONG, "")) if own else (Cause.WRONG, "")


_KNOWN = frozenset(Cause)
NO_READING = "no reading of the reply passed"
_PROVIDERS = ("ProviderError", "Transient", "Refused", "ConfigError")
_SANDBOXES = ("SandboxError", "SandboxUnavailable", "NodeLost")


def _by_name(error: str) -> Cause:
    name = error.partition(":")[0]
    if error.startswith("the trial took longer than"):
        return Cause.TIMED_OUT
    if name == "JudgeError":
        return Cause.NO_VERDICT
    if name == "NotRecorded":
        return Cause.NOT_RECORDED
    return Cause.PROVIDER if name in _PROVIDERS else Cause.SANDBOX if name in _SANDBOXES else Cause.GRADER


def last_words(said: str) -> str:
    """An error in one sentence: the last line of a traceback."""
    lines = [line for line in said.strip().splitlines() if line.strip()] or ["no reason given"]
    if len(lines) > 1 and not lines[0].startswith("Traceback"):
        return sentence(f"{lines[0].rstrip(':')}: {lines[-1].strip()}")
    return sentence(lines[-1])


class _Way:
    """A walk over the reasons of one reading, in the order of its steps."""

    def __init__(self, replies: Sequence[Reply], offered: bool) -> None:
        self._own = [reply for reply in replies if reply.role == LLM]
        self._texts = {reply.text: reply for reply in self._own}
        self._judged = {reply.text for reply in replies if reply.role != LLM} - set(self._texts)
        self._offered = offered  # whether the model had tools, so that a call is not a mistake
        self._seen: list[tuple[Reply, list[str]]] = []  # the model's replies on the way; what was asked after

    def of(self, part: Any) -> Found | None:
        """Why this part failed; None if nothing in it did."""
        if isinstance(part, Reason):
            return self._of_node(part)
        if isinstance(part, (tuple, list)):
            return self._of_steps(part)
        if isinstance(part, Block):
            return self._of_steps(part.children) if part.kind == "group" else self._of_leaf(part)
        return None

    def _of_node(self, reason: Reason) -> Found | None:
        kind = reason.node if isinstance(reason.node, type) else type(reason.node)
        children = reason.children if isinstance(reason.children, (tuple, list)) else (reason.children,)
        if issubclass(kind, AndNode) and len(children) == 2:
            left, right = (self.of(child) for child in children)
            return left if isinstance(children[1], Block) else right
        if issubclass(kind, OrNode):
            sides = [found for child in children if (found := self.of(child)) is not None]
            if len(sides) < 2:
                return sides[0] if sides else None
            words = f"neither holds: {sides[0].why}; {sides[-1].why}"
            cause = sides[-1].cause if sides[0].cause == sides[-1].cause else ""
            return Found(cause, words, sides[-1].judged)
        if issubclass(kind, NotNode) and children and _is_verdict(children[0]):
            self.of(children[1:])  # for its replies
            if children[0].passed is not False:
                return None
            held = [block.body for block in _blocks(children[1:]) if _is_verdict(block) and block.passed]
            return Found("", f"what must not be true is: {held[-1]}" if held else children[0].body)
        return self._of_steps(children)

    def _of_leaf(self, block: Block) -> Found | None:
        if block.cause:
            return Found(block.cause, block.body or block.title)
        return Found("", block.body or block.title) if _is_verdict(block) and block.passed is False else None

    def _of_steps(self, parts: Sequence[Any]) -> Found | None:
        """Consecutive steps: the first mark since the model's last reply, else the last verdict; and before
        it how an agent ended, if that is a cause."""
        mark: Found | None = None
        last: Found | None = None
        end: Found | None = None
        judged = printed = ""
        for part in _flat(parts):
            if isinstance(part, Block) and part.kind == "chat":
                if self._is_new_reply(part):
                    mark, last, end, judged = None, None, None, ""
                elif part.role == "assistant" and part.body in self._judged:
                    judged = part.body
            if isinstance(part, Block) and part.kind == "text" and part.title.startswith("output"):
                printed = part.body
            found = self.of(part)
            if found is not None and isinstance(part, Block) and part.role == "end":
                end = found
            elif found is not None:
                mark = mark or (found if found.cause else None)
                last = found
                judged = judged or found.judged
        decided = mark or last
        if decided is not None and printed and decided.why.endswith("() returned False"):
            # the function says no more; the text that it judged is the best explanation
            why = f"{decided.why}; the output before it was {_quoted(printed)}"
            decided = Found(decided.cause, why, judged)
        if end is not None:
            why = end.why if decided is None else f"{end.why}; {decided.why}"
            decided = Found(end.cause, why, decided.judged if decided else "")
        return None if decided is None else Found(decided.cause, decided.why, decided.judged or judged)

    def _is_new_reply(self, block: Block) -> bool:
        if block.role != "assistant":
            for _, asked in self._seen:
                asked.append(block.body)
            return False
        reply = self._texts.get(block.body)
        if reply is not None:
            self._seen.append((reply, []))
        return reply is not None

    def ended(self) -> tuple[str, str]:
        """How a reply that led here ended, and the cause; ('', '') if it ended normally. It is the last
        reply, or an earlier one that a later question quotes. A test that shows no dialogue is assumed to use
        its last reply."""
        seen = self._seen or [(reply, []) for reply in self._own[-1:]]
        for place, (reply, asked) in enumerate(seen):
            cause, words = ENDINGS.get(reply.finish_reason, ("", ""))
            if cause is Cause.TOOL_CALL and self._offered:
                continue
            tail = (reply.text or "").strip()[-TAIL:]
            if cause and (place == len(seen) - 1 or (tail and any(tail in question for question in asked))):
                given = reply.usage.output_tokens
                tokens = f" after {given:,} token{'s'[: given != 1]}" if given else ""
                return words + (tokens if cause is Cause.CUT_OFF else ""), cause
        if not seen or (self._offered and seen[-1][0].calls):
            return "", ""
        return self._empty(seen[-1][0].text or ""), ""

    @staticmethod
    def _empty(text: str) -> str:
        if not text.strip():
            return "the reply is empty"
        thinks = TAG.search(text[:SENTENCE]) is not None
        return "the reply contains only reasoning" if thinks and not drop_thinking(text).strip() else ""


def _quoted(text: str) -> str:
    return repr(sentence(text, QUOTED))


def _is_verdict(part: Any) -> bool:
    return isinstance(part, BLOCKS) and part.kind == "verdict"


def _flat(parts: Sequence[Any]) -> Iterator[Any]:
    """The steps of nested sequences; nodes that join others in their own way stay whole."""
    stack = list(reversed(parts))
    while stack:
        part = stack.pop()
        if isinstance(part, (tuple, list)):
            stack.extend(reversed(part))
        elif isinstance(part, BLOCKS) and part.kind == "group":
            stack.extend(reversed(part.children))
        elif isinstance(part, Reason) and not _joins(part):
            inner = part.children
            stack.extend(reversed(inner if isinstance(inner, (tuple, list)) else (inner,)))
        else:
            yield part


def _offers_tools(part: Any) -> bool:
    """Whether a step on the way gave the model tools."""
    stack = [part]
    while stack:
        part = stack.pop()
        if isinstance(part, (tuple, list)):
            stack.extend(part)
        elif isinstance(part, Reason):
            if getattr(part.node, "offers_tools", False):
                return True
            stack.append(part.children)
    return False


def _joins(reason: Reason) -> bool:
    kind = reason.node if isinstance(reason.node, type) else type(reason.node)
    return issubclass(kind, (AndNode, OrNode, NotNode))


def _blocks(part: Any) -> Iterator[Block]:
    """All leaves below, however they are joined."""
    for each in _flat(part if isinstance(part, (tuple, list)) else (part,)):
        if isinstance(each, BLOCKS):
            yield each  # type: ignore[misc]
        elif isinstance(each, Reason):
            yield from _blocks(each.children)
