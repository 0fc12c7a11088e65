"""A code of law, and the acts that amended it: sections move, and each act counts them as they stood."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import partial

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = "Can the model say what a code of law says after twenty acts that move and change its sections?"
TAGS = ["medium", "reading", "law"]

SECTIONS, ACTS, CHANGES = 150, 20, 7
FIRST = (
    "tidal", "upper", "lower", "stone", "timber", "public", "private", "seasonal", "floating", "covered", "open",
    "northern", "southern", "eastern", "western",
)  # fmt: skip
SECOND = (
    "weir", "mill", "ferry", "kiln", "orchard", "pound", "granary", "quarry", "smithy", "landing", "hatchery",
    "dovecote", "tannery", "saltpan",
)  # fmt: skip
OFFICES = (
    "the reeve",
    "the harbour clerk",
    "the surveyor",
    "the bailiff",
    "the water court",
    "the toll house",
)
DUTIES = (
    "report every repair of it to {office}", "have its boundaries walked before {office}",
    "hand its accounts to {office}", "show its licence to {office}", "announce any change of its keeper to {office}",
    "send a plan of its buildings to {office}",
)  # fmt: skip
EXCEPT = (
    "This does not apply in a year of flood.", "The duty passes to the heirs of the keeper.",
    "Whoever shares the use of it is bound in the same way.", "A keeper who is ill may send another in his place.",
    "The clerk enters it in the book of duties and gives a receipt.", "Feast days are counted like all others.",
)  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
PROMPT = """Below stand the Code of Keepers as it was first enacted, on 1 January 1801, and all the Acts that have amended it. These are
the rules by which they are read:

1. An Act takes effect on the day that it names, not in the order of the Acts' numbers. No two take effect on the same day.
2. The changes of an Act are made one after another, in the order in which they stand in the Act.
3. The sections are always numbered 1, 2, 3 and so on without a gap. After every single change they are numbered anew in the
order in which they then stand. A change means the sections by the numbers that they have just before that change.
4. "for A days read B days" and "for A crowns read B crowns" have no effect if the section does not then say A.
5. "Sections A to B are moved to stand after section C" keeps their order; C is a number just before the change, and is not
one of them. "Sections A and B change places" leaves all others where they are.

THE CODE OF KEEPERS

{code}

THE ACTS

{acts}

QUESTIONS

{questions}

