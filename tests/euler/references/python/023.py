"""The sum of the positive integers that are not a sum of two abundant numbers."""

LIMIT = 28123  # all integers above it are such sums

divisor_sums = [0] * (LIMIT + 1)
for divisor in range(1, LIMIT // 2 + 1):
    for multiple in range(2 * divisor, LIMIT + 1, divisor):
        divisor_sums[multiple] += divisor
abundant = [n for n in range(1, LIMIT + 1) if divisor_sums[n] > n]

# Bit n of `mask` tells that n is abundant; shifting it by an abundant number marks the sums with that.
mask = sum(1 << n for n in abundant)
sums = 0
for n in abundant:
    sums |= mask << n
print(sum(n for n in range(1, LIMIT + 1) if not sums >> n & 1))
