"""A tariff of fees that refer to each other, and acts that amend, insert, strike out and move its sections."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache, partial
from typing import Any

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = (
    "Can the model find the fees in force after sixty acts that change and renumber the sections of a tariff?"
)
TAGS = ["hard", "reading", "law"]

SECTIONS, ACTS, ARTICLES = 180, 100, 27  # at first; acts; articles of an act on average: the knobs
BEGIN, DAYS = date(1871, 1, 1), 9500
PUT_OFF, VOID = 9, 9  # acts whose commencement is put off, and that never take effect
DEEP, TOUCHED = 6, 16  # sections that decide a fee, and changes of those, at least
PROMPT = """Below are the tariff of a harbour as it stood on 1 January 1871, and the acts that changed it. Each section sets a fee; some do it by the fees of other
sections. These are the rules:

1. An act takes effect on the day that its heading says, not in the order of its number, and at once for that whole day. Its articles are carried out in their order. No two
acts take effect on the same day.
2. Sections always have the numbers 1, 2, 3 and so on without a gap. If a section is inserted behind § 12, it is § 13, and those behind it have numbers higher by one. If § 12 is struck
out, those behind it have numbers lower by one. If § 12 is moved behind § 30, it is taken out and put in behind the section that was § 30 before; all sections in between change their
numbers. If two sections exchange their places, each has the number of the other.
3. An article means the sections by the numbers that they have just before it, and so does a text that it gives to a section.
4. A text that refers to a section goes on referring to the same section whatever number that gets later (the number in the text is adapted without saying). If that section is
struck out, its fee counts as 0 in such a text from then on, also when another section gets its number.
5. If an article says that a section reads otherwise "until" a day, it does so from the act's day up to and including that day, and then as before.
6. If an act is said to be put off, it takes effect on the new day instead of the one in its heading. If it is said to have no effect, it never has any. Such an article always takes effect before the
act that it is about would have done so.
7. Fees are in marks and groats. How many groats a mark has at first is said in the tariff, and acts change it; a fee in marks set by an old text is worth as many groats on a day as its marks have
on that day. A half, a third or a quarter is rounded up to whole groats each time, by the marks of the day that is asked about. A fee that would be less than 0 is 0.

THE TARIFF

{tariff}

THE ACTS

{acts}

QUESTIONS

{questions}

Sections are meant by the numbers that they have on the day that is named; what takes effect on that day has taken effect. Work it out by reading alone. End your reply with {count}
lines, one for each question, with only a number, such as "Q1: 137"."""

PARTS = {2: "half", 3: "a third", 4: "a quarter"}
Text = tuple[Any, ...]
Article = tuple[Any, ...]


def money(marks: int, groats: int) -> str:
    """An amount in words."""
    parts = [f"{marks} mark{'s' * (marks != 1)}"] * (marks > 0) + [f"{groats} groat{'s' * (groats != 1)}"] * (
        groats > 0
    )
    return " ".join(parts)


def said(text: Text, number: dict[int, int]) -> str:
    """A section's text, with the numbers that sections have now."""
    match text:
        case ("fixed", marks, groats):
            return f"The fee is {money(marks, groats)}."
        case ("times", times, one):
            return f"The fee is {times} times that of § {number[one]}."
        case ("part", part, one):
            return f"The fee is {PARTS[part]} of that of § {number[one]}."
        case ("more" | "less" as kind, one, marks, groats):
            return f"The fee is that of § {number[one]}, {kind} {money(marks, groats)}."
        case ("sum", one, other):
            return f"The fee is those of § {number[one]} and § {number[other]} together."
        case (kind, one, other):
            return f"The fee is the {kind} one of those of § {number[one]} and § {number[other]}."
    raise ValueError(text)


def references(text: Text) -> list[int]:
    """The sections that a text refers to."""
    match text:
        case ("fixed", *_):
            return []
        case ("times" | "part", _, one) | ("more" | "less", one, _, _):
            return [one]
        case (_, one, other):
            return [one, other]
    raise ValueError(text)


