"""Tunes, read from their files."""

import re
from pathlib import Path

RINGERS = ("bass", "tenor", "alto", "treble")


class Fault(Exception):
    """What is wrong with a command or a tune."""


def names():
    """The names of all tunes."""
    return sorted(path.stem for path in Path("tunes").glob("*.txt"))


def tune(name):
    """The beats of a tune, each the bells of the four ringers."""
    if name not in names():
        raise Fault("no tune " + name)
    text = (Path("tunes") / (name + ".txt")).read_text(encoding="utf-8")
    beats = re.sub(";.*", "", text).split()
    for each in beats:
        if not re.fullmatch("[0-9]{4}", each):
            raise Fault("no beat: " + each)
    return [tuple(map(int, each)) for each in beats]
