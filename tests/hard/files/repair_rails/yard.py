"""The ends around the junction."""


def around(ends):
    """The ends clockwise."""

    def place(end):
        side, number = "TRBL".index(end[0]), int(end[1:])
        return side, number if side < 2 else -number

    return sorted(ends, key=place)


def following(ends, end):
    """The next end clockwise."""
    ring = around(ends)
    return ring[(ring.index(end) + 1) % len(ring)]
