from math import gcd

LIMIT = 1_500_000

# Euclid: for coprime m > n > 0 of different parity, the primitive triangle has perimeter 2m(m + n).
ways = [0] * (LIMIT + 1)
m = 2
while 2 * m * (m + 1) <= LIMIT:
    for n in range(1 + m % 2, m, 2):
        primitive = 2 * m * (m + n)
        if primitive > LIMIT:
            break
        if gcd(m, n) == 1:
            for perimeter in range(primitive, LIMIT + 1, primitive):
                ways[perimeter] += 1
    m += 1
print(ways.count(1))
