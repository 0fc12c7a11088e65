"""carillon: tunes of nine bells. README.md has the rules."""

import sys

from tunes import RINGERS, Fault, names, tune


def answer(kind, *rest):
    if kind == "list" and not rest:
        return ", ".join("{} {}".format(name, len(tune(name))) for name in names())
    if len(rest) != {"beat": 2, "part": 2, "count": 1, "chord": 2}.get(kind):
        raise Fault("no such command")
    beats = tune(rest[0])
    if kind == "count":
        rung = [bell for beat in beats for bell in beat]
        return " ".join(str(rung.count(bell)) for bell in range(1, 10))
    if kind == "part":
        if rest[1] not in RINGERS:
            raise Fault("no ringer " + rest[1])
        part = [beat[RINGERS.index(rest[1])] for beat in beats]
        return " ".join(str(bell) if bell else "-" for bell in part)
    if not rest[1].isdigit() or not 1 <= int(rest[1]) <= len(beats):
        raise Fault("no beat " + rest[1])
    beat = beats[int(rest[1]) - 1]
    if kind == "chord":
        return " ".join(map(str, sorted(set(beat) - {0}))) or "rest"
    return ", ".join("{} {}".format(*each) for each in zip(RINGERS, beat) if each[1]) or "rest"


for line in sys.stdin:
    if line.strip():
        try:
            print(answer(*line.lower().split()))
        except Fault as fault:
            print("error:", fault)
