"""Reading a judge's reply: what counts as its verdict, and what does not."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from assay.language.fences import drop_thinking, fenced_blocks

REASON_CHARS = 1000
QUOTED_CHARS = 80  # of a reply that cannot be read
LAST_LINE = re.compile(r"[\s*_#-]*(?P<label>[A-Za-z]{1,20})[\s*_]*:[\s*_]*(?P<said>.{1,200}?)[\s*_.]*")
MARKS = " .!*_`\"'"  # around a verdict
LABELS = ("VERDICT", "ANSWER", "SCORE")
Pairs = list[tuple[str, Any]]  # of a JSON object
NUMBER = re.compile(r"(?P<number>[-+]?\d{1,9}(?:\.\d{1,9})?)(?:\s*(?:/|out of|of)\s*(?P<best>\d{1,9}))?")
# A verdict of its own in the middle of a sentence; a "no" that goes on ("no longer") does not count
SAYS_NO = re.compile(
    r"(?:\b(?i:verdict|judge?ment|decision|ruling|conclusion|my answer)\b[^.\n]{0,30}?[\s:=]"
    r"|\bI(?: would| must| have to| can only)? (?:say|vote|answer|judge|conclude|rule)\b[^.\n]{0,20}?\s)"
    r"[\s\"'`*_]{0,4}(?:NO\b"
    r"|[Nn]o(?=[\"'`*_]{0,3}(?:[.,;:!)]|[ \t]{0,9}$|\s{1,9}(?:since|because|as|for)\b)))",
    re.MULTILINE,
)
QUOTES_NEXT = re.compile(
    r"\b(?:says?|said|claims?|claimed|writes?|wrote|states?|prints?|printed|reads?|repl(?:ies|ied)|ends? with"
    r"|quotes?|quoting|namely|verbatim)[\s:,;.\"'`*_-]{0,10}$",
    re.IGNORECASE,
)


class Unreadable(Exception):
    """Why a judge's reply is not a verdict."""


@dataclass(frozen=True)
class Opinion:
    """What one judge said: `said` is YES, NO, a number or the short answer that was asked for. `agrees`:
    whether that passes what is judged; `number`: the score."""

    said: str
    reason: str
    agrees: bool = False
    number: float = 0.0

    @property
    def text(self) -> str:
        return f"{self.said}: {self.reason}" if self.reason else self.said


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()


def yes_or_no(text: str) -> str:
    """YES or NO, if a text says nothing else, in whatever signs; else ''.

    >>> yes_or_no("**Yes!**"), yes_or_no("(no)."), yes_or_no("Yes, it is."), yes_or_no("Yes?")
    ('YES', 'NO', '', '')
    """
    return said.upper() if (said := bare(text)) in ("yes", "no") and "?" not in text else ""


def beginning(text: str) -> str:
    """The beginning of a reply, on one line, quoted."""
    words = " ".join(text[: 4 * QUOTED_CHARS].split())
    return repr(words if len(words) <= QUOTED_CHARS else f"{words[:QUOTED_CHARS]}...")


def read_opinion(reply: str, any_label: bool = False, key: str = "verdict") -> Opinion:
    """The verdict of a judge's reply: a JSON object of the form that was asked for, alone or as the end of
    the reply; else its last line, if that is nothing but the verdict; or the whole of it, if that is YES, NO
    or a number. `any_label`: any one word may stand before it. `key`: the verdict's name that was asked for.
    Thinking is dropped. Raises Unreadable.

    >>> read_opinion('<think>VERDICT: YES</think>It claims "VERDICT: YES".\\nVERDICT: **NO**').said
    'NO'
    """
    text = drop_thinking(reply).strip()
    if not text:
        raise Unreadable("nothing is left of its reply without its thinking")
    found = _object(text)
    if found is not None:
        reason = dict(found).get("reason", "")
        return Opinion(
            _said_in(found, key, text), reason.strip()[:REASON_CHARS] if isinstance(reason, str) else ""
        )
    *before, last = text.splitlines()
    if not before and (yes_or_no(last) or NUMBER.fullmatch(last.strip(MARKS))):
        return Opinion(last.strip(MARKS), "")
    match = LAST_LINE.fullmatch(last[:500])
    if match is None or (not any_label and match["label"].upper() not in LABELS):
        raise Unreadable(f'its reply ends with no line "{key.upper()}: ...": {beginning(text)}')
    return Opinion(match["said"], "\n".join(before).strip()[:REASON_CHARS])


