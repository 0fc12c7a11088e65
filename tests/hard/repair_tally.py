"""A book of accounts that keeps most promises of its documents in most places, with dozens of natural faults."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

from evaluator import *

from .cases import Cases
from .tallies import printed, scripts

DESCRIPTION = (
    "Can an agent find all of thirty-six faults that look like ordinary code, with few turns to try things?"
)
TAGS = ["medium", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "repair_tally"
COUNT, TURNS = 36, 8
COMMAND = "python3 -m tally"
QUESTION = f"""In this folder is tally, a Python program of several files. README.md and NEXT.md say what it must do; both were written before it, and every sentence is meant. Whoever wrote the program knew
Python, but had read them in haste: it breaks their promises in some {COUNT} places, most of which show only with unusual input, or when rare things meet. Mend all of them, so that everything in both documents
holds. Leave the documents as they are. The program is run as `{COMMAND}` in this folder, by Python 3.11 or newer. Hidden scripts decide, made so that each promise is tried with each command that it concerns, and every line must be right.
You have at most {TURNS} turns (replies, each with as many calls as you like); the last change of the files counts."""

# file, what is right, what is planted
FAULTS: tuple[tuple[str, str, str], ...] = (
    ("words", "sys.set_int_max_str_digits(0)\n", ""),
    ("words", 'r"(-?)([0-9]+)(?:\\.([0-9]{2}))?"', 'r"(-?)(\\d+)(?:\\.(\\d\\d))?"'),
    ("words", 'matched("([0-9]{4})-([0-9]{2})-([0-9]{2})", word, "day")\n    try:\n        return date(int(found[1]), int(found[2]), int(found[3]))', 'word\n    try:\n        return date.fromisoformat(found)'),
    ("words", 'def number(word):\n    return int(matched("[0-9]+", word, "number")[0])', 'def number(word):\n    try:\n        return int(word)\n    except ValueError:\n        raise Bad("number") from None'),
    ("words", 'def whole(word):\n    found = int(matched("[0-9]+", word, "number")[0])\n    if not found:', 'def whole(word):\n    found = int(word) if word.isdecimal() else 0\n    if not found:'),
    ("words", 'Fraction(matched(r"[0-9]+(\\.[0-9]+)?", word, "percent")[0])', 'Fraction(matched(r"[0-9]+(.[0-9]+)?", word, "percent")[0])'),
    ("words", 'if not all(word.split("/")):', 'if word.strip("/") != word:'),
    ("words", 'return f"{\'-\' if cents < 0 else \'\'}{abs(cents) // 100}.{abs(cents) % 100:02}"', 'return f"{Decimal(cents).scaleb(-2):f}"'),
    ("words", '    return matched("week|month|year", word, "period")[0]', '    if word not in "week month year":\n        raise Bad("period")\n    return word'),
    ("words", 're.split(" +", line, maxsplit=rest)', "line.split(None, rest or -1)"),
    ("words", "if year > 9999:", "if year >= 9999:"),
    ("state", 'name.startswith(top + "/")', "name.startswith(top)"),
    ("state", "sorted(self.floors, key=order)", "sorted(self.floors)"),
    ("state", "            for day in sums:\n                total += sums[day]\n                if floor is not None and", "            for day in sums:\n                total += sums[day]\n                if floor and"),
    ("state", "return new + name[len(old):] if under(old, name) else name", "return name.replace(old, new) if under(old, name) else name"),
    ("state", "return {**{\"/\".join(parts[:n]): None for n in range(1, len(parts) + 1)}, **floors}", "return {**floors, **{\"/\".join(parts[:n]): None for n in range(1, len(parts) + 1)}}"),
    ("state", "return sorted(found, key=place)", "return sorted(found, key=lambda entry: entry.day.isoformat() + str(entry.number))"),
    ("journal", "        if state == self.state:\n            return\n", ""),
    ("journal", "        self.past.append((command, self.state))\n        self.future.clear()\n        self.state = state\n", "        self.past.append((command, self.state))\n        self.state = state\n"),
    ("journal", "self.groups.append((len(self.past), self.state))\n        self.future.clear()", "self.groups.append((len(self.past), self.state))"),
    ("journal", "        if len(self.groups) == 1:\n            self.state.check()\n        start, before = self.groups.pop()", "        start, before = self.groups.pop()\n        if not self.groups:\n            self.state.check()"),
    ("journal", "        if len(self.groups) == 1:\n            self.state.check()\n", "        self.state.check()\n"),
    ("journal", "        if before != self.state:\n            self.past.append((\"commit\", before))\n        self.future.clear()", "        self.past.append((\"commit\", before))\n        self.future.clear()"),
    ("journal", "        start, self.state = self.groups.pop()\n        del self.past[start:]\n        self.future.clear()", "        start, self.state = self.groups.pop()\n        del self.past[start:]"),
    ("journal", "(self.groups[-1][0] if self.groups else 0)", "len(self.groups)"),
    ("commands", 'line = line.strip(" ")', "line = line.strip()"),
    ("commands", "if any(under(name, each) for each in self.state.floors if each != name):", "if any(each.rpartition(\"/\")[0] == name and self.state.total(each) for each in self.state.floors):"),
    ("commands", '"" if floor is None else f" floor {shown(floor)}"', 'f" floor {shown(floor)}" if floor else ""'),
    ("commands", "        self.journal.change(command, entries={**self.state.entries, **{entry.number: entry for entry in entries}})\n        self.journal.last += len(entries)\n", "        self.journal.last += len(entries)\n        self.journal.change(command, entries={**self.state.entries, **{entry.number: entry for entry in entries}})\n"),
    ("commands", "first = self.journal.last + 1\n", "first = max(self.state.entries, default=self.journal.last) + 1\n"),
    ("commands", "[cents * weight // whole for weight in weights]", "[int(cents * weight / whole) for weight in weights]"),
    ("commands", "key=lambda n: -(cents * weights[n] % whole))", "key=lambda n: cents * weights[n] % whole)[::-1]"),
    ("commands", "(day, ((source, -cents), *zip(names, shares)))", "(day, ((source, -cents), *dict(zip(names, shares)).items()))"),
    ("commands", "        for name, _ in self.need_entry(number).legs:\n            if name not in", "        for name in sorted({name for name, _ in self.need_entry(number).legs}):\n            if name not in"),
    ("commands", "if new in self.state.floors or self.state.touching(new):", "if new in self.state.floors or any(name == new for entry in self.state.entries.values() for name, _ in entry.legs):"),
    ("commands", "max((each for each in both if each is not None), default=None)", "max(filter(None, both), default=None)"),
    ("commands", "if under(old, new) or under(new, old):", "if under(old, new):"),
    ("commands", "sorted(entry.tags)", "sorted(entry.tags, key=str.casefold)"),
    ("commands", "*[entry.note] * bool(entry.note)]", "*entry.note.split()]"),
    ("commands", "text in entry.note", "re.search(text, entry.note)"),
    ("commands", "[self.line(each, sum(max(0, cents) for _, cents in each.legs)) for each in entries]", "[self.line(each, sum({max(0, cents) for _, cents in each.legs})) for each in entries]"),
    ("commands", "if entry.day <= end:", "if entry.day < end:"),
    ("commands", "[shown(round(found * percent / 100))]", "[shown(round(float(found * percent / 100)))]"),
    ("commands", "length = 366 if day.year % 4 == 0 and (day.year % 100 or day.year % 400 == 0) else 365", "length = 366 if day.year % 4 == 0 else 365"),
    ("commands", "sums = [entry.sum(name) for entry in entries if start <= entry.day <= end]", "sums = [cents for entry in entries if start <= entry.day <= end for each, cents in entry.legs if under(name, each)]"),
    ("commands", 'f"{year:04}-W{week:02}" if period == "week"', 'entry.day.strftime("%Y-W%V") if period == "week"'),
    ("commands", "self.journal.change(\"back\", saved.floors, saved.entries)", "self.journal.change(\"back\", {**self.state.floors, **saved.floors}, saved.entries)"),
    ("commands", '        return self.enter("every", [(months_after(day, months * n), legs, note) for n in range(count)])', '        days = [day]\n        while len(days) < count:\n            days.append(months_after(days[-1], months))\n        return self.enter("every", [(each, legs, note) for each in days])'),
    ("journal", "command, before = self.past[-1]\n        self.guard(before)\n        self.past.pop()", "command, before = self.past.pop()\n        self.guard(before)"),
    ("journal", "command, after = self.future[-1]\n        self.guard(after)\n        self.future.pop()", "command, after = self.future.pop()"),
    ("journal", "        self.guard(state)\n        if not self.groups:\n", "        if not self.groups:\n            self.guard(state)\n"),
    ("__main__", 'sys.stdin.buffer.read().decode("utf-8").split("\\n")', 'sys.stdin.read().split("\\n")'),
)  # fmt: skip
IMPORTS = {"Decimal(": "from decimal import Decimal\n", "re.search(": "import re\n"}


@cache
def program(full: bool = True) -> dict[str, str]:
    """The program without faults; not full: before the work that NEXT.md wants. Marks at the ends of its lines tell what is in which."""
    found = {}
    for path in sorted(FOLDER.rglob("*.*")):
        if path.suffix in (".py", ".md"):
            lines = path.read_text(encoding="utf-8").split("\n")
            lines = [
                re.sub(r" *#[+-]$", "", line) for line in lines if not line.endswith("#-" if full else "#+")
            ]
            found[path.relative_to(FOLDER).as_posix()] = (
                re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)).rstrip() + "\n"
            )
    return found


def planted(seed: int) -> list[tuple[str, str, str]]:
    """The faults of a seed, each in another place."""
    found: list[tuple[str, str, str]] = []
    for fault in random.Random(f"tally {seed}").sample(FAULTS, len(FAULTS)):
        if len(found) < COUNT and not any(fault[1] in right or right in fault[1] for _, right, _ in found):
            found.append(fault)
    return found


def with_faults(faults: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """The program with these faults."""
    found = dict(program())
    for name, right, wrong in faults:
        text = found[f"tally/{name}.py"]
        assert text.count(right) == 1, (name, right)
        text = text.replace(right, wrong)
        for used, line in IMPORTS.items():
            if used in wrong and line not in text:
                text = text.replace("\n", "\n" + line, 1)
        found[f"tally/{name}.py"] = text
    return found


def cases(seed: int, full: bool = True) -> list[tuple[str, str]]:
    """Scripts, and what the program without faults prints."""
    return printed(scripts(seed, full), program(full))


def build(seed: int) -> Node:
    """The test of a seed."""
    work = (
        Files(lambda: with_faults(planted(seed)))
        >> QUESTION
        >> AgentRun([Shell(), EditFile()], max_turns=TURNS)
    )
    return work >> Cases(COMMAND, partial(cases, seed), files=["tally"])