@dataclass
class Tariff:
    """Sections in their order, each by a number of its own that never changes."""

    order: list[int] = field(default_factory=list)
    texts: dict[int, Text] = field(default_factory=dict)
    for_a_time: dict[int, tuple[date, date, Text]] = field(default_factory=dict)
    mark: int = 24
    touched: dict[int, int] = field(default_factory=dict)

    def copy(self) -> Tariff:
        """The same, for later."""
        its = list(self.order), dict(self.texts), dict(self.for_a_time), self.mark, dict(self.touched)
        return Tariff(*its)

    def number(self) -> dict[int, int]:
        """The number of each section."""
        return {section: n for n, section in enumerate(self.order, 1)}

    def text(self, section: int, day: date) -> Text:
        """The text in force."""
        if section in self.for_a_time:
            begin, end, text = self.for_a_time[section]
            if begin <= day <= end:
                return text
        return self.texts[section]

    def fees(self, day: date) -> dict[int, tuple[int, frozenset[int]]]:
        """Of each section the fee in groats, and the sections that decide it, itself included."""
        found: dict[int, tuple[int, frozenset[int]]] = {}

        def fee(section: int) -> tuple[int, frozenset[int]]:
            if section not in self.texts:
                return 0, frozenset()
            if section not in found:
                text = self.text(section, day)
                its = [fee(each) for each in references(text)]
                match text:
                    case ("fixed", marks, groats):
                        value = marks * self.mark + groats
                    case ("times", times, _):
                        value = times * its[0][0]
                    case ("part", part, _):
                        value = -(-its[0][0] // part)
                    case ("more", _, marks, groats):
                        value = its[0][0] + marks * self.mark + groats
                    case ("less", _, marks, groats):
                        value = max(0, its[0][0] - marks * self.mark - groats)
                    case ("sum", *_):
                        value = its[0][0] + its[1][0]
                    case ("greater", *_):
                        value = max(its[0][0], its[1][0])
                    case _:
                        value = min(its[0][0], its[1][0])
                # what a greater or lesser fee leaves out would not show
                its = [each for each in its if text[0] not in ("greater", "lesser") or each[0] == value][:2]
                found[section] = value, frozenset({section}).union(*(each for _, each in its))
            return found[section]

        return {section: fee(section) for section in self.order}

    def do(self, article: Article, day: date) -> None:
        """Carry out an article; those about acts are carried out elsewhere."""
        match article:
            case ("replace", section, text):
                self.texts[section] = text
            case ("time", section, text, end):
                self.for_a_time[section] = day, end, text
            case ("insert", section, new, text):
                self.order.insert(self.order.index(section) + 1, new)
                self.texts[new] = text
            case ("strike", section):
                self.order.remove(section)
                del self.texts[section]
            case ("move", section, other):
                self.order.remove(section)
                self.order.insert(self.order.index(other) + 1, section)
            case ("exchange", section, other):
                a, b = self.order.index(section), self.order.index(other)
                self.order[a], self.order[b] = other, section
            case ("mark", groats):
                self.mark = groats
        if article[0] in ("replace", "time", "move", "exchange"):
            self.touched[article[1]] = self.touched.get(article[1], 0) + 1


def worded(article: Article, number: dict[int, int], old: Text | None) -> str:
    """An article in words; `old` is the text that it replaces."""
    match article:
        case ("replace", section, ("fixed", marks, groats)) if old and old[0] == "fixed":
            return f"In § {number[section]} the fee becomes {money(marks, groats)}."
        case ("replace", section, ("times", times, one)) if old and old[0] == "times" and old[2] == one:
            return f"In § {number[section]} it becomes {times} times."
        case ("replace", section, text):
            return f"§ {number[section]} now reads: {said(text, number)}"
        case ("time", section, text, end):
            return f"Until {shown(end)}, § {number[section]} reads: {said(text, number)}"
        case ("insert", section, _, text):
            return f"Behind § {number[section]} a section is inserted: {said(text, number)}"
        case ("strike", section):
            return f"§ {number[section]} is struck out."
        case ("move", section, other):
            return f"§ {number[section]} is moved behind § {number[other]}."
        case ("exchange", section, other):
            return f"§ {number[section]} and § {number[other]} exchange their places."
        case ("mark", groats):
            return f"A mark is from now on {groats} groats."
        case ("void", act):
            return f"Act {act} has no effect."
        case ("put off", act, day):
            return f"Act {act} is put off to {shown(day)}."
    raise ValueError(article)


def shown(day: date) -> str:
    """A day in words."""
    return f"{day.day} {day:%B} {day.year}"


class Writer:
    """Writes the tariff and the acts of a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"tariff {seed}")
        self.tariff = Tariff()
        self.new = 0
        for _ in range(SECTIONS):
            place = self.chance.randint(0, len(self.tariff.order))
            self.tariff.order.insert(place, self.new)
            self.tariff.texts[self.new] = self._text(self.new, 0.25)
            self.new += 1
        number = self.tariff.number()
        self.first = [
            "A mark is 24 groats.",
            *(
                f"§ {n}. {said(self.tariff.texts[each], number)}"
                for n, each in enumerate(self.tariff.order, 1)
            ),
        ]
        self._plan()
        self.acts: dict[int, str] = {}
        self.states = [(BEGIN, self.tariff.copy())]
        for day, act in sorted((day, act) for act, day in self.done.items()):
            self._act(act, day, True)
        for act in self.void:
            self._act(act, self.heading[act], False)

    def _amount(self) -> tuple[int, int]:
        marks, groats = self.chance.choice((0, 0, 1, 2, 3, 4, 5, 7, 9)), self.chance.randrange(24)
        return (marks, groats) if marks or groats else (0, 5)

    def _text(self, section: int, plain: float = 0.2) -> Text:
        """A text for a section, which refers to older ones only, so that no fee depends on itself."""
        chance = self.chance
        older = [each for each in self.tariff.order if each < section]
        if len(older) < 8 or chance.random() < plain:
            return ("fixed", *self._amount())
        one, other = chance.sample(older, 2)
        kind = chance.choice(
            ("times", "part", "part", "more", "less", "less", "sum", "sum", "greater", "lesser")
        )
        if kind == "times":
            return (kind, chance.choice((2, 3)), one)
        if kind == "part":
            return (kind, chance.choice((2, 3, 4)), one)
        return (kind, one, *self._amount()) if kind in ("more", "less") else (kind, one, other)

    def _plan(self) -> None:
        """When the acts take effect, and which acts are about others."""
        chance = self.chance
        days = sorted(chance.sample(range(60, DAYS), ACTS))
        for n in range(ACTS - 1):  # not in the order of their numbers
            if chance.random() < 0.35:
                other = min(ACTS - 1, n + chance.randint(1, 6))
                days[n], days[other] = days[other], days[n]
        self.heading = {n: BEGIN + timedelta(days[n - 1]) for n in range(1, ACTS + 1)}
        chosen = chance.sample(
            [n for n in self.heading if self.heading[n] > BEGIN + timedelta(900)], PUT_OFF + VOID
        )
        self.void, off = set(chosen[:VOID]), chosen[VOID:]
        self.done = {n: day for n, day in self.heading.items() if n not in self.void}
        for act in off:
            while self.done[act] in self.heading.values():
                self.done[act] = self.heading[act] + timedelta(chance.randint(30, 900))
        self.about: dict[int, list[Article]] = {}
        for act in chosen:
            earlier = [n for n, day in self.done.items() if n not in chosen and day < self.heading[act]]
            late = sorted(earlier, key=lambda n: self.done[n])[-12:]
            article = ("void", act) if act in self.void else ("put off", act, self.done[act])
            self.about.setdefault(chance.choice(late), []).append(article)

    def _article(self, day: date) -> Article:
        chance, tariff = self.chance, self.tariff
        held = {each for each, (_, end, _) in tariff.for_a_time.items() if end >= day}
        free = [each for each in tariff.order if each not in held]
        kind = chance.choice(("replace",) * 14 + ("time", "insert", "strike", "move", "exchange"))
        section = chance.choice(free)
        if kind == "replace":
            old = tariff.texts[section]
            if old[0] == "fixed" and chance.random() < 0.6:
                return (kind, section, ("fixed", *self._amount()))
            if old[0] == "times" and chance.random() < 0.6:
                return (kind, section, ("times", 5 - old[1], old[2]))
            return (kind, section, self._text(section))
        if kind == "time":
            return (kind, section, self._text(section, 0.5), day + timedelta(chance.randint(100, 1500)))
        if kind == "insert":
            self.new += 1
            return (kind, section, self.new - 1, self._text(self.new - 1))
        other = chance.choice([each for each in free if each != section])
        return (kind, section) if kind == "strike" else (kind, section, other)

    def _act(self, act: int, day: date, takes_effect: bool) -> None:
        """Write an act, and carry it out if it takes effect."""
        chance, lines = self.chance, []
        planned = list(self.about.get(act, []))
        if chance.random() < 0.12:
            planned.append(
                ("mark", chance.choice([each for each in range(20, 31) if each != self.tariff.mark]))
            )
        count = chance.randint(ARTICLES // 2, ARTICLES * 3 // 2)
        slots: list[Article | None] = [None] * count
        for each in planned:
            slots.insert(chance.randint(0, len(slots)), each)
        kept = self.tariff.copy()
        for n, planned_one in enumerate(slots, 1):
            article = planned_one or self._article(day)
            old = self.tariff.texts.get(article[1]) if article[0] == "replace" else None
            lines.append(f"{n}. {worded(article, self.tariff.number(), old)}")
            self.tariff.do(article, day)
        heading = f"Act {act}, in force from {shown(self.heading[act])}"
        self.acts[act] = "\n".join((heading, *lines))
        if takes_effect:
            self.states.append((day, self.tariff.copy()))
        else:
            self.tariff = kept

    def at(self, day: date) -> Tariff:
        """The tariff on a day."""
        return [state for begin, state in self.states if begin <= day][-1]


@cache
def text_of(seed: int) -> tuple[str, dict[str, int]]:
    """The prompt and the answers of a seed."""
    writer = Writer(seed)
    chance = random.Random(f"tariff questions {seed}")
    questions: list[str] = []
    wanted: dict[str, int] = {}

    def ask(question: str, answer: int) -> None:
        questions.append(f"Q{len(questions) + 1}: {question}")
        wanted[f"Q{len(questions)}"] = answer

    def some_day(least: int, most: int) -> date:
        return BEGIN + timedelta(chance.randint(least, most))

    for least, most in ((4000, 6000), (5000, 7500), *((7000, DAYS + 200),) * 5):
        while True:
            day = some_day(least, most)
            state = writer.at(day)
            fees = state.fees(day)
            good = [
                each for each, (fee, its) in fees.items()
                if len(its) >= DEEP and sum(state.touched.get(one, 0) for one in its) >= TOUCHED and fee > 20
                and len(its) <= 2 * DEEP and fee not in wanted.values()
            ]  # fmt: skip
            if good:
                break
        section = chance.choice(good)
        ask(f"What is the fee of § {state.number()[section]} on {shown(day)}, in groats?", fees[section][0])
    for _ in range(2):
        early, late = some_day(200, 2500), some_day(7500, DAYS + 200)
        before, after = writer.at(early), writer.at(late)
        section = chance.choice(
            [each for each in after.order if each in before.texts and 30 < before.order.index(each) < 140]
        )
        ask(
            f"Which number had the section on {shown(early)} that is § {after.number()[section]} on {shown(late)}?",
            before.number()[section],
        )
    day = some_day(8500, DAYS + 200)
    ask(f"How many sections does the tariff have on {shown(day)}?", len(writer.at(day).order))
    prompt = PROMPT.format(
        tariff="\n".join(writer.first),
        acts="\n\n".join(writer.acts[n] for n in sorted(writer.acts)),
        questions="\n".join(questions),
        count=len(questions),
    )
    return prompt, wanted


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return text_of(seed)[1]


def build(seed: int) -> Node:
    """The test of a seed."""
    return text_of(seed)[0] >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
