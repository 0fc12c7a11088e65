"""Right and wrong replies to long_tariff, by a reader of the prompt's own words, to whom sections are things in a list."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache

from ..long_tariff import text_of

PARTS = {"half": 2, "a third": 3, "a quarter": 4}


@dataclass(eq=False)
class _Section:
    """`texts`: a text, the sections that it names and the day until which it holds, the latest last."""

    texts: list[tuple[str, list[_Section], date | None]] = field(default_factory=list)
    struck: bool = False


def _day(words: str) -> date:
    return datetime.strptime(words, "%d %B %Y").date()


def _groats(words: str, mark: int) -> int:
    marks, groats = (re.search(rf"(\d+) {name}", words) for name in ("mark", "groat"))
    return (int(marks[1]) * mark if marks else 0) + (int(groats[1]) if groats else 0)


class _Reader:
    """What holds on a day."""

    def __init__(self, prompt: str, day: date, mistake: str) -> None:
        tariff, acts = re.findall(r"THE TARIFF\n\n(.*)\n\nTHE ACTS\n\n(.*)\n\nQUESTIONS\n", prompt, re.S)[0]
        first, *lines = tariff.split("\n")
        self.mistake, self.day = mistake, day
        self.fees: dict[int, int] = {}
        self.mark = int(first.split()[3])
        self.order = [_Section() for _ in lines]
        for section, line in zip(self.order, lines, strict=True):
            self._set(section, line.partition(". ")[2])
        begins: dict[int, date] = {}
        articles: dict[int, list[str]] = {}
        for act in acts.split("\n\n"):
            heading, *its = act.split("\n")
            number, when = re.findall(r"Act (\d+), in force from (.*)", heading)[0]
            begins[int(number)] = _day(when)
            articles[int(number)] = [each.partition(". ")[2] for each in its]
        done: set[int] = set()
        self.history = [(date.min, self.order)]
        by_number = mistake == "by number"
        while left := [
            (n if by_number else 0, begins[n], n) for n in begins if n not in done and begins[n] <= day
        ]:
            _, when, act = min(left)
            done.add(act)
            for article in articles[act]:
                if about := re.fullmatch(r"Act (\d+) (?:has no effect|is put off to (.*))\.", article):
                    if mistake == "acts stay":
                        continue
                    if about[2]:
                        begins[int(about[1])] = _day(about[2])
                    else:
                        done.add(int(about[1]))
                else:
                    self._do(article, when)
            self.history.append((when, self.order))

    def _named(self, number: str) -> _Section:
        at = int(number) - 1
        return self.order[at] if at < len(self.order) else _Section()

    def _set(self, section: _Section, text: str, until: date | None = None) -> None:
        section.texts.append((text, [self._named(each) for each in re.findall(r"§ (\d+)", text)], until))

    def _do(self, article: str, when: date) -> None:
        numbers = [self._named(each) for each in re.findall(r"§ (\d+)", article)]
        if found := re.fullmatch(r"A mark is from now on (\d+) groats\.", article):
            self.mark = self.mark if self.mistake == "old marks" else int(found[1])
        elif found := re.fullmatch(r"§ \d+ now reads: (.*)", article):
            self._set(numbers[0], found[1])
        elif found := re.fullmatch(r"Until (.*?), § \d+ reads: (.*)", article):
            if self.mistake == "for good":
                self._set(numbers[0], found[2])
            elif self.day <= _day(found[1]):
                self._set(numbers[0], found[2], _day(found[1]))
        elif found := re.fullmatch(r"In § \d+ the fee becomes (.*)\.", article):
            self._set(numbers[0], f"The fee is {found[1]}.")
        elif found := re.fullmatch(r"In § \d+ it becomes (\d) times\.", article):
            text, its, _ = numbers[0].texts[-1] if numbers[0].texts else ("", [], None)
            numbers[0].texts.append((re.sub(r"\d times", f"{found[1]} times", text), its, None))
        elif found := re.fullmatch(r"Behind § \d+ a section is inserted: (.*)", article):
            new = _Section()
            self._set(new, found[1])
            self._put(new, numbers[0])
        elif article.endswith("is struck out."):
            numbers[0].struck = True
            self._take(numbers[0])
        elif "is moved behind" in article:
            self._take(numbers[0])
            self._put(*numbers)
        elif self.mistake == "no exchange":
            return
        else:
            one, other = numbers
            swap = {id(one): other, id(other): one}
            self.order = [swap.get(id(each), each) for each in self.order]

    def _take(self, section: _Section) -> None:
        self.order = [each for each in self.order if each is not section]

    def _put(self, section: _Section, behind: _Section) -> None:
        at = next((n for n, each in enumerate(self.order, 1) if each is behind), len(self.order))
        self.order = [*self.order[:at], section, *self.order[at:]]

    def fee(self, section: _Section) -> int:
        """In groats. By a wrong reading a fee can depend on itself, and counts as 0 there."""
        if id(section) not in self.fees:
            self.fees[id(section)] = 0
            self.fees[id(section)] = self._fee(section)
        return self.fees[id(section)]

    def _fee(self, section: _Section) -> int:
        if section.struck or not section.texts:
            return 0
        text, its, _ = section.texts[-1]
        if self.mistake == "by old numbers":
            its = [self._named(each) for each in re.findall(r"§ (\d+)", text)]
        fees = [self.fee(each) for each in its]
        if not fees:
            return _groats(text, self.mark)
        if found := re.search(r"(\d) times", text):
            return int(found[1]) * fees[0]
        if found := re.search("|".join(PARTS), text):
            return math.ceil(fees[0] / PARTS[found[0]])
        if len(fees) == 2:
            return sum(fees) if "together" in text else max(fees) if "greater" in text else min(fees)
        amount = _groats(text.partition(", ")[2], self.mark)
        return fees[0] + amount if ", more " in text else max(0, fees[0] - amount)


@cache
def _answers(seed: int, mistake: str = "") -> tuple[int, ...]:
    prompt = text_of(seed)[0]
    found = []
    for question in re.findall(r"^Q\d+: (.*)$", prompt, re.M):
        days = [_day(each) for each in re.findall(r"\d+ [A-Z][a-z]+ \d{4}", question)]
        reader = _Reader(prompt, max(days), mistake)
        section = [reader._named(each) for each in re.findall(r"§ (\d+)", question)]
        if len(days) == 2:
            before = [order for day, order in reader.history if day <= min(days)][-1]
            found.append(next((n for n, each in enumerate(before, 1) if each is section[0]), 0))
        else:
            found.append(reader.fee(section[0]) if section else len(reader.order))
    return tuple(found)


def _reply(numbers: tuple[int, ...]) -> str:
    return "Section by section:\n\n" + "\n".join(f"Q{n}: {each}" for n, each in enumerate(numbers, 1))


def right(seed: int) -> list[str]:
    numbers = _answers(seed)
    return [_reply(numbers), "\n".join(f"- **Q{n}:** {each} groats" for n, each in enumerate(numbers, 1))]


def wrong(seed: int) -> list[str]:
    numbers = _answers(seed)
    mistakes = ("by number", "acts stay", "by old numbers", "old marks", "no exchange")
    return [
        *(_reply(_answers(seed, each)) for each in mistakes),
        _reply((*numbers[:-1], numbers[-1] + 1)),
        _reply(numbers[:-1]),
        "The acts are too many.",
    ]
