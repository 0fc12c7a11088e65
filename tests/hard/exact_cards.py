"""A deck of cards that is cut, dealt, turned and sorted by its own cards: the order of all of them afterwards."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial

from evaluator import *

DESCRIPTION = (
    "Can the model follow sixty operations on a deck of cards by mind and tell the order of all of them?"
)
TAGS = ["hard", "reasoning", "cards"]

SUITS, RANKS = "CDHS", 13
STEPS, ASKED = 60, (15, 30, 45, 60)
PROMPT = """A deck has 52 cards, written as suit (C, D, H, S) and rank (1 to 13): C1, C2 ... S13. It is listed from the top to the bottom; a card's place is
counted from the top, the top card has place 1. At the start:

{start}

{steps} operations are done one after the other. "The top card's rank" always means the rank of the card that is on top when the operation begins.

- cut K: the top K cards go to the bottom, in their order. "cut rank" does so with K = the top card's rank.
- deal N: the cards are dealt from the top into N piles, one card to each pile in turn, each card put on top of its pile. Then the piles are stacked: the
  first pile is put at the bottom, the second on top of it, and so on.
- turn A B: the cards at places A to B come in the opposite order.
- rise SUIT: all cards of the suit move to the top, keeping their order among themselves.
- weave K: the deck is cut into the top K cards and the rest. The new deck takes a card from the top of the rest, then one from the top of the first part,
  and so on in turn; when one part is empty, what is left of the other follows.
- swap A B: the cards at places A and B change places.
- sink: the top card moves down by as many places as its rank. This is done three times, each time with the card that is then on top.
- pair: the deck is gone through from the top in pairs (places 1 and 2, 3 and 4, ...). In each pair whose cards have different colours (C and S are
  black, D and H red) and whose first rank is larger than the second, the two change places.

The operations:

{operations}

What is the order of the deck after operations {asked}? Work it out without running any code. End your reply with a line for each of these, with all
52 cards from the top to the bottom, such as

After {first}: C1 S13 D7 ..."""

Deck = list[str]


def rank(card: str) -> int:
    """A card's rank."""
    return int(card[1:])


def cut(deck: Deck, count: int) -> Deck:
    return deck[count:] + deck[:count]


def deal(deck: Deck, piles: int) -> Deck:
    """The last pile on top, each with its last card on top."""
    return [card for pile in reversed(range(piles)) for card in reversed(deck[pile::piles])]


def turn(deck: Deck, first: int, last: int) -> Deck:
    return [*deck[: first - 1], *reversed(deck[first - 1 : last]), *deck[last:]]


def rise(deck: Deck, suit: str) -> Deck:
    return sorted(deck, key=lambda card: card[0] != suit)


def weave(deck: Deck, count: int) -> Deck:
    first, rest = deck[:count], deck[count:]
    both = min(len(first), len(rest))
    mixed = [card for pair in zip(rest, first, strict=False) for card in pair]
    return [*mixed, *rest[both:], *first[both:]]


def swap(deck: Deck, one: int, two: int) -> Deck:
    deck = list(deck)
    deck[one - 1], deck[two - 1] = deck[two - 1], deck[one - 1]
    return deck


def sink(deck: Deck, times: int = 3) -> Deck:
    deck = list(deck)
    for _ in range(times):
        card = deck.pop(0)
        deck.insert(rank(card), card)
    return deck


def pair(deck: Deck, colours: bool = True) -> Deck:
    deck = list(deck)
    for at in range(0, len(deck) - 1, 2):
        one, two = deck[at], deck[at + 1]
        differ = (one[0] in "CS") != (two[0] in "CS") or not colours
        if differ and rank(one) > rank(two):
            deck[at], deck[at + 1] = two, one
    return deck


def done(deck: Deck, operation: str) -> Deck:
    """The deck after an operation."""
    name, *words = operation.split()
    if name == "rise":
        return rise(deck, words[0])
    if name == "cut":
        return cut(deck, rank(deck[0]) if words == ["rank"] else int(words[0]))
    with_numbers: dict[str, Callable[..., Deck]] = {
        "deal": deal,
        "turn": turn,
        "weave": weave,
        "swap": swap,
        "sink": sink,
        "pair": pair,
    }
    return with_numbers[name](deck, *map(int, words))


def random_operation(chance: random.Random) -> str:
    """Any operation; those that move many cards are more frequent."""
    name = chance.choice(
        (
            "cut",
            "cut",
            "deal",
            "deal",
            "turn",
            "turn",
            "rise",
            "weave",
            "weave",
            "swap",
            "sink",
            "sink",
            "pair",
            "pair",
        )
    )
    if name == "cut":
        return f"cut {chance.choice(('rank', chance.randint(5, 47)))}"
    if name == "deal":
        return f"deal {chance.choice((3, 4, 5, 6, 7))}"
    if name == "turn":
        first = chance.randint(1, 30)
        return f"turn {first} {first + chance.randint(7, 20)}"
    if name == "rise":
        return f"rise {chance.choice(SUITS)}"
    if name == "weave":
        return f"weave {chance.randint(15, 37)}"
    if name == "swap":
        return "swap {} {}".format(*sorted(chance.sample(range(1, 53), 2)))
    return name


@cache
def puzzle(seed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The deck at the start, and the operations."""
    chance = random.Random(f"cards {seed}")
    deck = [f"{suit}{number}" for suit in SUITS for number in range(1, RANKS + 1)]
    chance.shuffle(deck)
    return tuple(deck), tuple(random_operation(chance) for _ in range(STEPS))


def wanted(seed: int) -> dict[int, Deck]:
    """Number of operations -> the deck after them."""
    start, operations = puzzle(seed)
    deck, found = list(start), {}
    for number, operation in enumerate(operations, 1):
        deck = done(deck, operation)
        if number in ASKED:
            found[number] = deck
    return found


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of decks that are right; passed if all are."""
    plain, wrong = re.sub(r"[*`_|,]", " ", reply), []
    for number, deck in wanted(seed).items():
        found = re.findall(rf"(?im)^[ \t#>-]*after\s+{number}\s*:([^\n]*)", plain)
        said = re.findall(r"[CDHS]\d{1,2}", found[-1]) if found else []
        if said != deck:
            at = next(
                (n for n, both in enumerate(zip(said, deck, strict=False), 1) if both[0] != both[1]),
                len(said) + 1,
            )
            wrong.append(f"after {number}: {len(said)} cards, wrong from place {at}")
    return Score(1 - len(wrong) / len(ASKED), not wrong), "; ".join(wrong)


def build(seed: int) -> Node:
    """The test of a seed."""
    start, operations = puzzle(seed)
    rows = [f"    {' '.join(start[at : at + 13])}" for at in range(0, 52, 13)]
    question = PROMPT.format(
        start="\n".join(rows),
        steps=STEPS,
        operations="\n".join(
            f"    {number:>2}. {operation}" for number, operation in enumerate(operations, 1)
        ),
        asked=f"{', '.join(map(str, ASKED[:-1]))} and {ASKED[-1]}",
        first=ASKED[0],
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
