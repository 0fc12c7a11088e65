def term(i: int) -> int:
    """The terms after the 2 at the front, from i = 1: 1, 2, 1, 1, 4, 1, 1, 6, 1, ..."""
    return 2 * (i + 1) // 3 if i % 3 == 2 else 1


# The numerators follow h(i) = term(i) * h(i-1) + h(i-2), and are in lowest terms.
before, numerator = 1, 2
for i in range(1, 100):
    before, numerator = numerator, term(i) * numerator + before
print(sum(map(int, str(numerator))))
