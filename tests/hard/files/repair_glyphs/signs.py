"""The signs of a tablet."""

SYLLABLES = ("ka", "mo", "ti", "lu", "se", "ro", "ni", "du")


def read(name):
    """The entries of each row."""
    with open(name) as file:
        return [line.split() for line in file if line.strip()]


def syllable(entry):
    """How an entry is read."""
    said = SYLLABLES[int(entry[0]) - 1]
    return said[::-1] if entry.endswith("m") else said
