"""One trial's steps on a terminal, as run_test prints them.

Text of a model or its program is shown without terminal escapes and other characters that could control or
deceive the reader's screen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TextIO

from assay.records import Block, Outcome, TrialRecord, TurnCost
from assay.report.failures import told
from assay.report.sanitise import one_line, strip_terminal, visible
from assay.report.wording import money

TITLE, GOOD, BAD, QUIET = "bold", "bold green", "bold red", "dim"
MAX_LINES, MAX_CHARACTERS = 200, 20_000  # of one block; the report shows all of it
MAX_DEPTH = 12


@dataclass(frozen=True)
class Line:
    text: str
    style: str = ""  # in rich's terms


def _body(text: str, indent: str) -> Iterator[Line]:
    shown = visible(strip_terminal(text[:MAX_CHARACTERS])).rstrip("\n").split("\n")
    for line in shown[:MAX_LINES]:
        yield Line(f"{indent}{line}")
    if len(shown) > MAX_LINES or len(text) > MAX_CHARACTERS:
        yield Line(f"{indent}... ({len(text)} characters in all)", QUIET)


def lines_of(block: Block, depth: int = 0) -> Iterator[Line]:
    """A block as lines: titles are indented by depth, and their text one level further."""
    pad = "  " * min(depth, MAX_DEPTH)
    title = one_line(block.title)
    if block.kind == "group":
        if title:
            yield Line(f"{pad}{title}{_spent(block.spent)}", TITLE)
        for child in block.children:
            if block.role == "files" and child.children:  # what the test gave: its names say enough here
                child = replace(child, children=())
            yield from lines_of(child, depth + (1 if title else 0))
    elif block.kind == "verdict":
        mark, style = {True: ("passed", GOOD), False: ("failed", BAD), None: ("-", QUIET)}[block.passed]
        why = visible(strip_terminal(block.body))
        yield Line(f"{pad}{title + ': ' if title else ''}{mark}{', ' + why if why else ''}", style)
    elif block.kind == "image":
        size = f"{len(block.data)} bytes" if block.data else one_line(block.file)
        yield Line(f"{pad}[picture] {title} ({size})", QUIET)
    else:
        heading = title or (block.role if block.kind == "chat" else "")
        if heading:
            yield Line(f"{pad}{heading}:", QUIET)
        yield from _body(block.body, pad + "    ")


def _spent(spent: TurnCost | None) -> str:
    tokens = f" · {spent.output_tokens:,} tokens" if spent and spent.output_tokens else ""
    return tokens + (f" · {money(spent.cost)}" if spent and spent.cost else "")


def outcome_line(record: TrialRecord) -> Line:
    """The last line: outcome, model, time, and the error if there is one."""
    style = GOOD if record.outcome is Outcome.PASS else BAD
    score = "" if record.score is None else f", score {record.score:g}"
    tier = f", sandbox {record.sandbox}" if record.sandbox else ""
    text = f"{record.outcome.upper()}  {one_line(record.test)}  {one_line(record.model)}"
    return Line(f"{text}  ({record.seconds:.2f} s{score}{tier})", style)


def why_line(record: TrialRecord) -> Line | None:
    """The cause and the deciding fact; None for a PASS."""
    said = one_line(told(record))
    return Line(said, BAD) if said else None


def print_steps(record: TrialRecord, file: TextIO | None = None) -> None:
    """Print a trial's steps and its outcome; in colour on a terminal."""
    out = file or sys.stdout
    lines = list(lines_of(record.reason)) if record.reason else []
    lines += [line for line in (why_line(record), outcome_line(record)) if line is not None]
    if not out.isatty():
        out.write("".join(f"{line.text}\n" for line in lines))
        out.flush()
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, force_jupyter=False, soft_wrap=True)
    for line in lines:
        console.print(Text(line.text, style=line.style))
