"""Histories of calls that overlap: which of them an object could have answered so, one call after another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from evaluator import *

from .replies import judge_chosen

DESCRIPTION = (
    "Can the model tell which histories of overlapping calls an object could have given, call by call?"
)
TAGS = ["hard", "reasoning", "threads"]

OBJECTS = ("register", "queue", "stack")
EACH = 4  # histories of an object
LONG = 40
CALLS = (3, 3, 3, 3)  # of each thread
PROMPT = """Threads A, B, C and D use one shared object. Below are {count} histories, each of an object of its own. A call is shown with the times
at which it began and ended, and with its result; a thread begins a call only after its last one has ended. A call that "did not end"
was cut off: it may have taken effect at any time after its beginning, or never.

The objects
- A register holds a value, at first 0. "write v" sets it, result ok. "read" results in the value. "swap a b" sets the value to b
  if it is a, result yes; otherwise it changes nothing, result no.
- A queue is empty at first. "put v" adds v at the back, result ok. "take" removes the value at the front and results in it; if the
  queue is empty it changes nothing, result empty.
- A stack is empty at first. "push v" puts v on top, result ok. "pop" removes the value on top and results in it; if the stack is empty it
  changes nothing, result empty.

A history is called sound if there are moments, one for each call that ended, between its beginning and its end, and for each call that did not
end a moment after its beginning or none at all, no two of them equal, so that an object on which each call happens at once at its moment
gives exactly these results. (No result of a call that did not end is known, so that any would do.)

{histories}

Which histories are sound? Work it out without running any code. End your reply with a line that begins with "Sound:" and has the
numbers of all sound histories, separated by commas; it passes if exactly these are named."""


@dataclass(frozen=True)
class Operation:
    """A call of a thread; `end` and `result` are empty if it was cut off."""

    thread: str
    begin: float
    end: float | None
    words: tuple[str, ...]
    result: str = ""


def act(held: tuple[str, ...], words: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """What an object holds after a call, and the call's result. A register holds one value."""
    match words:
        case ("write", value):
            return (value,), "ok"
        case ("read",):
            return held, held[0]
        case ("swap", old, new):
            return ((new,), "yes") if held[0] == old else (held, "no")
        case ("put" | "push", value):
            return (*held, value), "ok"
        case ("take",):
            return (held[1:], held[0]) if held else (held, "empty")
        case _:
            return (held[:-1], held[-1]) if held else (held, "empty")


def first_held(kind: str) -> tuple[str, ...]:
    """What an object holds at first."""
    return ("0",) if kind == "register" else ()


def sound(kind: str, calls: Sequence[Operation], by_time: bool = True) -> bool:
    """Whether the calls can be put in an order that fits. Without `by_time` only the order of each thread counts."""
    ended = frozenset(n for n, call in enumerate(calls) if call.end is not None)

    @cache
    def fits(done: frozenset[int], held: tuple[str, ...]) -> bool:
        if ended <= done:
            return True
        for n, call in enumerate(calls):
            if n in done:
                continue
            before = (
                m for m, each in enumerate(calls)
                if each.end is not None and each.end < call.begin and (by_time or each.thread == call.thread)
            )  # fmt: skip
            if any(m not in done for m in before):
                continue
            after, result = act(held, call.words)
            if (call.end is None or result == call.result) and fits(done | {n}, after):
                return True
        return False

    return fits(frozenset(), first_held(kind))


def _words(kind: str, chance: random.Random, fresh: list[str]) -> tuple[str, ...]:
    if kind == "register":
        some = [str(n) for n in range(4)]
        return chance.choice(
            [("write", chance.choice(some)), ("read",), ("read",), ("swap", *chance.sample(some, 2))]
        )
    adds, removes = ("put", "take") if kind == "queue" else ("push", "pop")
    return (adds, fresh.pop()) if chance.random() < 0.52 else (removes,)


