"""Messages of the kind reverse are read here without their keys; seconds."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import permutations

from tests.hard import reverse_columns, reverse_square
from tests.hard.spelt import WORDS, drawn, spelt

SEED = 1


def read(text, common=""):
    """All messages that a text of replaced letters can be; `common` is the sign that is known to be e."""

    def goes_on(at, signs, letters, digits):
        if at == len(text):
            yield digits
            return
        for digit, word in enumerate(WORDS):
            now, back = dict(signs), dict(letters)
            part = text[at : at + len(word)]
            if len(part) == len(word) and all(
                now.setdefault(sign, letter) == letter and back.setdefault(letter, sign) == sign
                for sign, letter in zip(part, word, strict=True)
            ):
                yield from goes_on(at + len(word), now, back, digits + str(digit))

    known = {common: "e"} if common else {}
    return goes_on(0, known, {letter: sign for sign, letter in known.items()}, "")


def unshuffled(cipher, order):
    """The letters row by row, if the columns were read in an order."""
    full, more = divmod(len(cipher), len(order))
    columns, at = {}, 0
    for column in order:
        columns[column] = cipher[at : at + full + (column < more)]
        at += len(columns[column])
    return "".join(columns[n % len(order)][n // len(order)] for n in range(len(cipher)))


def test_the_message_in_columns_is_the_only_one():
    task = reverse_columns.TASK
    cipher = task.cipher(SEED)
    common = Counter(cipher).most_common(1)[0][0]  # a fifth of the letters is an e
    found = {
        digits
        for order in permutations(range(task.width))
        for digits in read(unshuffled(cipher, order), common)
    }
    assert found == {task.digits(SEED)}


def likelihoods():
    """How likely three letters are that follow each other, from messages of our own."""
    text = spelt(drawn(random.Random(0), 20_000))
    seen = Counter(text[n : n + 3] for n in range(len(text) - 2))
    return {three: math.log(count / len(text)) for three, count in seen.items()}


def climbed(cipher, chance, known, steps=8_000):
    """What pairs are by a square that is changed a little again and again (simulated annealing)."""

    def worth(square):
        meant = {pair: reverse_square.replaced(square, pair, -1) for pair in set(cipher)}
        text = "".join(meant[pair] for pair in cipher)
        return sum(known.get(text[n : n + 3], -11.0) for n in range(len(text) - 2)), text

    square = list(reverse_square.SIGNS)
    chance.shuffle(square)
    now, text = worth("".join(square))
    best = now, text
    for step in range(steps):
        heat = 40 * 0.05 ** (step / steps)
        other = list(square)
        one, two = chance.sample(range(16), 2)
        other[one], other[two] = other[two], other[one]
        value, its = worth("".join(other))
        if value > now or chance.random() < math.exp((value - now) / heat):
            square, now = other, value
            best = max(best, (value, its))
    return best[1]


def message(text):
    """The digits of a text in which q was put between equal letters."""
    return next(read_plain(text.replace("q", ""), ""), None)


def read_plain(text, digits):
    """The digits that letters spell."""
    if not text:
        yield digits
    for digit, word in enumerate(WORDS):
        if text.startswith(word):
            yield from read_plain(text[len(word) :], digits + str(digit))


def test_the_square_is_found_by_climbing():
    """By one climb in three or so; this chance is one of them."""
    task = reverse_square.TASK
    assert message(climbed(task.cipher(SEED), random.Random(6), likelihoods())) == task.digits(SEED)
