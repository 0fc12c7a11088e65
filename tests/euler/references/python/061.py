from collections.abc import Callable

POLYGONAL: list[Callable[[int], int]] = [
    lambda n: n * (n + 1) // 2,
    lambda n: n * n,
    lambda n: n * (3 * n - 1) // 2,
    lambda n: n * (2 * n - 1),
    lambda n: n * (5 * n - 3) // 2,
    lambda n: n * (3 * n - 2),
]

four_digits = [[p for p in map(kind, range(1, 150)) if 1000 <= p <= 9999] for kind in POLYGONAL]


def cycles(chain: list[int], kinds: set[int]):
    """Every way to go on with one number of each of the kinds and to close the cycle."""
    if not kinds:
        if chain[-1] % 100 == chain[0] // 100:
            yield chain
        return
    for kind in kinds:
        for number in four_digits[kind]:
            if number // 100 == chain[-1] % 100 and number not in chain:
                yield from cycles([*chain, number], kinds - {kind})


# A cycle has no first member: begin with the octagonal number.
for octagonal in four_digits[5]:
    for cycle in cycles([octagonal], {0, 1, 2, 3, 4}):
        print(sum(cycle))
