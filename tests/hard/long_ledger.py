"""A log of messages about stores, with corrections of corrections, and withdrawals of withdrawals."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model work out what is in stock from a log with corrections of corrections?"
TAGS = ["medium", "reading", "bookkeeping"]

PEOPLE = ("Mara", "Ines", "Tobi", "Olek", "Runa", "Sami", "Pia", "Veit")
LEAD = PEOPLE[0]
GOODS = (
    "lamps",
    "ropes",
    "tents",
    "stoves",
    "pumps",
    "saws",
    "cables",
    "crates",
    "ladders",
    "tarps",
    "spades",
    "buckets",
    "radios",
    "blankets",
)
HOUSES = ("the barn", "the dock", "the loft")
MESSAGES = 1250
CHATTER = (
    "Rain again, the yard is a lake.", "Who has the key to the side door?", "The van is back at four.",
    "Lunch is soup today.", "I counted {n} {goods} on the list of last year, in case anybody wonders.",
    "Somebody from the council wants {n} {goods} next month, not decided yet.", "I think #{k} sounds like a lot.",
    "Can we talk about #{k} tomorrow?", "The label on the {goods} in {house} is gone.", "Thanks for #{k}!",
    "If they had sent {n} {goods} as promised we would be fine.", "The forklift is making that noise again.",
)  # fmt: skip
PROMPT = """Below is the log of a relief depot with three houses: {houses}. The messages are numbered. {lead} leads the depot. These are the
rules by which the log is read:

1. A booking says that goods came into a house, went out of one, or were moved from one to another. Only messages of this form are bookings: "IN: 5 lamps to the barn", "OUT: 5 lamps from the barn", "MOVE: 5 lamps from the barn to the dock".
2. "#40: make it 7" is a correction of message 40, which is a booking or another correction. It sets the number of that message to 7, and
nothing else of it.
3. "Forget #40" is a withdrawal of message 40, which is a booking, a correction or another withdrawal. A message that is withdrawn is as if it had
never been written.
4. A correction or a withdrawal counts only if its writer also wrote the message that it is about, or is {lead}, or if it has been approved.
"#50 is fine" approves message 50, if it comes from {lead} or from the writer of the message that message 50 is about. Other approvals
mean nothing. Who wrote a message matters also if that message is withdrawn or does not count. A correction or withdrawal that
does not count is as if it had never been written. All this is judged when the log is complete: it does not matter when an approval came.
5. If several corrections of one message count and are not withdrawn, the last of them in the log holds. Its number is the one that it has by
corrections of its own, if there are any.
6. All other messages mean nothing for the stock.

At the start these were in stock:

{start}

THE LOG

{log}

QUESTIONS

How many are in stock after the last message?

{questions}

