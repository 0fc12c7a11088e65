"""Captures of a logic analyser: the words that went over a bus, by its protocol."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_words
from .drawing import Canvas

DESCRIPTION = (
    "Can the model decode a bus from the picture of its signals, glitches and aborted words among them?"
)
TAGS = ["hard", "vision", "hardware"]

QUESTION = """The picture shows {count} captures, {first} to {last}, of a bus with three wires: S (select), C (clock) and D (data). Time runs to the right. A wire is high
where its line is above its name's middle and low where it is below. A division is the distance of two grey lines; every change lies on such a line or
halfway between two.

1. While S is low a word is sent; while it is high nothing counts. Each falling edge of S begins a new word.
2. A bit is the level of D at a rising edge of C. C must then stay high for a whole division at least: a shorter pulse is a glitch and gives no bit.
3. The first three bits of a word, the highest first, are a number n. Then come n + 2 bits, the word's value, the highest first, and then one bit more: it makes the number of ones among
all bits of the word, itself too, even. Further bits are sent after that sometimes; they mean nothing.
4. A word is dropped if S rises before its last bit, or if the number of ones is odd.

Which values were sent, in order? End your reply with {count} lines, one for each capture, with the values as decimal numbers and {nothing} for none, such as

A: 5 130 17"""
NOTHING = "none"


@dataclass
class Trace:
    """Levels of a wire, one for each half of a division."""

    levels: list[int]

    def hold(self, level: int, halves: int) -> None:
        """Stay on a level."""
        self.levels += [level] * halves


@dataclass(frozen=True)
class Signals:
    """`count` captures of `halves` halves of a division, each of `size` pixels, at most `words` words in one."""

    count: int
    halves: int
    size: int
    words: int
    high: int  # pixels of a wire
    left: int = 46

    @property
    def names(self) -> str:
        """The captures' letters."""
        return "ABCDEFGHIJKL"[: self.count]

    @cache  # noqa: B019 - there is one of them
    def captures(self, seed: int) -> dict[str, dict[str, list[int]]]:
        """The levels of S, C and D of each capture."""
        chance = random.Random(f"signals {seed}")
        found: dict[str, dict[str, list[int]]] = {}
        while len(found) < self.count:
            its = self.capture(chance)
            if len(decoded(its)) >= self.words - 1:
                found[self.names[len(found)]] = its
        return found

    def capture(self, chance: random.Random) -> dict[str, list[int]]:
        """Words, some of them spoilt, with pauses in which clock and data go on now and then."""
        select, clock, data = Trace([]), Trace([]), Trace([])

        def pulse(bit: int, selected: int) -> None:
            """One bit, with what disturbs it before: a glitch, a level that is not held."""
            begun = len(clock.levels)
            if chance.random() < 0.22:
                clock.hold(0, 2)
                clock.hold(1, 1)
            clock.hold(0, chance.choice((2, 2, 3)))
            edge = len(clock.levels)
            clock.hold(1, chance.choice((2, 2, 3)))
            ended = len(clock.levels)
            select.hold(selected, ended - begun)
            data.hold(chance.getrandbits(1), max(0, edge - 1 - begun))
            data.hold(bit, min(3, ended + 1 - len(data.levels)))
            data.hold(chance.getrandbits(1), ended - len(data.levels))

        def idle(halves: int) -> None:
            for trace, level in ((select, 1), (clock, 0), (data, chance.getrandbits(1))):
                trace.hold(level, halves)

        idle(chance.randint(2, 5))
        spoilt = chance.randrange(-1, self.words)
        for word in range(self.words):
            n = chance.randrange(1, 8)
            bits = [*(n >> each & 1 for each in (2, 1, 0)), *(chance.getrandbits(1) for _ in range(n + 2))]
            bits.append(sum(bits) % 2)
            kind = chance.choice(("odd", "short")) if word == spoilt else "whole"
            if kind == "odd":
                bits[chance.randrange(3, len(bits))] ^= 1
            if kind == "short":
                bits = bits[: chance.randrange(4, len(bits))]
            elif chance.random() < 0.3:
                bits.append(chance.getrandbits(1))
            for trace, level in ((select, 0), (clock, 0), (data, chance.getrandbits(1))):
                trace.hold(level, 1)
            for bit in bits:
                pulse(bit, 0)
            for trace, level in ((select, 0), (clock, 0), (data, chance.getrandbits(1))):
                trace.hold(level, chance.choice((1, 2)) if trace is select else 0)
            clock.hold(0, len(select.levels) - len(clock.levels))
            data.hold(chance.getrandbits(1), len(select.levels) - len(data.levels))
            idle(chance.randint(2, 4))
            if chance.random() < 0.4:
                pulse(chance.getrandbits(1), 1)
                idle(2)
        traces = {"S": select, "C": clock, "D": data}
        return {
            name: (trace.levels + trace.levels[-1:] * self.halves)[: self.halves]
            for name, trace in traces.items()
        }

    def wanted(self, seed: int) -> dict[str, str]:
        """The values of each capture."""
        return {
            name: " ".join(map(str, decoded(its))) or NOTHING for name, its in self.captures(seed).items()
        }

    def top(self, capture: int, wire: int) -> float:
        """The height of the high level of a wire in the picture."""
        return 14 + capture * (3 * self.high + 18) + wire * self.high

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """All captures, one below the other."""
        wide, low = self.left + self.halves * self.size + 8, self.high - 9
        canvas = Canvas(wide, round(self.top(self.count, 0)))
        for n, (name, its) in enumerate(self.captures(seed).items()):
            head = self.top(n, 0)
            for half in range(0, self.halves + 1, 2):
                x = self.left + half * self.size
                canvas.rectangle(x - 0.5, head - 4, x + 0.5, head + 3 * self.high - 4, "#d4d4d4")
            canvas.text(12, head + 1.5 * self.high - 4, name, "#0030d0", 3)
            for wire, (sign, levels) in enumerate(its.items()):
                y = self.top(n, wire)
                canvas.text(34, y + low / 2, sign)
                points = []
                for half, level in enumerate(levels):
                    at = y if level else y + low
                    points += [(self.left + half * self.size, at), (self.left + (half + 1) * self.size, at)]
                canvas.line(points, 2)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(
            count=self.count, first=self.names[0], last=self.names[-1], nothing=NOTHING
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_words))
        )


def decoded(levels: dict[str, list[int]]) -> list[int]:
    """The values that were sent."""
    found: list[int] = []
    select, clock, data = levels["S"], levels["C"], levels["D"]
    bits: list[int] = []
    for at in range(1, len(select)):
        if select[at - 1] and not select[at]:
            bits = []
        if not select[at] and not select[at - 1] and not clock[at - 1] and clock[at : at + 2] == [1, 1]:
            bits.append(data[at])
            if (
                len(bits) >= 3
                and len(bits) == 6 + (n := 4 * bits[0] + 2 * bits[1] + bits[2])
                and sum(bits) % 2 == 0
            ):
                found.append(int("".join(map(str, bits[3 : 5 + n])), 2))
    return found


TASK = Signals(count=10, halves=208, size=5, words=3, high=27)
build = TASK.build
