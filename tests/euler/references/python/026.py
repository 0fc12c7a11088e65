"""The d below 1000 whose reciprocal repeats the longest block, by long division."""

LIMIT = 1000


def block_length(divisor: int) -> int:
    seen: dict[int, int] = {}  # remainder -> step at which it came up
    remainder = 1
    while remainder and remainder not in seen:
        seen[remainder] = len(seen)
        remainder = remainder * 10 % divisor
    return len(seen) - seen[remainder] if remainder else 0


print(max(range(2, LIMIT), key=block_length))
