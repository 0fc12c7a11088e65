DIGITS = 7


def leads_to_89(n):
    while n not in (1, 89):
        n = sum(int(digit) ** 2 for digit in str(n))
    return n == 89


# How many numbers of up to seven digits (with leading zeros) have each sum of squares?
counts = {0: 1}
for _ in range(DIGITS):
    longer = {}
    for total, count in counts.items():
        for digit in range(10):
            square = digit * digit
            longer[total + square] = longer.get(total + square, 0) + count
    counts = longer
print(sum(count for total, count in counts.items() if total and leads_to_89(total)))
