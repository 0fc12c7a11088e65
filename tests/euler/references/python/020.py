"""The sum of the digits of the factorial of 100."""

from math import factorial

print(sum(int(digit) for digit in str(factorial(100))))
