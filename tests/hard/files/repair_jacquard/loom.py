"""A hand loom: commands from stdin, an answer a line."""

import sys
from itertools import groupby

from cards import Cards


def pick(cards, number):
    runs = [(lifted, len(list(run))) for lifted, run in groupby(cards.lifts(number))]
    lengths = [length for _, length in runs]
    return [0, *lengths] if not runs[0][0] else lengths


def thread(cards, number):
    return [card for card in range(1, cards.count + 1) if cards.lifts(card)[number - 1]] or ["none"]


def block(cards, card, first):
    return [sum(cards.lifts(each)[first - 1 : first + 4]) for each in range(card, card + 5)]


def main():
    with open("cards.txt") as file:
        cards = Cards(file.read().split())
    for line in sys.stdin:
        word, *numbers = line.split()
        print(*{"pick": pick, "thread": thread, "block": block}[word](cards, *map(int, numbers)))


main()
