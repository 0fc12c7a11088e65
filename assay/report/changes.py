"""Verdicts that changed in rescoring: as a table, as JSON, and as a line on a trial's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assay.few import few
from assay.records import Cell, Table, TrialRecord
from assay.report.sanitise import one_line
from assay.report.wording import count
from assay.results.natural_order import natural

WHY_CHARS = 92  # of a reason, with what it was and is now
MANY = 20  # lines; of more, rows of one test are one line
KEYS = 3  # of rows in a line
MARKS = ("\u2713 ", "\u2717 ")  # of a verdict, before what it says
TITLE = "Verdicts that changed"
SHADES = {"PASS": 1.0, "FAIL": 0.0}


def changed(records: Sequence[TrialRecord]) -> list[TrialRecord]:
    """The records whose verdict changed in rescoring, by test."""
    found = [record for record in records if record.rescored.get("changed")]
    return sorted(found, key=lambda record: (record.suite, natural(record.test), record.model, record.epoch))


def changes_line(records: Sequence[TrialRecord]) -> str:
    """How many verdicts changed; '' if none of the records was judged again."""
    judged = sum(bool(record.rescored) for record in records)
    return f"{len(changed(records)):,} of {count(judged, 'verdict')} changed" if judged else ""


def changes_table(records: Sequence[TrialRecord], whole: bool = False) -> Table | None:
    """A line for each test, model and kind of change; None if nothing changed. `whole`: with all of each
    reason, where there is more room than on a screen."""
    found = changed(records)
    if not found:
        return None
    groups = _alike(found, lambda record: record.test)
    if len(groups) > MANY:
        groups = _alike(found, lambda record: record.test.partition("[")[0])
    rows = tuple(
        (
            Cell(_names(group), link=(group[0].test, group[0].model)),
            group[0].model,
            len(group),
            _verdict(group, "before"),
            _verdict(group, "after"),
            explanation(group[0]) if whole else _why(group),
        )
        for group in groups
    )
    judged = sum(bool(record.rescored) for record in records)
    note = f"{len(found):,} of the {judged:,} trials whose saved replies were judged again."
    if len(groups) < len(found):
        note += " Of several trials in a line, the texts are the first one's; each trial's page has its own."
    return Table(TITLE, ("test", "model", "trials", "before", "after", "why"), rows, note)


def _alike(records: Sequence[TrialRecord], name: Callable[[TrialRecord], str]) -> list[list[TrialRecord]]:
    """The records by test, model, both outcomes and reason."""
    groups: dict[tuple[str, ...], list[TrialRecord]] = {}
    for each in records:
        outcomes = (_text(each, when).partition(" ")[0] for when in ("before", "after"))
        key = (each.suite, name(each), each.model, *outcomes, _text(each, "why"))
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def _names(group: Sequence[TrialRecord]) -> str:
    """The test, or the test of several rows with the first of them: 'qa.TestX[France, Peru and 7 more]'."""
    tests = list(dict.fromkeys(record.test for record in group))
    if len(tests) == 1:
        return tests[0]
    keys = [test.partition("[")[2].removesuffix("]") for test in tests]
    return f"{tests[0].partition('[')[0]}[{few(keys, KEYS)}]"


def _verdict(group: Sequence[TrialRecord], when: str) -> Cell:
    """The verdict, without its scores if these differ."""
    texts = {_text(record, when) for record in group}
    outcome = _text(group[0], when).partition(" ")[0]
    return Cell(texts.pop() if len(texts) == 1 else outcome, shade=SHADES.get(outcome))


def _why(group: Sequence[TrialRecord]) -> Cell:
    """The explanation, with as much of what it was and is now as a screen has room for; the report has all of
    it."""
    why, was, now = (one_line(_text(group[0], name)) for name in ("why", "was", "now"))
    whole = explanation(group[0])
    room = max(WHY_CHARS - len(f"{why}:  \u2192 "), WHY_CHARS // 2)
    if was and now:
        was, now = _told_apart(was, now, room)
        return Cell(whole, text=f"{why}: {was} \u2192 {now}")
    return Cell(whole, text=f"{why}: {_cut(was or now, room)}" if was or now else why)


def _cut(text: str, room: int) -> str:
    """At most `room` characters of a text, most of them its end, where verdicts say what the reply was.

    >>> print(_cut("output differs from 'vienna'; it was 'Vienna'", 30))
    output diff…'; it was 'Vienna'
    """
    end = room * 3 // 5
    return text if len(text) <= room else f"{text[: room - end - 1]}…{text[-end:]}"


def _told_apart(was: str, now: str, room: int) -> tuple[str, str]:
    """Both texts in `room` characters, with what differs between them, beyond a verdict's mark, in view.

    >>> _told_apart("✗ whatever it is, it lacks the red car", "✓ whatever it is, it lacks the blue car", 44)
    ('✗ …t lacks the red car', '✓ … lacks the blue car')
    """
    (mark, first), (other, second) = marked(was), marked(now)
    same = begin_alike(first, second)
    end = begin_alike(first[same:][::-1], second[same:][::-1])
    rooms = max(room // 2, room - len(now)), max(room // 2, room - len(was))
    return (
        mark + _around(first, same, len(first) - end, rooms[0] - len(mark)),
        other + _around(second, same, len(second) - end, rooms[1] - len(other)),
    )


def _around(text: str, begin: int, end: int, room: int) -> str:
    """At most `room` characters of a text, half of them between `begin` and `end` if that is long."""
    if len(text) <= room:
        return text
    before, middle, after = text[:begin], text[begin:end], text[end:]
    rest = room - min(len(middle), room // 2)
    most = max(rest // 2, rest - len(after))
    if len(before) > most:
        before = f"…{before[len(before) - most + 1 :]}"
    after = _cut(after, rest - len(before))
    return f"{before}{_cut(middle, room - len(before) - len(after))}{after}"


def begin_alike(first: str, second: str) -> int:
    """How many characters both texts begin with."""
    unlike = (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    return next(unlike, min(len(first), len(second)))


def marked(text: str) -> tuple[str, str]:
    """A verdict's mark, '' if there is none, and the text behind it."""
    mark = text[:2] if text[:2] in MARKS else ""
    return mark, text[len(mark) :]


def explanation(record: TrialRecord) -> str:
    """Why a verdict changed, in one line."""
    why, was, now = (_text(record, name) for name in ("why", "was", "now"))
    if was and now:
        return f"{why}: {was} \u2192 {now}"
    return f"{why}: {was or now}" if was or now else why


def change_facts(records: Sequence[TrialRecord]) -> list[dict[str, Any]]:
    """The changed verdicts as JSON values."""
    names = ("before", "after", "why", "was", "now")
    return [
        {"test": record.test, "trial": record.epoch}
        | {name: record.rescored[name] for name in names if name in record.rescored}
        for record in changed(records)
    ]


def judged_again(record: TrialRecord) -> dict[str, Any] | None:
    """What a trial's page says about its rescoring; None for a trial that was judged once."""
    if not record.rescored:
        return None
    is_other, said = bool(record.rescored.get("changed")), "The verdict is the same."
    if is_other:
        why = explanation(record)
        said = f"It was {_text(record, 'before')}. {why[:1].upper()}{why[1:]}"
    replied = _text(record, "judged_at")[:16].replace("T", " ")  # when the replies were given
    return {"changed": is_other, "said": said, "replied": replied}


def _text(record: TrialRecord, name: str) -> str:
    return str(record.rescored.get(name, ""))