def history(kind: str, chance: random.Random) -> list[Operation]:
    """A sound history: each call happens at a moment of its own between its beginning and its end."""
    fresh = [str(n) for n in chance.sample(range(1, 30), 12)]
    spans = []
    for thread, count in zip("ABCD", CALLS, strict=True):
        # Next to no time between the calls of a thread, so that several are open at any time.
        cuts = sorted(chance.sample(range(1, LONG), count - 1))
        edges = [0, *(edge for cut in cuts for edge in (cut, cut + 0.5)), LONG]
        times = [edge + chance.uniform(0, 0.4) for edge in edges]
        spans += [(thread, times[2 * n], times[2 * n + 1]) for n in range(count)]
    moments = sorted((chance.uniform(begin, end), n) for n, (_, begin, end) in enumerate(spans))
    held, calls = first_held(kind), [Operation("", 0, 0, ())] * len(spans)
    for _, n in moments:
        words = _words(kind, chance, fresh)
        held, result = act(held, words)
        calls[n] = Operation(*spans[n], words, result)
    if chance.random() < 0.6:  # the last call of a thread is cut off
        n = chance.choice([2, 5, 8, 11])
        calls[n] = replace(calls[n], end=None, result="")
    return ranked(calls)


def ranked(calls: list[Operation]) -> list[Operation]:
    """The same with the times 1, 2, 3 ..."""
    times = sorted({time for call in calls for time in (call.begin, call.end) if time is not None})
    ordered = sorted(calls, key=lambda call: call.begin)
    return [
        replace(call, begin=times.index(call.begin) + 1, end=call.end and times.index(call.end) + 1)
        for call in ordered
    ]


def altered(calls: list[Operation], chance: random.Random) -> list[Operation]:
    """The history with the results of two calls of one kind exchanged, or with one call moved a little."""
    found = list(calls)
    a, b = chance.sample([n for n, call in enumerate(calls) if call.end is not None], 2)
    if chance.random() < 0.5 and calls[a].words[0] == calls[b].words[0]:
        found[a], found[b] = (
            replace(calls[a], result=calls[b].result),
            replace(calls[b], result=calls[a].result),
        )
        return found
    found[a] = replace(calls[a], begin=calls[b].begin, end=calls[b].end, thread=calls[b].thread)
    found[b] = replace(calls[b], begin=calls[a].begin, end=calls[a].end, thread=calls[a].thread)
    return ranked(found)


def by_one_end(kind: str, calls: list[Operation], which: str) -> bool:
    """Whether the history fits if all calls happen at their beginning, or all at their end: what is tried first."""
    held = first_held(kind)
    for call in sorted(calls, key=lambda call: call.begin if which == "begin" else call.end or 1000):
        held, result = act(held, call.words)
        if call.end is not None and result != call.result:
            return False
    return True


@cache
def puzzle(seed: int) -> list[tuple[str, list[Operation], bool]]:
    """Histories of each object, and whether they are sound."""
    chance = random.Random(f"histories {seed}")
    found = []
    for kind in OBJECTS:
        wanted = chance.sample([True, True, False, False, chance.random() < 0.5], EACH)
        for is_sound in wanted:
            while True:
                calls = history(kind, chance)
                calls = calls if is_sound else altered(calls, chance)
                results = {call.result for call in calls}
                plain = by_one_end(kind, calls, "begin") or by_one_end(kind, calls, "end")
                if plain or len(results) < 4 or sum(call.words[0] in REMOVES for call in calls) < 3:
                    continue
                if is_sound or (sound(kind, calls, by_time=False) and not sound(kind, calls)):
                    break
            found.append((kind, calls, is_sound))
    chance.shuffle(found)
    return found


REMOVES = ("read", "swap", "take", "pop")


def shown(call: Operation) -> str:
    """A call as the prompt says it."""
    ended = "did not end" if call.end is None else f"to {call.end}, result {call.result}"
    return f"    {call.thread}: {' '.join(call.words)}, from {call.begin} {ended}"


def build(seed: int) -> Node:
    """The test of a seed."""
    histories = puzzle(seed)
    parts = []
    for n, (kind, calls, _) in enumerate(histories, 1):
        parts += [f"{n}. A {kind}", *map(shown, calls), ""]
    question = PROMPT.format(count=len(histories), histories="\n".join(parts).rstrip())
    wanted = [n for n, (_, _, is_sound) in enumerate(histories, 1) if is_sound]
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "Sound", lambda: wanted, len(histories)))
