from itertools import count


def digits(n: int) -> list[str]:
    return sorted(str(n))


print(next(x for x in count(1) if all(digits(k * x) == digits(x) for k in range(2, 7))))
