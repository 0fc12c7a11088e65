"""The square of the sum of 1 to 100, less the sum of the squares."""

numbers = range(1, 101)
print(sum(numbers) ** 2 - sum(n * n for n in numbers))
