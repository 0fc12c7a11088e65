from itertools import permutations

N = 5


def strings():
    """The strings of all magic rings, built line by line so that wrong totals are dropped early."""
    numbers = range(1, 2 * N + 1)
    for first_outer, first_inner, second_inner in permutations(numbers, 3):
        total = first_outer + first_inner + second_inner
        lines = [(first_outer, first_inner, second_inner)]
        yield from extend(lines, set(numbers) - set(lines[0]), total)


def extend(lines, free, total):
    start = lines[0]
    last = lines[-1][2]
    if len(lines) == N - 1:
        outer = total - last - start[1]
        if free == {outer} and outer > start[0]:
            yield "".join(str(number) for line in [*lines, (outer, last, start[1])] for number in line)
        return
    for outer in free:
        inner = total - outer - last
        if outer > start[0] and inner in free and inner != outer:
            yield from extend([*lines, (outer, last, inner)], free - {outer, inner}, total)


print(max(int(string) for string in strings() if len(string) == 16))
