"""The index of the first Fibonacci number of 1000 digits."""

SMALLEST = 10**999  # the smallest number of 1000 digits

index, term, following = 1, 1, 1
while term < SMALLEST:
    index, term, following = index + 1, following, term + following
print(index)