The stock may be below zero, on the way and at the end. Work it out by reading alone. End your reply with {count} lines, one for each question, such as
"Q1: 112"."""


@dataclass(frozen=True)
class Message:
    """A message of the log; `kind`: book, correct, withdraw, approve or chat."""

    who: str
    kind: str
    text: str
    about: int = 0
    amount: int = 0
    goods: str = ""
    changes: tuple[tuple[str, int], ...] = ()  # house, and 1 or -1


class Log:
    """A seed's messages, start and questions."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(f"ledger {seed}")
        self.places = [(goods, house) for goods in GOODS for house in HOUSES]
        self.start = {place: chance.randint(40, 140) for place in self.places}
        self.messages: list[Message] = []
        while len(self.messages) < MESSAGES:
            self.messages.append(self._message())
        self.asked = self._asked()

    def _message(self) -> Message:
        chance, count = self.chance, len(self.messages)
        who = chance.choice(PEOPLE)
        draw = chance.random()
        recent = range(max(1, count - 60), count + 1)
        if draw < 0.2 and count > 20:
            about = [n for n in recent if self.messages[n - 1].kind in ("book", "correct")]
            # Corrections are corrected more often than bookings are.
            about += 3 * [n for n in about if self.messages[n - 1].kind == "correct"]
            n = chance.choice(about)
            amount = chance.randint(2, 40)
            return Message(self._who(n, who), "correct", f"#{n}: make it {amount}", n, amount)
        if draw < 0.3 and count > 20:
            about = [n for n in recent if self.messages[n - 1].kind in ("book", "correct", "withdraw")]
            about += 3 * [n for n in about if self.messages[n - 1].kind != "book"]
            n = chance.choice(about)
            return Message(self._who(n, who), "withdraw", f"Forget #{n}", n)
        if draw < 0.4 and count > 20:
            open_ = [
                n for n in recent if self.messages[n - 1].kind in ("correct", "withdraw") and not self._own(n)
            ]
            if open_:
                n = chance.choice(open_)
                target = self.messages[self.messages[n - 1].about - 1]
                who = chance.choice((LEAD, target.who, target.who, who))
                return Message(who, "approve", f"#{n} is fine", n)
        if draw < 0.56:
            text = chance.choice(CHATTER).format(
                n=chance.randint(2, 40), goods=chance.choice(GOODS), k=max(1, count - chance.randint(0, 9)),
                house=chance.choice(HOUSES),
            )  # fmt: skip
            return Message(who, "chat", text)
        amount, goods = chance.randint(2, 40), chance.choice(GOODS)
        here, there = chance.sample(HOUSES, 2)
        kind = chance.choice(("IN", "OUT", "MOVE"))
        if kind == "IN":
            said, changes = f"to {here}", ((here, 1),)
        elif kind == "OUT":
            said, changes = f"from {here}", ((here, -1),)
        else:
            said, changes = f"from {here} to {there}", ((here, -1), (there, 1))  # type: ignore[assignment]
        return Message(who, "book", f"{kind}: {amount} {goods} {said}", 0, amount, goods, changes)

    def _who(self, about: int, other: str) -> str:
        """Who changes a message: its writer, half of the time."""
        return self.messages[about - 1].who if self.chance.random() < 0.5 else other

    def _own(self, number: int) -> bool:
        """Whether a change counts without an approval."""
        message = self.messages[number - 1]
        return message.who in (LEAD, self.messages[message.about - 1].who)

    def counts(self) -> list[bool]:
        """Whether each message holds: it has the right to, and is not withdrawn. From the last to the first,
        since a withdrawal is later than what it is about."""
        approved = set()
        for message in self.messages:
            if message.kind == "approve":
                target = self.messages[self.messages[message.about - 1].about - 1]
                if message.who in (LEAD, target.who):
                    approved.add(message.about)
        holds = [True] * len(self.messages)
        for number in range(len(self.messages), 0, -1):
            message = self.messages[number - 1]
            if message.kind in ("correct", "withdraw") and not (self._own(number) or number in approved):
                holds[number - 1] = False
            if message.kind == "withdraw" and holds[number - 1]:
                holds[message.about - 1] = False
        return holds

    def stock(self) -> dict[tuple[str, str], int]:
        """What is there at the end."""
        holds = self.counts()
        amounts = [each.amount for each in self.messages]
        fixed: set[int] = set()
        for number in range(len(self.messages), 0, -1):
            message = self.messages[number - 1]
            if message.kind == "correct" and holds[number - 1] and message.about not in fixed:
                amounts[message.about - 1] = amounts[number - 1]
                fixed.add(message.about)
        stock = dict(self.start)
        for message, amount, held in zip(self.messages, amounts, holds, strict=True):
            for house, sign in message.changes if held else ():
                stock[message.goods, house] += sign * amount
        return stock

    def _asked(self) -> list[tuple[str, str]]:
        """The six places with the most changes of their bookings, of different goods."""
        changed: dict[tuple[str, str], int] = dict.fromkeys(self.places, 0)
        for each in self.messages:
            root = each
            while root.about:
                root = self.messages[root.about - 1]
            for house, _ in root.changes:
                changed[root.goods, house] += bool(each.about)
        best = sorted(changed, key=lambda place: -changed[place])
        found: list[tuple[str, str]] = []
        for place in best:
            if place[0] not in {goods for goods, _ in found} and len(found) < 6:
                found.append(place)
        return found


def prompt(seed: int) -> str:
    """The rules, the log and the questions."""
    log = Log(seed)
    return PROMPT.format(
        houses=", ".join(HOUSES),
        lead=LEAD,
        start="\n".join(
            f"{goods}: " + ", ".join(f"{log.start[goods, house]} in {house}" for house in HOUSES)
            for goods in GOODS
        ),
        log="\n".join(f"#{n} {each.who}: {each.text}" for n, each in enumerate(log.messages, 1)),
        questions="\n".join(f"Q{n}: {goods} in {house}" for n, (goods, house) in enumerate(log.asked, 1)),
        count=len(log.asked),
    )


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    log = Log(seed)
    stock = log.stock()
    return {f"Q{n}": stock[place] for n, place in enumerate(log.asked, 1)}


def build(seed: int) -> Node:
    """The test of a seed."""
    return prompt(seed) >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
