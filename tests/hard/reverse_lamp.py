"""A hidden machine of which nothing is seen but a lamp when a word is over: the only one that fits fifty words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model infer a machine of eight states from a lamp that is seen only after whole words?"
TAGS = ["hard", "reasoning"]

LETTERS = "ab"
HIDDEN, LONG = 200, (10, 30)  # words for the score, and their letters
PROMPT = """A box holds a machine of at most {states} states. It begins each word in the same state. Each letter of the word, a or b, takes it to a state (another one or the
same), which depends on nothing but its state and the letter. After the last letter of the word a lamp shows 1 or 0, which depends on nothing but the state that
it has come to. These are the words that were tried, {count} in all, each with what the lamp showed:

{samples}

Apart from the states' names, only one machine of at most {states} states fits all of these words. Find it, without running any code. End your reply with a
code block that describes it, with a line for each state:

```
1: 3 5 0
2: ...
```

The states are named 1 to {states} or fewer, and each word begins in state 1. A line has the name of a state and a colon, the state to which a leads from it, the state to
which b leads from it, and what the lamp shows in it. So the line above says: from state 1, a leads to state 3 and b to state 5, and the lamp would show 0. It
passes if your machine shows what the box shows after every word of at least one letter, also after those that were not tried."""

Word = tuple[int, ...]


@dataclass(frozen=True)
class Machine:
    """Where each letter leads from each state, and the lamp; -1 where that is not known. It begins in state 0."""

    to: tuple[int, ...]  # by state * letters + letter
    lamp: tuple[int, ...]

    def shows(self, word: Sequence[int]) -> int:
        """The lamp after a word."""
        state = 0
        for letter in word:
            state = self.to[state * len(LETTERS) + letter]
        return self.lamp[state]


def difference(one: Machine, other: Machine) -> Word | None:
    """A shortest word of at least one letter after which the lamps differ, or one of them is not known; None if there is none."""
    todo: list[tuple[int, int, Word]] = [(0, 0, ())]
    seen: set[tuple[int, int]] = set()  # not the first pair: nothing is known of it until it is come to
    for a, b, word in todo:
        if a < 0 or b < 0 or (word and one.lamp[a] != other.lamp[b]):
            return word
        for letter in range(len(LETTERS)):
            pair = one.to[a * len(LETTERS) + letter], other.to[b * len(LETTERS) + letter]
            if pair not in seen:
                seen.add(pair)
                todo.append((*pair, (*word, letter)))
    return None


@dataclass(frozen=True)
class Lamps:
    """Machines of so many states. The words are `words` random ones, and for each other machine that fits them, one word more, until none
    fits. The search for all machines takes `least` to `most` steps."""

    name: str
    states: int
    words: int
    long: tuple[int, int]
    least: int
    most: int

    def fitting(self, shown: dict[Word, int], enough: int = 2) -> tuple[list[Machine], int]:
        """Machines that fit, until there are enough, and the number of steps until that was known. It follows all words as far as they go,
        and then tries all states for the step at which most words have stopped."""
        letters = len(LETTERS)
        to = [-1] * (self.states * letters)
        found: list[Machine] = []
        steps = 0

        def goes_on(places: list[tuple[Word, int, int, int]], lamp: list[int], used: int) -> None:
            nonlocal steps
            lamp = list(lamp)
            stopped: dict[int, int] = {}
            now = []
            rests: dict[tuple[int, Word], int] = {}
            for word, at, state, shows in places:
                while at < len(word) and to[state * letters + word[at]] >= 0:
                    state, at = to[state * letters + word[at]], at + 1
                if at == len(word):
                    if lamp[state] == 1 - shows:
                        return
                    lamp[state] = shows
                else:
                    if rests.setdefault((state, word[at:]), shows) != shows:
                        return
                    step = state * letters + word[at]
                    stopped[step] = stopped.get(step, 0) + (4 if at == len(word) - 1 else 1)
                    now.append((word, at, state, shows))
            if not stopped:
                found.append(Machine(tuple(to), tuple(lamp)))
                return
            step = max(stopped, key=lambda each: stopped[each])
            for state in range(min(used + 1, self.states)):
                steps += 1
                if steps > self.most or len(found) >= enough:
                    break
                to[step] = state
                goes_on(now, lamp, max(used, state + 1))
            to[step] = -1

        places = [(word, 0, 0, shows) for word, shows in sorted(shown.items())]
        goes_on(places, [-1] * self.states, 1)
        return found, steps

    def _drawn(self, chance: random.Random) -> Machine:
        """A machine all of whose states are reached by words of at least one letter and are told apart by some word."""
        letters = range(len(LETTERS))
        while True:
            to = tuple(chance.randrange(self.states) for _ in range(self.states * len(LETTERS)))
            lamp = [n % 2 for n in range(self.states)]
            chance.shuffle(lamp)
            reached = [0]
            for state in reached:
                for letter in letters:
                    if to[state * len(LETTERS) + letter] not in reached:
                        reached.append(to[state * len(LETTERS) + letter])
            kinds = list(lamp)
            for _ in range(self.states):
                seen: dict[tuple[int, ...], int] = {}
                kinds = [
                    seen.setdefault(
                        (kinds[n], *(kinds[to[n * len(LETTERS) + each]] for each in letters)), len(seen)
                    )
                    for n in range(self.states)
                ]
            if len(reached) == len(set(kinds)) == self.states and 0 in to:
                return Machine(to, tuple(lamp))

    def _shown(self, machine: Machine, chance: random.Random) -> dict[Word, int] | None:
        """Words that only this machine fits, none of which is there in vain at first; None if the search takes too long or is too short."""
        words: set[Word] = set()
        while len(words) < self.words:
            words.add(tuple(chance.choices(range(len(LETTERS)), k=chance.randint(*self.long))))
        while True:
            shown = {word: machine.shows(word) for word in words}
            found, steps = self.fitting(shown)
            if steps > self.most:
                return None
            others = [word for each in found if (word := difference(machine, each)) is not None]
            if not others:
                return shown if steps >= self.least else None
            words.update(others)

    @cache  # noqa: B019 - there are one or two of them
    def puzzle(self, seed: int) -> tuple[Machine, dict[Word, int]]:
        """The machine, and what the lamp shows after the words that were tried."""
        for attempt in range(10_000):
            chance = random.Random(f"{self.name} {seed} {attempt}")
            machine = self._drawn(chance)
            shown = self._shown(machine, chance)
            if shown:
                return machine, shown
        raise ValueError(f"no machine for seed {seed}")

    def read(self, reply: str) -> Machine | None:
        """The machine of the last code block; None if it is none, or does not say where every letter leads."""
        reply = reply[-5000:]
        blocks = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)
        lines = re.findall(r"(?m)^[ \t]*(\d{1,3})[ \t]*:([^\n]{0,100})$", blocks[-1] if blocks else reply)
        states = {int(name): [int(each) for each in re.findall(r"\d{1,3}", its)] for name, its in lines}
        if not states or sorted(states) != list(range(1, len(states) + 1)) or len(states) > self.states:
            return None
        if any(len(its) != 3 or not {*its[:2]} <= set(states) or its[2] > 1 for its in states.values()):
            return None
        to = (each - 1 for name in sorted(states) for each in states[name][:2])
        return Machine(tuple(to), tuple(states[name][2] for name in sorted(states)))

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The share of hidden words after which the lamp is right; passed if it is after all words that there are."""
        machine, shown = self.puzzle(seed)
        said = self.read(reply)
        if said is None:
            return Score(0.0, False), "no machine"
        chance = random.Random(f"{self.name} {seed} hidden")
        hidden = [chance.choices(range(len(LETTERS)), k=chance.randint(*LONG)) for _ in range(HIDDEN)]
        share = sum(said.shows(word) == machine.shows(word) for word in hidden) / HIDDEN
        bad = difference(machine, said)
        misses = sum(said.shows(word) != lamp for word, lamp in shown.items())
        told = (
            ""
            if bad is None
            else f"wrong after {_text(bad)!r}, and after {misses} of the words that were tried"
        )
        return Score(share, bad is None), told

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        _, shown = self.puzzle(seed)
        words = sorted(shown, key=lambda word: (len(word), word))
        wide = max(map(len, words))
        cells = [f"{_text(word):<{wide}} {shown[word]}" for word in words]
        down = -(-len(cells) // 5)
        samples = "\n".join("    " + "     ".join(cells[row::down]) for row in range(down))
        question = PROMPT.format(states=self.states, count=len(words), samples=samples)
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


def _text(word: Word) -> str:
    return "".join(LETTERS[letter] for letter in word)


TASK = Lamps("lamp", states=8, words=45, long=(3, 9), least=2500, most=9000)
build = TASK.build
