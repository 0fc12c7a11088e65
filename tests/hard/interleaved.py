"""Three threads whose lines change two digits, and what all of their interleavings do."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise, product, zip_longest

THREADS = "PQR"
RULES = """share the variables x and y, digits from 0 to 9. Each thread does its lines from the first to
the last. A line is done as a whole; between two lines of a thread any lines of the other threads may be done. Every result is taken modulo 10, so
that 7 + 5 gives 2 and 3 - 7 gives 6."""

Line = tuple[str, str, str, str]  # what is set, left, sign, right
Place = tuple[int, ...]  # how many lines of each thread are done
Way = tuple[int, int]  # switches at least, and in how many orders with so few


def said(line: Line) -> str:
    """A line as the prompt has it."""
    return "{} = {} {} {}".format(*line)


def effect(line: Line) -> list[int]:
    """What a line makes of each 10 * x + y."""
    to, left, sign, right = line
    found = []
    for pair in range(100):
        values = {"x": pair // 10, "y": pair % 10}
        a, b = (values[each] if each in values else int(each) for each in (left, right))
        values[to] = {"+": a + b, "-": a - b, "*": a * b}[sign] % 10
        found.append(10 * values["x"] + values["y"])
    return found


def drawn_line(chance: random.Random) -> Line:
    """Any line that may change something."""
    to, left, sign = chance.choice("xy"), chance.choice("xy"), chance.choice("++--*")
    other = "y" if left == "x" else "x"
    number = chance.choice("234679" if sign == "*" else "123456789")
    return to, left, sign, chance.choice((other, other, number))


class Program:
    """The lines of the three threads, and x and y at first as 10 * x + y."""

    def __init__(self, threads: Sequence[Sequence[Line]], first: int) -> None:
        self.threads, self.first = threads, first
        self.effects = [[effect(line) for line in lines] for lines in threads]
        self.places = list(product(*(range(len(lines) + 1) for lines in threads)))
        self.end = self.places[-1]

    def before(self, place: Place) -> list[tuple[int, Place]]:
        """Which threads may have done the last line before a place, and from where."""
        return [(n, (*place[:n], at - 1, *place[n + 1 :])) for n, at in enumerate(place) if at]

    def outcomes(self) -> dict[Place, set[int]]:
        """All pairs that are possible at each place."""
        found = {self.places[0]: {self.first}}
        for place in self.places[1:]:
            its: set[int] = set()
            for n, earlier in self.before(place):
                table = self.effects[n][place[n] - 1]
                its.update([table[pair] for pair in found[earlier]])
            found[place] = its
        return found

    def fewest(self) -> dict[tuple[Place, int], dict[int, Way]]:
        """The fewest switches for each place, last thread and pair."""
        found: dict[tuple[Place, int], dict[int, Way]] = {}
        for place in self.places[1:]:
            for n, earlier in self.before(place):
                its: dict[int, Way] = {}
                table = self.effects[n][place[n] - 1]
                if not any(earlier):
                    its[table[self.first]] = (0, 1)
                for last in range(3):
                    for pair, (switches, ways) in found.get((earlier, last), {}).items():
                        switches += last != n
                        old, other = its.get(table[pair], (999, 0))
                        if switches <= old:
                            its[table[pair]] = (switches, ways + other * (switches == old))
                found[place, n] = its
        return found

    def order(self, found: dict[tuple[Place, int], dict[int, Way]], pair: int, spare: int = 0) -> str:
        """An order that ends in the pair with the fewest switches, or with up to `spare` more, as many as can be."""
        place = self.end
        left, last = min((found[place, n][pair][0], n) for n in range(3) if pair in found[place, n])
        left, letters = left + spare, THREADS[last]
        while sum(place) > 1:
            table = self.effects[last][place[last] - 1]
            place = dict(self.before(place))[last]
            _, n, pair = min(
                (left - (n != last) - count, n, its)
                for n in range(3)
                for its, (count, _) in found.get((place, n), {}).items()
                if table[its] == pair and count <= left - (n != last)
            )
            left, last, letters = left - (n != last), n, THREADS[n] + letters
        return letters

    def run(self, letters: str) -> tuple[int | None, str]:
        """The pair at the end of an order, or None and what is wrong with it."""
        done, pair = [0, 0, 0], self.first
        for number, letter in enumerate(letters, 1):
            n = THREADS.index(letter)
            if done[n] == len(self.threads[n]):
                return None, f"letter {number}: {letter} has ended"
            pair, done[n] = self.effects[n][done[n]][pair], done[n] + 1
        return (pair, "") if tuple(done) == self.end else (None, "not all threads have ended")

    def shown(self) -> str:
        """The lines of the threads side by side."""
        rows = ["    " + "".join(f"thread {name}".ljust(16) for name in THREADS).rstrip()]
        for lines in zip_longest(*self.threads):
            rows.append("    " + "".join((said(line) if line else "").ljust(16) for line in lines).rstrip())
        return "\n".join(rows)


def drawn(chance: random.Random, lines: Sequence[int]) -> Program:
    """A random program of so many lines a thread."""
    threads = [[drawn_line(chance) for _ in range(number)] for number in lines]
    return Program(threads, chance.randrange(11, 100))


def switches(letters: str) -> int:
    """How often a line is followed by one of another thread."""
    return sum(a != b for a, b in pairwise(letters))
