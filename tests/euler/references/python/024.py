"""The millionth arrangement of the ten digits, found digit by digit in the factorial number system."""

from math import factorial

digits = list("0123456789")
index = 1_000_000 - 1  # counted from 0
arrangement = ""
while digits:
    position, index = divmod(index, factorial(len(digits) - 1))
    arrangement += digits.pop(position)
print(arrangement)
