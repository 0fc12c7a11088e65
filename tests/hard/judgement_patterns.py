"""Claims about patterns with repetition, intersection and complement: which pairs match the same words, and which are contained."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any

from evaluator import *

from .replies import judge_chosen

DESCRIPTION = "Can the model tell which of forty claims about small patterns hold for all words, and which fail for a long one only?"
TAGS = ["hard", "reasoning", "automata"]

NUMBER = 40  # claims, half of them about containment
SIZE = (9, 15, 5)  # least and most signs of a pattern, and least states of its automaton
SMALL, LARGE, MOST = 500, 3000, 900  # patterns that are made, and that are compared
LATE, LATEST = 5, 8  # letters of the shortest word for which a false claim fails
PROMPT = """Patterns match words of the letters a and b (the empty word is one as well):

- a matches the word a, b the word b, and . each of these two words.
- XY matches each word that is one that X matches with one behind it that Y matches.
- X|Y matches what X matches and what Y matches.
- X&Y matches what both X and Y match.
- X* matches the words made of any number of words that X matches, one behind the other; none is also a number, so it matches the empty word.
- !X matches all words of the letters a and b that X does not match.
- ( ) groups. * and ! belong to the smallest pattern beside them, * before !; then comes XY, then &, then |. So !ab*|b&a is ((!a)(b*))|(b&a), and !a* is !(a*).

A claim "X = Y" says that both match the same words, "X < Y" that Y matches every word that X matches.

{claims}

