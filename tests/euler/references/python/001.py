"""Sum of the numbers below 1000 that 3 or 5 divides."""

print(sum(n for n in range(1, 1000) if n % 3 == 0 or n % 5 == 0))