def _said_in(found: Pairs, key: str, text: str) -> str:
    """The verdict of a JSON object, under the name that was asked for or else under another of LABELS. Raises
    Unreadable if there is none, or if another contradicts it."""
    named = [(name, _words(value)) for name, value in found if name.upper() in LABELS]
    its = [words for name, words in named if name == key] or [words for _, words in named]
    if not its or not all(its):
        raise Unreadable(f'its JSON has no "{key}": {beginning(text)}')
    sides = {side for _, words in named if (side := yes_or_no(words))}
    if len(sides) > 1 or len({yes_or_no(words) or words for words in its}) > 1:
        raise Unreadable(f"its JSON says two different things: {beginning(text)}")
    return its[0]


def _words(value: object) -> str:
    """A verdict of JSON as a text; '' for none."""
    if isinstance(value, bool):
        return "YES" if value else "NO"
    return repr(value) if isinstance(value, (int, float)) else value.strip() if isinstance(value, str) else ""


def takes_back(reply: str, said: str) -> str:
    """Why the verdict at the end of a reply may be a quotation; '' if it is the judge's own. A NO is taken as
    it is: a judged answer must not be able to make one unreadable.

    >>> takes_back('No. It only says:\\nVERDICT: YES', "YES"), takes_back("No errors.\\nVERDICT: YES", "YES")
    ('it says NO before its last line says YES', '')
    >>> takes_back('The verdict is NO, since it says\\nVERDICT: YES', "YES")
    'it says NO before its last line says YES'
    """
    if said.lower() == "no":
        return ""
    text = drop_thinking(reply).strip()
    if not text or (text.startswith("{") and _object(text) is not None):
        return ""
    *before, _ = text.splitlines()
    if said.lower() == "yes":
        refuses = bool(before) and re.match(r"[\s*_]*no[\s*_]*(?:[.,:;!]|$)", before[0], re.IGNORECASE)
        if refuses or "no" in map(bare, _labelled(before)) or SAYS_NO.search("\n".join(before)):
            return "it says NO before its last line says YES"
    elif any(bare(each) != bare(said) for each in _labelled(before)):
        return "it says two different things"
    last = next((line for line in reversed(before) if line.strip()), "")
    if QUOTES_NEXT.search(last[-60:]):
        return "its last line may be a quotation"
    return ""


def _labelled(lines: list[str]) -> list[str]:
    """What lines of the form of a verdict say."""
    found = (LAST_LINE.fullmatch(line) for line in lines if len(line) <= 60)
    return [each["said"] for each in found if each and each["label"].upper() in LABELS]


def number_in(said: str, scores: tuple[float, float]) -> float:
    """The number that a judge gave on a scale: `4`, `4/5` or `4 out of 5`. Raises Unreadable."""
    found = NUMBER.fullmatch(said.strip(MARKS))
    if found is None or (found["best"] and float(found["best"]) != max(scores)):
        raise Unreadable(f"its score is not a number, but {said[:60]!r}")
    number = float(found["number"])
    if not min(scores) <= number <= max(scores):
        raise Unreadable(f"its score {number:g} is not between {min(scores):g} and {max(scores):g}")
    return number


def _object(text: str) -> Pairs | None:
    """The JSON object that a reply is, or ends with, with names that stand there twice; None for none."""
    fences = list(fenced_blocks(text))
    candidates = [text]
    if fences and text.endswith("```"):
        candidates.append(fences[-1].code)
    candidates += [text.splitlines()[-1], text[text.rfind("\n{") + 1 :]]
    for each in candidates:
        each = each.strip()
        if each.startswith("{") and each.endswith("}"):
            try:
                found: Pairs = json.loads(
                    each, strict=False, object_pairs_hook=list
                )  # a reason may have lines
            except (ValueError, RecursionError):
                continue
            return found
    return None
