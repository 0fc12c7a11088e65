from collections import defaultdict
from itertools import permutations
from math import isqrt

with open("words.txt") as file:
    words = sorted({word.strip().strip('"') for word in file.read().split(",")})

anagrams = defaultdict(list)
for word in words:
    anagrams["".join(sorted(word))].append(word)


def squares_of_length(length):
    """The squares with `length` digits, as strings."""
    first = isqrt(10 ** (length - 1) - 1) + 1
    return [str(root * root) for root in range(first, isqrt(10**length - 1) + 1)]


def replacement(word, square):
    """The letters' digits that turn `word` into `square`, or None."""
    digits = dict(zip(word, square, strict=True))
    fits = len(set(digits.values())) == len(digits) and "".join(digits[letter] for letter in word) == square
    return digits if fits else None


best = 0
for group in anagrams.values():
    if len(group) < 2:
        continue
    squares = squares_of_length(len(group[0]))
    known = set(squares)
    for word, other in permutations(group, 2):
        for square in squares:
            digits = replacement(word, square)
            if digits and "".join(digits[letter] for letter in other) in known:
                best = max(best, int(square))
print(best)
