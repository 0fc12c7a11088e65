"""A rescored trial compared with the saved one: did its verdict change, and at which step?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

from assay.records import Block, Outcome, TrialRecord
from assay.report.changes import begin_alike, marked

EXCERPT = 160
BEFORE = 40  # characters before the place where two long texts differ
CLOSE = 1e-9  # scores this close are equal
# "exit 0, 0.12 s (0.1 s of it waiting for a core)" differs in every run
_TIMES = re.compile(r"\b\d+(?:\.\d+)? s\b(?: \(\d+(?:\.\d+)? s of it waiting for a core\))?")
_OUTPUT = re.compile(r"(output|stdout|stderr|terminal output|compil\w*|typed|printed)\b", re.I)

Step = tuple[str, str, str]  # kind (a chat's with its role), title, what it says


def judged_again(old: TrialRecord, new: TrialRecord, of: str) -> dict[str, Any]:
    """The past of a rescored record: `of` (the file), `before`, `after`, `changed`, and, if it changed, `why`
    (a sentence), with `was` and `now`, the texts of the first step that differs."""
    found: dict[str, Any] = {
        "of": of,
        "before": verdict(old),
        "after": verdict(new),
        "changed": is_other(old, new),
        "judged_at": old.answered_at,
    }
    if old.commit != new.commit:
        found["commit"] = old.commit
    if found["changed"]:
        found |= why(old, new)
    return found


def verdict(record: TrialRecord) -> str:
    """'PASS', or 'PASS 0.9125' for a trial with a score."""
    name = record.outcome.upper()
    return name if record.score is None else f"{name} {record.score:.4g}"


def is_other(old: TrialRecord, new: TrialRecord) -> bool:
    """Whether the outcome or the score differs."""
    if old.outcome is not new.outcome or (old.score is None) != (new.score is None):
        return True
    return old.score is not None and new.score is not None and abs(old.score - new.score) > CLOSE


def why(old: TrialRecord, new: TrialRecord) -> dict[str, str]:
    """`why` and, if a step differs, what it `was` and is `now`."""
    if new.outcome is Outcome.ERROR:
        kind, _, said = new.error.partition(": ")
        if kind == "NotRecorded":
            what, _, prompt = said.partition(":\n")
            return {"why": f"not answerable: {what}", "now": _short(prompt)}
        return {"why": "it broke this time", "now": _short(new.error)}
    if new.outcome is Outcome.SKIPPED:
        return {"why": "the sandbox lacks something", "now": _short(new.error)}
    if old.outcome in (Outcome.ERROR, Outcome.SKIPPED):
        return {"why": f"it had ended in {old.outcome.upper()}", "was": _short(old.error)}
    before, after = steps(old.reason), steps(new.reason)
    for was, now in zip(before, after, strict=False):
        if was != now:
            return _difference(*_told_apart(was, now, old, new))
    if len(before) != len(after):
        longer, what = (after, "more") if len(after) > len(before) else (before, "fewer")
        step = longer[min(len(before), len(after))]
        return {"why": f"the test has {what} steps", "now" if what == "more" else "was": _short(step[2])}
    return {"why": "the grader changed: every step is the same, but the verdict differs"}


def _told_apart(was: Step, now: Step, old: TrialRecord, new: TrialRecord) -> tuple[Step, Step]:
    """Two steps that differ. If they are verdicts that say the same of another outcome, as a judge's answer
    is the same where another one is expected, each says why its trial failed."""
    if not was[0] == now[0] == "verdict" or was[2][:1] == now[2][:1] or was[2][1:] != now[2][1:]:
        return was, now
    told = [
        (kind, title, said[:2] + (trial.why or said[2:]))
        for (kind, title, said), trial in ((was, old), (now, new))
    ]
    return told[0], told[1]


def _difference(was: Step, now: Step) -> dict[str, str]:
    said = dict(zip(("was", "now"), _apart(was[2], now[2]), strict=True))
    kind, title = now[0], now[1]
    if was[0] != kind:
        return {"why": "the test's steps changed", **said}
    if kind == "verdict":
        return {"why": "the grader changed", **said}
    if kind == "chat user":
        return {"why": "the question changed", **said}
    if kind.startswith("chat"):
        return {"why": "another reply was used", **said}
    if kind == "image":
        return {"why": "the picture changed"}
    if kind == "code":
        run = title.startswith(("program", "script"))
        what = "the program that is run changed" if run else "other code is extracted from the reply"
        return {"why": what, **said}
    if _OUTPUT.match(was[1]) and _OUTPUT.match(title):
        if was[2] == now[2]:
            return {"why": "the program ended differently", "was": _short(was[1]), "now": _short(title)}
        return {"why": "the program's output changed", **said}
    return {"why": f"a step changed{': ' + title if title else ''}", **said}


def steps(root: Block | None) -> list[Step]:
    """The leaves of an explanation in order, without what differs between runs (seconds)."""
    return list(_leaves(root)) if root is not None else []


def _leaves(root: Block) -> Iterator[Step]:
    stack = [root]
    while stack:
        block = stack.pop()
        if block.kind == "chat":
            yield f"chat {block.role}", "", block.body.strip()
        elif block.kind == "image":
            stored = block.file.partition(".")[0]  # a picture's name is the hash of its bytes
            yield "image", block.title, stored or hashlib.sha256(block.data).hexdigest()
        elif block.kind == "verdict":
            yield "verdict", block.title, f"{_mark(block.passed)}{_TIMES.sub('', block.body).strip()}"
        elif block.kind != "group":
            yield block.kind, _TIMES.sub("", block.title).strip(" ,"), block.body
        stack.extend(reversed(block.children))


def _mark(passed: bool | None) -> str:
    return "" if passed is None else "\u2713 " if passed else "\u2717 "


def _apart(was: str, now: str) -> tuple[str, str]:
    """Both on one line each, cut to where they begin to differ, beyond a verdict's mark.

    >>> _apart("a" * 300 + "bc", "a" * 300 + "dc") == ("... " + "a" * 40 + "bc", "... " + "a" * 40 + "dc")
    True
    """
    first, second = (" ".join(text.split()) for text in (was, now))
    if max(len(first), len(second)) <= EXCERPT:
        return first, second
    (mark, first), (other, second) = marked(first), marked(second)
    start = max(0, begin_alike(first, second) - BEFORE)
    return mark + _window(first, start), other + _window(second, start)


def _window(text: str, start: int) -> str:
    end = start + EXCERPT - BEFORE
    return ("... " if start else "") + text[start:end] + (" ..." if end < len(text) else "")


def _short(text: str) -> str:
    """One line; the end of a long one is kept too, because programs and errors say there what matters."""
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT * 2 // 3]} ... {line[-EXCERPT // 3 :]}"
