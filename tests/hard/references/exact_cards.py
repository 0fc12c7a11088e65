"""Right and wrong replies to exact_cards; the deck is kept as places of cards here, not as a list of them."""

from ..exact_cards import ASKED, puzzle, rank, wanted


def _played(seed: int, *, colours: bool = True, sinks: int = 3) -> dict[int, list[str]]:
    start, operations = puzzle(seed)
    place = {card: n for n, card in enumerate(start, 1)}

    def at(number: int) -> str:
        return next(card for card, n in place.items() if n == number)

    found = {}
    for number, operation in enumerate(operations, 1):
        name, *words = operation.split()
        if name == "cut":
            count = rank(at(1)) if words == ["rank"] else int(words[0])
            place = {card: (n - count - 1) % 52 + 1 for card, n in place.items()}
        elif name == "deal":
            piles = int(words[0])
            sizes = [len(range(pile, 52, piles)) for pile in range(piles)]
            for card, n in place.items():
                row, pile = divmod(n - 1, piles)
                place[card] = sum(sizes[pile + 1 :]) + sizes[pile] - row
        elif name == "turn":
            first, last = map(int, words)
            place = {card: first + last - n if first <= n <= last else n for card, n in place.items()}
        elif name == "rise":
            order = sorted(place, key=lambda card: (card[0] != words[0], place[card]))
            place = {card: n for n, card in enumerate(order, 1)}
        elif name == "weave":
            cut = int(words[0])
            both = min(cut, 52 - cut)
            for card, n in place.items():
                if n <= cut:
                    place[card] = 2 * n if n <= both else n + 52 - cut
                else:
                    place[card] = 2 * (n - cut) - 1 if n - cut <= both else n
        elif name == "swap":
            one, two = at(int(words[0])), at(int(words[1]))
            place[one], place[two] = place[two], place[one]
        elif name == "sink":
            for _ in range(sinks):
                top = at(1)
                down = rank(top)
                place = {card: n - 1 if n <= down + 1 else n for card, n in place.items()}
                place[top] = down + 1
        else:
            for first in range(1, 52, 2):
                one, two = at(first), at(first + 1)
                mixed = (one[0] in "CS") != (two[0] in "CS") or not colours
                if mixed and rank(one) > rank(two):
                    place[one], place[two] = first + 1, first
        if number in ASKED:
            found[number] = sorted(place, key=lambda card: place[card])
    return found


def _said(decks: dict[int, list[str]]) -> str:
    return "\n".join(f"After {number}: {' '.join(deck)}" for number, deck in decks.items())


def right(seed: int) -> list[str]:
    decks = _played(seed)
    return [
        _said(decks),
        "I kept the deck as a list.\n\n"
        + _said(decks).replace(" ", ", ").replace("After,", "**After").replace(":,", "**:"),
    ]


def wrong(seed: int) -> list[str]:
    decks = wanted(seed)
    last = decks[ASKED[-1]]
    return [
        _said(_played(seed, colours=False)),
        _said(_played(seed, sinks=1)),
        _said({**decks, ASKED[-1]: [*last[:-2], last[-1], last[-2]]}),
        _said({**decks, ASKED[-1]: last[:-1]}),
        _said({ASKED[0]: decks[ASKED[0]]}),
        "I lost count of the cards.",
    ]
