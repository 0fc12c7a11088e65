def is_prime(n: int) -> bool:
    """Trial division by 2, 3 and the numbers next to multiples of 6."""
    if n < 4:
        return n > 1
    if n % 2 == 0 or n % 3 == 0:
        return False
    return all(n % d and n % (d + 2) for d in range(5, int(n**0.5) + 1, 6))


side, corner, primes = 1, 1, 0
while True:
    side += 2
    for _ in range(4):
        corner += side - 1
        primes += is_prime(corner)
    if 10 * primes < 2 * side - 1:
        break
print(side)
