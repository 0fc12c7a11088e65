LIMIT = 1_000_000


def prime_flags(limit: int) -> bytearray:
    """flags[n] is 1 when n < limit is prime."""
    flags = bytearray([1]) * limit
    flags[:2] = b"\0\0"
    for n in range(2, int(limit**0.5) + 1):
        if flags[n]:
            flags[n * n :: n] = bytes(len(range(n * n, limit, n)))
    return flags


is_prime = prime_flags(LIMIT)


def is_circular(n: int) -> bool:
    digits = str(n)
    return all(is_prime[int(digits[i:] + digits[:i])] for i in range(len(digits)))


print(sum(is_circular(n) for n in range(LIMIT) if is_prime[n]))
