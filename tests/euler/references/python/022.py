"""The sum of the scores of the names in names.txt: letters' values times alphabetical position."""

from pathlib import Path

names = sorted(name.strip().strip('"') for name in Path("names.txt").read_text().split(","))
values = [sum(ord(letter) - ord("A") + 1 for letter in name) for name in names]
print(sum(position * value for position, value in enumerate(values, start=1)))
