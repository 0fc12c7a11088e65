"""The product of the one Pythagorean triple whose sum is 1000."""

SUM = 1000


def product() -> int:
    for a in range(1, SUM // 3):
        for b in range(a + 1, (SUM - a) // 2 + 1):
            c = SUM - a - b
            if a * a + b * b == c * c:
                return a * b * c
    raise ValueError(f"no Pythagorean triple has the sum {SUM}")


print(product())
