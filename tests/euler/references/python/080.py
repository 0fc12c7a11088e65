from math import isqrt

DIGITS = 100

total = 0
for n in range(1, 101):
    if isqrt(n) ** 2 != n:
        # One digit stands before the point: shift the other 99 in front of it as well.
        total += sum(int(digit) for digit in str(isqrt(n * 100 ** (DIGITS - 1))))
print(total)
