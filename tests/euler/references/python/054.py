from collections import Counter

VALUES = {value: number for number, value in enumerate("23456789TJQKA", start=2)}

HIGH_CARD, ONE_PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
RANK_OF_GROUPS = {
    (4, 1): FOUR,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): THREE,
    (2, 2, 1): TWO_PAIRS,
    (2, 1, 1, 1): ONE_PAIR,
    (1, 1, 1, 1, 1): HIGH_CARD,
}


def strength(hand: list[str]) -> tuple[int, list[int]]:
    """The hand's rank, and its values in the order in which equal ranks compare them.

    That order: larger groups of equal cards first, and higher values first among equal groups. A royal
    flush needs no rank of its own, being the straight flush with the highest values.
    """
    groups = Counter(VALUES[card[0]] for card in hand)
    values = sorted(groups, key=lambda value: (groups[value], value), reverse=True)
    rank = RANK_OF_GROUPS[tuple(groups[value] for value in values)]
    flush = len({card[1] for card in hand}) == 1
    straight = len(values) == 5 and values[0] - values[4] == 4
    if straight:
        rank = STRAIGHT_FLUSH if flush else STRAIGHT
    elif flush:
        rank = FLUSH
    return rank, values


with open("poker.txt") as file:
    deals = [line.split() for line in file if line.strip()]

print(sum(strength(cards[:5]) > strength(cards[5:]) for cards in deals))
