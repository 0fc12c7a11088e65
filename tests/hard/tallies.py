"""Random scripts for the book of accounts of repair_tally and extend_tally, and what a program prints for them."""

# fmt: off
from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

SCRIPTS = 80  # a half of stories, which make rare things meet
NAMES = ("a", "ab", "a.b", "a/b", "a/b/a", "a/bb/c", "b", "b/a", "b/a/b", "a-b/c", "a b/c", "Ä/ß", "a\tb", "\u00a0/%s", "{}/\\1", "none", "a/a/a", "x/x.x/x")
NOTES = ("rent  for   May", "a\rb", "50% off", "x.y", "a+b(c", "[z", "tab\there", "\t", "\u2028", "Ünder 7", "UNDER 7", "+a b", "{0}  %d", "\u00a0x\u00a0")
DAYS = ("2026-01-01", "2025-12-29", "2027-01-03", "2024-02-29", "2023-03-01", "1900-02-28", "0001-01-01", "0004-12-31", "9999-12-31", "9998-11-30", "2021-01-04", "2020-12-31", "0999-10-31",
    "2100-03-01")
TAGS = ("a", "B", "ab", "Z", "é", "É", "[", "+a", "_")
# ruff: noqa: RUF001
# forms that look like what they are not, and some that are what they do not look like
DAY_FORMS = ("20260101", "2026-W01-1", "٢٠٢٦-01-01", "2026-02-29", "1900-02-29", "2000-02-29", "0000-01-01", "2026-1-1", "2026-00-10", "10000-01-01", "2026-01-01T00", "+026-01-01", "2026-06-31")
AMOUNTS = ("1.5", "1.", ".5", "+1", "1_0", "1e3", "-0", "-1", "0", "00012.50", "١٢", "1.٥٠", "0.00", "1,00", "1.000", "--1", "0x1", "²", "1.2.3", "none")
NUMBERS = ("+1", "-1", "1_0", "٣", "0", "007", "1.0", "", "999", "²", "00", "1 1", "1001", "01000")
PERCENTS = ("1/3", "1e2", "-5", "5.", "1x5", ".5", "٣", "2.5", "0", "00.10", "1_0", "33.333333333333333333333333333333333333", "nan", "1-5", "+1")
WRONG_NAMES = ("a//b", "/a", "a/", "/", "//", "a/b//c", "a///b")
LINES = ("Open x", "mov", "__init__ x", "do x", "undo x", "accounts x", "open", "", "   ", "  # note", "\t", "\t# x", "#open q", "open\u00a0q", "open q\rr", "\ufeffopen q", "undo\t", "\u2003undo",
    "   open   a  ", "parsed", "enter 1 2", "line 1")


