from itertools import combinations, combinations_with_replacement

# A 6 can be turned into a 9: let both be a 6, on the cubes as in the squares.
SQUARES = [(0, 1), (0, 4), (0, 6), (1, 6), (2, 5), (3, 6), (4, 6), (8, 1)]  # 49 and 64 become the same


def shows_all(left, right):
    left, right = ({6 if digit == 9 else digit for digit in cube} for cube in (left, right))
    return all((a in left and b in right) or (a in right and b in left) for a, b in SQUARES)


cubes = list(combinations(range(10), 6))
print(sum(shows_all(left, right) for left, right in combinations_with_replacement(cubes, 2)))
