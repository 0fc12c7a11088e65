DIVISORS = (2, 3, 5, 7, 11, 13, 17)

# Build the numbers from the right, so that each new digit in front completes one three-digit piece.
tails = [a + b for a in "0123456789" for b in "0123456789" if a != b]
for divisor in reversed(DIVISORS):
    tails = [
        digit + tail
        for tail in tails
        for digit in "0123456789"
        if digit not in tail and int(digit + tail[:2]) % divisor == 0
    ]
numbers = [digit + tail for tail in tails for digit in "123456789" if digit not in tail]
print(sum(map(int, numbers)))