For each false claim, the shortest word for which it fails has {late} to {latest} letters. Work it out without running any code. End your reply with a line that begins with
"True:" and has the numbers of all claims that hold, separated by commas; it passes if exactly these are named."""


@dataclass(frozen=True)
class Machine:
    """The smallest automaton of a pattern: the next state for a and for b, and whether it accepts; it begins in 0."""

    states: tuple[tuple[int, int, bool], ...]

    def accepts(self, word: str) -> bool:
        """Whether it matches a word."""
        state = 0
        for letter in word:
            state = self.states[state][letter == "b"]
        return self.states[state][2]


def smallest(follow: list[tuple[int, int]], accepting: list[bool]) -> Machine:
    """The smallest automaton that does the same; states are numbered as a walk by letters meets them."""
    part = [int(each) for each in accepting]
    while True:
        signs = [(part[n], part[a], part[b]) for n, (a, b) in enumerate(follow)]
        names = {sign: n for n, sign in enumerate(dict.fromkeys(signs))}
        if len(names) == len(set(part)):
            break
        part = [names[sign] for sign in signs]
    order, states = {part[0]: 0}, list[tuple[int, int, bool]]()
    todo = [0]
    while todo:
        state = todo.pop(0)
        for each in follow[state]:
            if part[each] not in order:
                order[part[each]] = len(order)
                todo.append(each)
        a, b = (order[part[each]] for each in follow[state])
        states.append((a, b, accepting[state]))
    return Machine(tuple(states))


Set = frozenset[int]


def explored(begin: Any, step: Callable[[Any, int], Any], accepts: Callable[[Any], bool]) -> Machine:
    """The automaton of whatever can be reached from the beginning by steps."""
    found, follow, todo = {begin: 0}, list[tuple[int, int]](), [begin]
    while len(follow) < len(todo):
        nexts = []
        for letter in (0, 1):
            there = step(todo[len(follow)], letter)
            if there not in found:
                found[there] = len(found)
                todo.append(there)
            nexts.append(found[there])
        follow.append((nexts[0], nexts[1]))
    return smallest(follow, [accepts(each) for each in todo])


def both(one: Machine, other: Machine, accepts: Callable[[bool, bool], bool]) -> Machine:
    """What two automata say together."""
    p, q = one.states, other.states
    return explored(
        (0, 0),
        lambda at, letter: (p[at[0]][letter], q[at[1]][letter]),
        lambda at: accepts(p[at[0]][2], q[at[1]][2]),
    )


def behind(one: Machine, other: Machine) -> Machine:
    """Words of the one with words of the other behind them. A state of it: one state of the one, some of the other."""
    p, q = one.states, other.states

    def entered(state: int, its: Set) -> tuple[int, Set]:
        return state, its | {0} if p[state][2] else its

    return explored(
        entered(0, frozenset()),
        lambda at, letter: entered(p[at[0]][letter], frozenset(q[each][letter] for each in at[1])),
        lambda at: any(q[each][2] for each in at[1]),
    )


def repeated(one: Machine) -> Machine:
    """Any number of words, one behind the other. A state of it: some states; none stands for the beginning."""
    p = one.states

    def step(at: Set, letter: int) -> Set:
        its = frozenset(p[each][letter] for each in at or {0})
        return its | {0} if any(p[each][2] for each in its) else its

    return explored(frozenset(), step, lambda at: not at or any(p[each][2] for each in at))


@dataclass(frozen=True)
class Pattern:
    """`binds`: 0 for |, 1 for &, 2 for one behind the other, 3 for !, 4 for * and single signs."""

    text: str
    binds: int
    machine: Machine

    def within(self, binds: int) -> str:
        """The text, in brackets where it stands in something that binds more closely."""
        return self.text if self.binds >= binds else f"({self.text})"


def letter(text: str) -> Pattern:
    """A single sign."""
    first = (1 if text in "a." else 2, 1 if text in "b." else 2, False)
    states = [first, (2, 2, True), (2, 2, False)]
    return Pattern(text, 4, smallest([(a, b) for a, b, _ in states], [each for _, _, each in states]))


def joined(sign: str, one: Pattern, other: Pattern) -> Pattern:
    """Two patterns with a sign between them, or none."""
    if sign == "":
        return Pattern(one.within(2) + other.within(2), 2, behind(one.machine, other.machine))
    binds = "|&".index(sign)
    accepts = (lambda p, q: p or q) if sign == "|" else (lambda p, q: p and q)
    return Pattern(
        f"{one.within(binds)}{sign}{other.within(binds)}", binds, both(one.machine, other.machine, accepts)
    )


def starred(one: Pattern) -> Pattern:
    """Any number of it."""
    return Pattern(one.within(4) + "*", 4, repeated(one.machine))


def inverted(one: Pattern) -> Pattern:
    """All that it does not match."""
    states = one.machine.states
    return Pattern(
        "!" + one.within(3), 3, smallest([(a, b) for a, b, _ in states], [not each for _, _, each in states])
    )


def grown(chance: random.Random) -> Iterator[Pattern]:
    """Patterns, made of smaller ones."""
    pool = [letter(each) for each in "ab."]
    for _ in range(SMALL):
        pool.append(made_of(chance, pool, 6))
    pool = list({each.text: each for each in pool}.values())
    for _ in range(LARGE):
        yield made_of(chance, pool, SIZE[1])


def made_of(chance: random.Random, pool: Sequence[Pattern], most: int) -> Pattern:
    """A pattern of others, of at most so many signs without brackets."""
    while True:
        one, other = chance.choice(pool), chance.choice(pool)
        kind = chance.choice(("", "", "|", "&", "*", "!"))
        if signs(one) + signs(other) * (kind not in ("*", "!")) >= most:
            continue
        if kind == "*" and one.binds == 4 and one.text.endswith("*"):
            continue
        if kind == "!" and one.text.startswith("!"):
            continue
        found = starred(one) if kind == "*" else inverted(one) if kind == "!" else joined(kind, one, other)
        if len(found.machine.states) <= 12:
            return found


def signs(pattern: Pattern) -> int:
    """The signs of a pattern, without brackets."""
    return len(pattern.text) - 2 * pattern.text.count("(")


SHORT = ["".join(word) for long in range(LATE) for word in product("ab", repeat=long)]


def mask(pattern: Pattern) -> int:
    """A bit for each short word that it matches."""
    return sum(pattern.machine.accepts(word) << n for n, word in enumerate(SHORT))


def first_failure(one: Pattern, other: Pattern, sign: str) -> int | None:
    """The letters of the shortest word for which a claim fails; None if it holds."""
    p, q = one.machine.states, other.machine.states
    long, here, seen = 0, {(0, 0)}, set[tuple[int, int]]()
    while here:
        if any(p[a][2] > q[b][2] or (sign == "=" and p[a][2] < q[b][2]) for a, b in here):
            return long
        seen |= here
        here = {(p[a][n], q[b][n]) for a, b in here for n in (0, 1)} - seen
        long += 1
    return None


@cache
def claims_of(seed: int) -> list[tuple[str, bool]]:
    """The claims, and whether they hold."""
    chance = random.Random(f"patterns {seed}")
    true = chance.randint(NUMBER // 4 - 2, NUMBER // 4 + 2)  # of each sign
    chosen: dict[tuple[str, bool], list[str]] = {
        (sign, holds): [] for sign in "=<" for holds in (True, False)
    }
    used: set[str] = set()

    def claim(one: Pattern, other: Pattern, sign: str) -> None:
        if one.text in used or other.text in used or sorted(one.text) == sorted(other.text):
            return
        fails = first_failure(one, other, sign)
        its = chosen[sign, fails is None]
        if len(its) < (true if fails is None else NUMBER // 2 - true) and (
            fails is None or LATE <= fails <= LATEST
        ):
            its.append(f"{one.text} {sign} {other.text}")
            used.update((one.text, other.text))

    while sum(map(len, chosen.values())) < NUMBER:
        found = [
            each for each in {each.text: each for each in grown(chance)}.values()
            if signs(each) >= SIZE[0] and len(each.machine.states) >= SIZE[2]
        ]  # fmt: skip
        chance.shuffle(found)
        masks = {each.text: mask(each) for each in found}
        alike: dict[int, list[Pattern]] = {}
        for each in found:
            alike.setdefault(masks[each.text], []).append(each)
        for group in alike.values():
            for at in range(0, len(group) - 1, 2):
                claim(group[at], group[at + 1], "=")
        for one in found[:MOST]:
            for other in found[:MOST]:
                if (
                    masks[one.text] != masks[other.text]
                    and not masks[one.text] & ~masks[other.text]
                    and chance.random() < 0.05
                ):
                    claim(one, other, "<")
    claims = [(text, holds) for (_, holds), its in chosen.items() for text in its]
    chance.shuffle(claims)
    return claims


def build(seed: int) -> Node:
    """The test of a seed."""
    claims = claims_of(seed)
    lines = (f"{n:>4}. {claim.replace(' ', '  ')}" for n, (claim, _) in enumerate(claims, 1))
    wanted = [n for n, (_, holds) in enumerate(claims, 1) if holds]
    question = PROMPT.format(claims="\n".join(lines), late=LATE, latest=LATEST)
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "True", lambda: wanted, NUMBER))
