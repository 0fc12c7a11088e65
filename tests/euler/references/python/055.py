def is_lychrel(n: int) -> bool:
    for _ in range(50):
        n += int(str(n)[::-1])
        if str(n) == str(n)[::-1]:
            return False
    return True


print(sum(map(is_lychrel, range(1, 10_000))))
