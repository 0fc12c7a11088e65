"""The sum of the digits of 2 to the power of 1000."""

print(sum(int(digit) for digit in str(2**1000)))