Work it out by reading alone. End your reply with {count} lines, one for each question, with only what is asked for:
three numbers (section, days, crowns) as "Q1: 17 21 6", or the two words of a kind of property as "Q5: stone mill"."""


@dataclass(frozen=True)
class Section:
    """A kind of property, and the duty of its keeper."""

    thing: str
    duty: str
    extra: str
    days: int
    crowns: int

    def text(self) -> str:
        """What it says."""
        return (
            f"The keeper of a {self.thing} must {self.duty} within {self.days} days, and pays {self.crowns} crowns if the "
            f"time has passed. {self.extra}"
        )


class Law:
    """A seed's code, acts and questions."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(f"code {seed}")
        things = [f"{first} {second}" for first in FIRST for second in SECOND]
        chance.shuffle(things)
        self.unused = things[SECTIONS:]
        self.first = [self._section(thing) for thing in things[:SECTIONS]]
        days = sorted(chance.sample(range(40 * 336), ACTS))
        # The order of the numbers is nearly that of the days, but some Acts wait for years.
        numbers = list(range(ACTS))
        for at in (1, 4, 6, 9, 11, 14, 17):
            numbers[at], numbers[at + 1] = numbers[at + 1], numbers[at]
        now = list(self.first)
        acts: list[tuple[int, str]] = []
        self.states: list[tuple[str, list[Section]]] = []
        for number, day in zip(numbers, days, strict=True):
            when = f"{day % 28 + 1} {MONTHS[day // 28 % 12]} {1803 + day // 336}"
            lines = []
            for count in range(CHANGES):
                said, now = self._change(now)
                lines.append(f"({count + 1}) {said}")
            acts.append((number, f"Act {number + 1}. It takes effect on {when}.\n" + "\n".join(lines)))
            self.states.append((when, now))
        self.acts = [text for _, text in sorted(acts)]
        self._ask()

    def _section(self, thing: str) -> Section:
        chance = self.chance
        duty = chance.choice(DUTIES).format(office=chance.choice(OFFICES))
        return Section(
            thing, duty, " ".join(chance.sample(EXCEPT, 2)), chance.randint(3, 60), chance.randint(2, 30)
        )

    def _change(self, now: list[Section]) -> tuple[str, list[Section]]:
        """A change in words, and the sections after it."""
        chance, count = self.chance, len(now)
        kind = chance.choice(
            ("insert", "repeal", "move", "move", "swap", "days", "days", "days", "crowns", "raise")
        )
        at = chance.randrange(count)
        one = now[at]
        if kind == "insert":
            new = self._section(self.unused.pop())
            return f"After section {at + 1} this section is inserted: {new.text()}", [
                *now[: at + 1],
                new,
                *now[at + 1 :],
            ]
        if kind == "repeal":
            return f"Section {at + 1} is repealed.", now[:at] + now[at + 1 :]
        if kind == "move":
            length = chance.randint(2, 12)
            begin = chance.randrange(count - length)
            after = chance.choice([n for n in range(count) if not begin - 1 <= n < begin + length])
            block, target = now[begin : begin + length], now[after]
            rest = now[:begin] + now[begin + length :]
            cut = rest.index(target) + 1
            said = f"Sections {begin + 1} to {begin + length} are moved to stand after section {after + 1}."
            return said, rest[:cut] + block + rest[cut:]
        changed = list(now)
        if kind == "swap":
            other = chance.choice([n for n in range(count) if n != at])
            changed[at], changed[other] = changed[other], changed[at]
            return f"Sections {at + 1} and {other + 1} change places.", changed
        if kind == "raise":
            length = chance.randint(15, 40)
            begin, more = chance.randrange(count - length), chance.randint(1, 4)
            for n in range(begin, begin + length):
                changed[n] = replace(now[n], crowns=now[n].crowns + more)
            return f"In sections {begin + 1} to {begin + length} the crowns are raised by {more}.", changed
        # One in four aims at a neighbour's number and so has no effect.
        seen = now[at - 1] if chance.random() < 0.25 else one
        if kind == "days":
            old, new_value = seen.days, chance.randint(3, 60)
            if one.days == old:
                changed[at] = replace(one, days=new_value)
            return f"In section {at + 1}, for {old} days read {new_value} days.", changed
        old, new_value = seen.crowns, chance.randint(2, 30)
        if one.crowns == old:
            changed[at] = replace(one, crowns=new_value)
        return f"In section {at + 1}, for {old} crowns read {new_value} crowns.", changed

    def _ask(self) -> None:
        """Questions about sections that were changed on the way, now and at an earlier time."""
        chance = self.chance
        last, (when, middle) = self.states[-1][1], self.states[ACTS * 2 // 3]
        before = {each.thing: each for each in self.first}
        in_middle = {each.thing for each in middle}
        changed = [
            each for each in last
            if each.thing in before and each.thing in in_middle
            and each.days != before[each.thing].days
        ]  # fmt: skip
        chance.shuffle(changed)
        changed += [
            each
            for each in last
            if each.crowns != before.get(each.thing, each).crowns and each not in changed
        ]
        asked = changed[:4]
        self.questions: list[str] = []
        self.wanted: dict[str, str] = {}
        for each in asked:
            self._add(
                f"After all the Acts: which number has the section on the {each.thing}, and how many days and crowns does it say?",
                f"{last.index(each) + 1} {each.days} {each.crowns}",
            )
        unknown = [number for number in range(20, len(last) - 5) if last[number - 1] not in asked]
        for number in chance.sample(unknown, 2):
            self._add(
                f"After all the Acts: which kind of property is section {number} about?",
                last[number - 1].thing,
            )
        for each in [each for each in middle if each.days != before.get(each.thing, each).days][:2]:
            self._add(
                f"On the day after {when}: which number has the section on the {each.thing}, and how many days and crowns "
                "does it say?",
                f"{middle.index(each) + 1} {each.days} {each.crowns}",
            )

    def _add(self, question: str, answer: str) -> None:
        self.questions.append(f"Q{len(self.questions) + 1}: {question}")
        self.wanted[f"Q{len(self.questions)}"] = answer


def prompt(seed: int) -> str:
    """The code, the acts and the questions."""
    law = Law(seed)
    return PROMPT.format(
        code="\n".join(f"Section {n}. {each.text()}" for n, each in enumerate(law.first, 1)),
        acts="\n\n".join(law.acts),
        questions="\n".join(law.questions),
        count=len(law.questions),
    )


def wanted(seed: int) -> dict[str, str]:
    """The answers of a seed."""
    return Law(seed).wanted


def build(seed: int) -> Node:
    """The test of a seed."""
    return prompt(seed) >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_words))
