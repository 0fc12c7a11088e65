"""A tablet read aloud: commands from stdin, an answer a line."""

import sys
from collections import Counter

from signs import read, syllable


def answer(rows, word, *which):
    if word == "count":
        every = Counter(entry for row in rows for entry in row)
        return " ".join(str(every[f"{n}{mark}"]) for mark in ("", "m") for n in range(1, 9))
    if word == "row":
        entries = rows[int(which[0]) - 1]
    else:
        entries = [row["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(which[0])] for row in rows]
    return "-".join(map(syllable, entries))


def main():
    rows = read("tablet.txt")
    for line in sys.stdin:
        print(answer(rows, *line.split()))


main()
