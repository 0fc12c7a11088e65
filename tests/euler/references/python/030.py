"""The sum of all numbers of at least two digits that equal the sum of their digits' fifth powers."""

POWERS = {str(digit): digit**5 for digit in range(10)}
# Seven digits give 7 * 9^5 = 413343 at most, which has six: no number of more digits comes into question.
LIMIT = 6 * POWERS["9"]

print(sum(n for n in range(10, LIMIT + 1) if sum(POWERS[digit] for digit in str(n)) == n))
