"""Replies that older programs stored, for --rescore.

Their files hold one JSON object a line: model, variant, depth, operands, correct, raw_response and, in newer
ones, tokens, cost, timestamp, attempts, failed_to_get_reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import Any

from assay.records import Completion, Usage
from assay.suites.suite import Stored, StoredTrial

from .pipeline import sample_of
from .problems import VARIANTS, Cell, Number, Problem
from .reader import MOST_DIGITS


@dataclass(frozen=True)
class Line:
    """One trial as it was stored."""

    model: str
    problem: Problem
    reply: Completion | None
    error: str = ""
    timestamp: str = ""


def stored(path: Path, options: Any = None) -> list[Stored] | None:
    """The trials in a file, or in the .jsonl files of a folder, model by model; None if none is ours."""
    problems: list[str] = []
    models: dict[str, list[Line]] = {}
    ours = 0
    for file in _files(path):
        for line in _lines(file, problems):
            ours += 1
            models.setdefault(line.model, []).append(line)
    if not ours:
        return None
    found = [Stored(model, partial(trials, its)) for model, its in models.items()]
    return [Stored(found[0].model, found[0].trials, tuple(problems)), *found[1:]]


def trials(lines: Iterable[Line]) -> Iterator[StoredTrial]:
    """Lines of one model as trials of cells: the n-th of a cell is its n-th epoch."""
    groups: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.problem.variant, line.problem.depth), []).append(line)
    for (variant, depth), its in groups.items():
        cell = Cell(variant, depth, given=tuple(line.problem for line in its))
        extra = {"timestamp": min((line.timestamp for line in its if line.timestamp), default="")}
        sample = sample_of(cell, len(its), extra=extra)
        for epoch, line in enumerate(its, 1):
            replies = () if line.reply is None else (line.reply,)
            yield StoredTrial(sample, epoch, replies, line.error)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*.jsonl") if file.name != "aggregate.jsonl")
    return [path] if path.suffix == ".jsonl" else []


def _lines(path: Path, problems: list[str]) -> Iterator[Line]:
    """Lines that are ours; those that cannot be read go to `problems`, by file and line."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            try:
                yield read_line(json.loads(raw.strip()))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                why = f"no {error}" if isinstance(error, KeyError) else str(error)
                problems.append(f"{path}:{number}: line skipped: {why}")


def read_line(value: Any) -> Line:
    """One line. Raises ValueError, KeyError or TypeError saying what is wrong with it."""
    if not isinstance(value, dict):
        raise ValueError("not an object")
    failed = bool(value.get("failed_to_get_reply")) or value["raw_response"] is None
    if not value.get("cost"):  # older programs wrote 0 where they knew no price
        value = {**value, "cost": None}
    return Line(
        str(value["model"]),
        _problem(value),
        None if failed else _reply(value),
        "no reply after all retries, says the record" if failed else "",
        str(value.get("timestamp") or ""),
    )


def _cell(value: Mapping[str, Any]) -> tuple[str, int]:
    variant, depth = value["variant"], value["depth"]
    if variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}")
    if not isinstance(depth, int) or not 1 <= depth <= MOST_DIGITS:
        raise ValueError(f"not a depth: {depth!r}")
    return variant, depth


def _problem(value: Mapping[str, Any]) -> Problem:
    variant, depth = _cell(value)
    left, right = value["operands"]
    numbers = [_number(each, variant) for each in (left, right, value["correct"])]
    return Problem(variant, depth, (numbers[0], numbers[1]), numbers[2])


def _number(value: Any, variant: str) -> Number:
    if not isinstance(value, (int, str, float)) or isinstance(value, bool):
        raise ValueError(f"not a number: {value!r}")
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"not a number: {str(value)[:40]!r}") from None
    if not number.is_finite() or abs(number.adjusted()) > MOST_DIGITS or len(str(value)) > MOST_DIGITS:
        raise ValueError(f"not a number that a problem can have: {str(value)[:40]!r}")
    if variant.startswith("float"):
        return number
    if number != number.to_integral_value():
        raise ValueError(f"{variant} with {value!r}, which is not whole")
    return int(number)


def _reply(facts: Mapping[str, Any]) -> Completion:
    text, tokens = facts["raw_response"], facts.get("tokens") or {}
    if not isinstance(text, str):
        raise ValueError("raw_response is not a string")
    usage = Usage(
        int(tokens.get("prompt_tokens") or 0),
        int(tokens.get("completion_tokens") or 0),
        int(tokens.get("reasoning_tokens") or 0),
    )
    cost = facts.get("cost")
    return Completion(
        text, usage, None if cost is None else float(cost), attempts=int(facts.get("attempts") or 1)
    )
