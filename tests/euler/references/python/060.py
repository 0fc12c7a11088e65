from math import gcd, prod

WANTED = 5
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)
PRODUCT = prod(SMALL_PRIMES)


def is_probable_prime(n: int, base: int) -> bool:
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    x = pow(base, odd, n)
    if x in (1, n - 1):
        return True
    for _ in range(twos - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def is_prime(n: int) -> bool:
    """Miller and Rabin's test; these bases leave no doubt below 4 759 123 141."""
    if gcd(n, PRODUCT) > 1:
        return n in SMALL_PRIMES
    return n > 1 and all(is_probable_prime(n, base) for base in (2, 7, 61))


def fits(a: int, b: int) -> bool:
    return is_prime(int(f"{a}{b}")) and is_prime(int(f"{b}{a}"))


def smallest_sum(chosen_sum: int, candidates: list[int], wanted: int, best: float) -> float:
    """The least sum below `best` with `wanted` more of the candidates, which all fit what is chosen.

    Candidates grow, and those chosen next are smaller than the one before.
    """
    if wanted == 0:
        return min(best, chosen_sum)
    for i, p in enumerate(candidates):
        if chosen_sum + p >= best:
            break
        if i >= wanted - 1:
            fitting = [q for q in candidates[:i] if q in partners[p]] if wanted > 1 else []
            best = smallest_sum(chosen_sum + p, fitting, wanted - 1, best)
    return best


# p is the largest of the five; the others come from the smaller primes that fit it. Written one behind the
# other, p and q have the remainder of p + q modulo 3.
best = float("inf")
primes: list[int] = []
partners: dict[int, set[int]] = {}
p = 3
while p < best:
    if is_prime(p):
        fitting = [q for q in primes if p + q < best and (p + q) % 3 != 0 and fits(q, p)]
        partners[p] = set(fitting)
        best = smallest_sum(p, fitting, WANTED - 1, best)
        primes.append(p)
    p += 2
print(best)
