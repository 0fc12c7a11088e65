from itertools import count

MODULUS = 1_000_000

# Euler: p(n) = p(n-1) + p(n-2) - p(n-5) - p(n-7) + ..., with the pentagonal numbers k(3k-1)/2 and k(3k+1)/2
# for k = 1, 2, ..., whose terms are added for odd k and subtracted for even k.
p = [1]
added, subtracted = [], []  # the offsets up to n, negative: p[-5] is p(n-5) as long as p(n) is not appended
pentagonal = sorted(k * (3 * k + sign) // 2 for k in range(1, 1000) for sign in (-1, 1))
for n in count(1):
    known = len(added) + len(subtracted)
    if pentagonal[known] == n:
        (subtracted if known & 2 else added).append(-n)
    p.append((sum(map(p.__getitem__, added)) - sum(map(p.__getitem__, subtracted))) % MODULUS)
    if p[n] == 0:
        print(n)
        break
