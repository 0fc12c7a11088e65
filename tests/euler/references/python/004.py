"""The largest palindrome among the products of two factors of three digits."""


def is_palindrome(number: int) -> bool:
    digits = str(number)
    return digits == digits[::-1]


print(max(a * b for a in range(100, 1000) for b in range(a, 1000) if is_palindrome(a * b)))