class Story:
    """A script in the making."""

    def __init__(self, chance: random.Random, full: bool) -> None:
        self.chance, self.full = chance, full
        self.names = chance.sample(NAMES, 5) + chance.sample(NAMES[:6], 2)
        self.names = [name.replace(" ", "\u00b7") for name in self.names]
        self.days = [date.fromisoformat(chance.choice(DAYS)) for _ in range(3)]
        self.large = chance.choice([0, 0, 0, 20, 45, 45])
        self.lines: list[str] = []

    def name(self) -> str:
        return self.chance.choice(self.names)

    def pair(self) -> str:
        return " ".join(self.chance.sample(sorted(set(self.names)), 2))

    def day(self) -> str:
        chance = self.chance
        day = chance.choice(self.days)
        if chance.random() < 0.3 and 5 < day.toordinal() < date.max.toordinal() - 5:
            day += timedelta(chance.randint(-4, 4))
        return day.isoformat()

    def span(self) -> str:
        return " ".join(sorted([self.day(), self.day()], reverse=self.chance.random() < 0.07))

    def amount(self) -> str:
        chance = self.chance
        if self.large and chance.random() < 0.3:
            return ("1"
                + "0" * (self.large - 4)
                + f"{chance.randint(1, 999):04}"
                + chance.choice(["", ".01", ".99"]))
        return chance.choice(["1", "2", "5", "0.01", "0.02", "0.05", "3.50", "10", "10.00", "7.03", "100.01"])

    def note(self) -> str:
        return f" {self.chance.choice(NOTES)}" if self.chance.random() < 0.4 else ""

    def number(self) -> str:
        most = max(1, sum(line.startswith(("move", "split")) for line in self.lines))
        return str(self.chance.randint(1, most + 1)
            if self.chance.random() < 0.8
            else self.chance.choice(["01", "2", 3]))

    def move(self) -> str:
        return f"move {self.day()} {self.pair()} {self.amount()}{self.note()}"

    def split(self) -> str:
        chance = self.chance
        heavy = ["1428571" * (self.large // 7)] * (self.large > 0)
        names = [self.name() for _ in range(chance.randint(1, 4))]
        source = chance.choice([each for each in self.names if each not in names] or names)
        weights = chance.choice([["1"], ["1", "1", "2"], ["1", "3", "7"], ["1", "99999", *heavy], ["003", "6"]])
        return f"split {self.day()} {source} {self.amount()} " + " ".join(f"{each} {chance.choice(weights)}" for each in names)

    def floor(self) -> str:
        return f"floor {self.name()} {self.chance.choice(['0', '0', '-0.00', 'none', '-1', '-3.50', '-10', '2', '-100.01'])}"

    def odd(self) -> str:
        """A line with one word that is of no form, or seems so."""
        chance, full = self.chance, self.full
        day, two, pay = chance.choice(DAY_FORMS), self.pair(), chance.choice(AMOUNTS)
        found = [chance.choice(LINES), f"move {day} {two} 1", f"move {self.day()} {two} {pay}", f"floor {self.name()} {pay}", f"void {chance.choice(NUMBERS)}",
                 f"open {chance.choice(WRONG_NAMES)}", f"balance {self.name()} {day}", f"list {self.name()} {day} x", f"move {day} /a {self.name()} {pay}", f"rename {self.name()} {chance.choice(WRONG_NAMES)}"]  # fmt: skip
        if full:
            number, third = chance.choice(NUMBERS), chance.choice(PERCENTS)
            found += [f"split {self.day()} {two} {number} x", f"split {self.day()} {self.name()} 1 {self.name()} {number}", f"every {self.day()} {number} 2 {two} 1", f"every {self.day()} 1 {number} {two} 1",
                      f"interest {self.name()} {third} {self.span()}", f"interest {self.name()} {third} {self.span()}", f"by {self.name()} {chance.choice(['ee', 'k', 'Week', 'months', 'day', 'w', 'month', 'weeks'])}", f"tag {number} a",
                      f"split {self.day()} {two} 1 {self.name()}", "find", f"tagged {chance.choice(['a b', 'a'])}", f"table {day} {self.day()}", "save", "back x y", f"seal {day}"]  # fmt: skip
        return chance.choice(found)

    def asked(self) -> str:
        chance, name = self.chance, self.name()
        found = [f"balance {name} {self.day()}", f"balance {name}", f"list {name}", f"list {name} {self.day()}", f"list {name} {self.span()}", "accounts"]
        if self.full:
            everything = chance.choice([self.span(), "0001-01-01 9999-12-31", "1896-02-03 2104-01-01", "1900-01-01 1900-12-31", "0001-01-01 0001-01-01"])
            found += [f"interest {name} {chance.choice(['5', '3.65', '0.365', '36.5', '7.1234567890123456789', '100'])} {everything}", f"table {self.span()}", f"by {name} {chance.choice(['week', 'week', 'month', 'year'])}",
                      f"tagged {chance.choice(TAGS)}", f"find {chance.choice(['x.y', 'a', '7', 'under', ' ', 'r  f', 'a+b(', '[', '.', '%', '50%  ', chance.choice(NOTES)])}"]  # fmt: skip
        return chance.choice(found)

    def rare(self) -> list[str]:
        """A story in which rare things meet."""
        chance, (one, two), day = self.chance, self.chance.sample(sorted(set(self.names)), 2), self.day()
        back = f"move {day} {two} {one} 5"
        found: list[list[str]] = [[f"floor {one} 0", f"move {day} {one} {two} 5", back, f"move {day} {one} {two} 5", "undo", "undo", "undo"],
            [f"floor {one} none", f"floor {one} none", "undo", "undo", self.move()], [self.move(), "undo", self.move(), self.move(), "undo", "undo", self.move()],
            [f"open {one}/q/r", f"move {day} {one}/q/r {two} 1", f"move {day} {two} {one}/q/r 1", f"close {one}", f"close {one}/q", f"close {one}/q/r", f"close {one}/q", f"rename {two} {one}/q", f"rename {two} {one}/q/r", f"void {self.number()}",
             f"open {one}/q/r/s", f"list {one}/q"], [f"open z/{one}", f"floor z/{one} -1", f"rename {one} z/{one}", f"rename z y/z/{two}", "accounts", "undo"],
            [f"rename {one} {one}/x", f"rename {one} {one}x", "accounts", "undo", "undo"], [f"open v/w/{one}/v/w", "floor v/w -7", back, f"rename v/w {one}/w/v/w", "accounts", "undo", "undo", "undo"],
            [f"open s/{one}", f"open s/{two}", f"move {day} s/{one} s/{two} 4", "list s", f"move {day} s/{two} s/{one} 4", f"close s/{one}", f"close s/{two}", *[f"void {n}" for n in range(1, 20)], "list s", "close s"],
            [f"move {day} {one} {two} 1 n{n}" for n in range(chance.choice([3, 12]))] + [f"list {one}"]]  # fmt: skip
        if self.full:
            word = chance.choice(["w", "v"])
            group = [self.change() for _ in range(3)]
            found += [["begin", self.move(), self.move(), "undo", "cancel", "redo"], ["begin", self.move(), "undo", "begin", "redo", "commit", "redo", "commit", "redo", "undo"],
                [f"move {day} {one} {two} 3", f"seal {day}", f"move {day} {one} {two} 3", f"void {self.number()}", "undo", f"tag {self.number()} a", "undo", "undo", "begin", f"move {day} {one} {two} 3", "seal 9999-12-30", "commit", f"rename {two} {two}/b", "undo"],
                [f"move {day} {one} {two} 3", f"move {day} {two} {one} 3", "undo", f"seal {day}", "undo", "undo", "redo", "redo", "undo", f"list {one}"], [f"move {day} {one} {two} 3", f"move {day} {two} {one} 3", "undo", "undo", f"seal {day}", "redo", "redo", "undo", f"list {one}"],
                [f"split {day} {one} 6 {two} 1 {two} 1", *[f"tag {n} a" for n in range(8, 30)], "tagged a", f"merge {one} {two}", "tagged a"],
                [f"save {word}", f"move {day} {one} {two} 3", "undo", f"seal {day}", "redo", "redo", f"back {word}", "undo", f"seal {self.day()}", f"split {self.day()} {one} 5 {two} 1", f"merge {one} {two}", f"void {self.number()}"],
                ["begin", "commit", "undo", "undo"], ["undo", "begin", "redo", "cancel", "redo"], [self.move(), "undo", "commit", "redo"], [self.move(), "undo", "begin", "cancel", "redo"], [self.move(), "undo", f"floor {one} none", f"floor {one} none", "redo"],
                ["begin", f"floor {one} 0", f"move {day} {one} {two} 50", "commit", "begin", "commit", "undo", "undo", "commit", back, "commit", "cancel", "undo"],
                ["begin", self.move(), "begin", f"floor {two} 1", *group, "commit", "undo", "undo", "undo", "redo", "commit", "undo", "redo", "undo"],
                ["begin", *group, "cancel", "undo", "redo", self.move()], ["begin", *group, "commit", "undo", "accounts", "redo", "undo", self.move(), "redo"],
                ["begin", self.move(), "undo", "undo", "redo", "commit", "undo"], ["begin", *group, "undo", "commit", "redo", "undo"], ["begin", "begin", "undo", *group, "cancel", "undo", "commit", "undo"],
                [f"save {word}", *group, f"open n/{one}", f"back {word}", "accounts", "undo", "accounts"], [f"save {word}", f"back {word}", "undo"], ["begin", f"floor {one} 99", back, f"save {word}", "cancel", f"back {word}", "accounts"],
                [f"floor {one} {chance.choice(['0', '-2', 'none', '-0'])}", f"floor {two} {chance.choice(['none', '-5', '0'])}", f"merge {one} {two}", "accounts", "undo"],
                [f"merge {one} {two}", f"list {two}", f"table {self.span()}", "undo", "redo"], ["merge a a/b", "merge a/b a", f"merge {one} {one}"], [f"open {one}/m/n", f"open {two}/m", f"floor {one}/m -4", f"floor {two}/m 0", f"merge {one} {two}", "accounts"],
                [f"every {chance.choice(['2023-10-31', '2024-02-29', '2023-08-30', '1899-12-31'])} {chance.choice([1, 2, 12, 13])} {chance.choice([1, 5, 14])} {one} {two} {self.amount()}{self.note()}", f"by {one} month", f"list {two}"],
                [f"every {chance.choice(['9999-10-31', '9998-12-31', '9999-12-01'])} {chance.choice([1, 12, 10**30])} {chance.choice([1, 2, 3])} {one} {two} 1", self.move(), f"list {one}", "undo"],
                [f"split {day} {one} {chance.choice(['0.01', '0.02', '1', '0.05'])} {two} 1 {two}/u 1 {two} 1", f"open {two}/u", f"split {day} {one} {chance.choice(['0.01', '0.02', '1', '0.05'])} {two} 1 {two}/u 1 {two} 1 {two}/u 3", f"list {two}", f"list {two}/u", f"table {day} {day}"],
                [f"tag {n} {tag}" for n in (1, 2) for tag in chance.sample(TAGS, 4)] + ["tagged a", "untag 1 a", "untag 1 a", "tagged +a", "undo", "tagged ab", f"list {one}"],
                [f"move {day} {one} {two} 1 {note}" for note in chance.sample(NOTES, 3)] + [f"find {chance.choice(NOTES)}", f"tag 1 {chance.choice(TAGS)}", "find x.y"],
                [f"move {each} {one} {two} {self.amount()}" for each in chance.sample(DAYS, 5)] + [f"by {one} week", f"by {two} year", f"interest {one} 3.65 {self.span()}", f"interest {two} 1 0001-01-01 9999-12-31"],
                [f"move 2023-01-01 {one} {two} 100", f"interest {two} 1.825 2023-01-01 2023-01-01", f"interest {two} 5.475 2023-01-01 2023-01-01", f"interest {one} 1.825 2023-01-01 2023-01-01", f"move 1900-01-01 {one} {two} 36500", f"interest {two} 1 1900-02-28 1900-03-01"],
                [f"open c/{one}", f"open c/{two}", f"split {day} {self.name()} 5 c/{one} 1 c/{two} 1", f"split {day} {self.name()} 4 c/{two} 1 c/{one} 1", f"move {day} c/{two} {one} 4.50", f"move {day} c/{one} {one} 4.50", f"close c/{two}", f"close c/{one}", "close c", *[f"void {n}" for n in range(1, 30)]]]  # fmt: skip
        return chance.choice(found)

    def change(self) -> str:
        chance, two = self.chance, self.pair()
        found = [self.move] * 8 + [self.floor] * 3
        others = [f"void {self.number()}", f"close {self.name()}", f"open {self.name()}", f"rename {two}", f"rename {self.name()} {self.name()}/{self.name()}"]
        if self.full:
            found += [self.split] * 4
            others += [f"merge {two}", f"tag {self.number()} {chance.choice(TAGS)}", f"untag {self.number()} {chance.choice(TAGS)}", f"every {self.day()} {chance.choice([1, 3])} {chance.choice([1, 4])} {two} {self.amount()}", f"save {chance.choice('vw')}", f"back {chance.choice('vw')}"]  # fmt: skip
        return chance.choice(found)() if chance.random() < 0.7 else chance.choice(others)

    def forms(self) -> str:
        """A script of all forms."""
        one, two = self.chance.sample(NAMES[:9], 2)
        lines = [f"open {one}", f"open {two}", f"move 2000-01-01 {one} {two} 7", *LINES]
        lines += [line
            for day in DAY_FORMS
            for line in (f"move {day} {one} {two} 1", f"balance {one} {day}", f"move {day} a// {one} x")]
        lines += [line
            for pay in AMOUNTS
            for line in (f"move 2024-02-02 {one} {two} {pay}", f"floor {two} {pay}", f"move 2024-02-02 {one} {two}/ {pay}")]
        lines += [line for number in NUMBERS for line in (f"void {number}", f"void {number} x")]
        lines += [line for name in WRONG_NAMES for line in (f"open {name}", f"rename {one} {name}")]
        if self.full:
            lines += [line
                for number in NUMBERS
                for line in (f"every 2026-01-31 {number} 2 {one} {two} 1", f"every 2026-01-31 1 {number} {one} {two} 1", f"split 2026-02-01 {one} 1 {two} {number}", f"tag {number} {number}")]
            lines += [f"interest {one} {word} 2000-01-01 2003-01-01" for word in PERCENTS]
            lines += [f"by {one} {word}"
                for word in ("ee", "k", "Week", "months", "m", "month", "week", "year", "week ", "k m")]
        huge = self.chance.choice("123456789") + "5" * 4990 + ".07"
        lines += [f"move 2026-05-05 {one} {two} {huge}", f"balance {one}", f"floor {one} -{huge[:-1]}8", "undo", "undo"]
        return "\n".join([*lines, "accounts", f"list {one}"]) + "\n"

    def text(self, stories: bool) -> str:
        chance, lines = self.chance, self.lines
        lines += [f"open {name}" for name in self.names]
        for _ in range(8):
            lines.append(self.split() if self.full and chance.random() < 0.3 else self.move())
        turns = ["undo", "undo"] + ["redo", "begin", "commit", "cancel"] * self.full
        while len(lines) < 75:
            kind = chance.random()
            if stories and kind < 0.5:
                lines += self.rare()
            else:
                lines.append(self.change()
                    if kind < 0.64
                    else self.odd()
                    if kind < 0.74
                    else chance.choice(turns)
                    if kind < 0.79
                    else self.asked())
        lines += ["accounts", *(self.asked() for _ in range(6)), *(f"list {name}" for name in self.names)]
        if self.full:
            lines += [f"by {self.name()} week", "table 0001-01-01 9999-12-31", "tagged a", "find a"]
        return ("\n".join(line if chance.random() < 0.9 else f"  {line.replace(' ', '  ', 1)} " for line in lines)
            + "\n")


def scripts(seed: int, full: bool) -> list[str]:
    """Scripts of a seed, for the whole program or for that before its extension."""
    chance = random.Random(f"tallies {seed} {full}")
    return [Story(chance, full).forms() for _ in range(3)] + [Story(chance, full).text(number % 2 == 0) for number in range(SCRIPTS)]


# the program on all scripts in one process
EVERY = """
import json, sys
from tally.commands import Tally
found = []
for text in json.load(sys.stdin):
    tally = Tally()
    found.append("".join(answer + chr(10) for line in text.split(chr(10)) for answer in tally.do(line)))
json.dump(found, sys.stdout)
"""


def printed(texts: Sequence[str], files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each text with what a program prints for it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tally").mkdir()
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        argv = [sys.executable, "-B", "-c", EVERY]
        done = subprocess.run(argv, input=json.dumps(texts), capture_output=True, text=True, cwd=folder, check=True, timeout=100)
    return list(zip(texts, json.loads(done.stdout), strict=True))
