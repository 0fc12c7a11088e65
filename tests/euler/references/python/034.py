"""The sum of all numbers of at least two digits that equal the sum of their digits' factorials.

The sum depends only on which digits there are, so every multiset of digits is tried once: a number qualifies
when the sum of its digits' factorials has just those digits.
"""

from itertools import combinations_with_replacement
from math import factorial

FACTORIALS = [factorial(digit) for digit in range(10)]
MOST_DIGITS = 7  # eight digits give 8 * 9! = 2903040 at most, which has seven

found = []
for length in range(2, MOST_DIGITS + 1):
    for digits in combinations_with_replacement(range(10), length):
        total = sum(FACTORIALS[digit] for digit in digits)
        if sorted(str(total)) == [str(digit) for digit in digits]:
            found.append(total)
print(sum(found))
