"""Right and wrong work on operate_cards: the holes are read from the pixels of the photograph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from evaluator import Call, Script

from ..operate_cards import CARDS, COLUMNS, SIZE, fields, holes, picture
from ..squares import EDGE
from .pixels import Pixels

KEYED = """
import sqlite3
base = sqlite3.connect("loom.db")
for name, first, last, leading in base.execute("select name, first, last, leading from field").fetchall():
    for n, card in enumerate(CARDS.split(), 1):
        bits = card[first - 1 : last]
        number = int(bits if leading == "first" or not TURNED else bits[::-1], 2)
        base.execute(f"update card set {name} = ? where card = ?", (number, n))
base.commit()
"""
Cards = Sequence[Sequence[int]]


@cache
def _seen(seed: int) -> Cards:
    pixels = Pixels(picture(seed))
    middles = [EDGE + SIZE * (n + 0.5) for n in range(max(CARDS, COLUMNS))]
    return [[int(pixels.is_dark(x, y)) for x in middles[:COLUMNS]] for y in middles[:CARDS]]


def _keyed(cards: Cards, turned: bool = True) -> Script:
    text = "\n".join("".join(map(str, card)) for card in cards)
    head = f"CARDS = '''{text}'''\nTURNED = {turned}\n"
    return Script(f"cat > /tmp/key.py <<'END'\n{head}{KEYED}END\npython3 /tmp/key.py")


def right(seed: int) -> list[object]:
    return [_keyed(_seen(seed))]


def wrong(seed: int) -> list[object]:
    cards = holes(seed)
    one = [
        [bit ^ ((row, column) == (20, 30)) for column, bit in enumerate(card)]
        for row, card in enumerate(cards)
    ]
    some = [
        [bit ^ (row % 9 == column % 17 == 3) for column, bit in enumerate(card)]
        for row, card in enumerate(cards)
    ]
    first = fields(seed)[0][0]
    return [
        _keyed(one),
        _keyed(some),
        _keyed(cards, turned=False),
        _keyed([card[::-1] for card in cards]),
        _keyed([[1 - bit for bit in card] for card in cards]),
        _keyed([cards[0], *cards[:-1]]),
        Script(f"sqlite3 loom.db 'update card set {first} = card'"),
        [Call("shell", command="sqlite3 loom.db .dump"), "I cannot read the cards."],
    ]
