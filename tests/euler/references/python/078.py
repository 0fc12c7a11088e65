from itertools import count

MODULUS = 1_000_000

# Euler's pentagonal numbers: p(n) = p(n-1) + p(n-2) - p(n-5) - p(n-7) + p(n-12) + ..., two signs of each
# kind in turn, with the offsets k(3k-1)/2 for k = 1, -1, 2, -2, ...
offsets = []
p = [1]
for n in count(1):
    k = len(offsets) // 2 + 1
    if k * (3 * k - 1) // 2 <= n:
        offsets += [k * (3 * k - 1) // 2, k * (3 * k + 1) // 2]
    total = 0
    for index, offset in enumerate(offsets):
        if offset > n:
            break
        total += -p[n - offset] if index & 2 else p[n - offset]
    p.append(total % MODULUS)
    if p[n] == 0:
        print(n)
        break
