from math import isqrt


def is_triangle_number(t: int) -> bool:
    """t = n(n+1)/2 exactly when 8t + 1 is the square of 2n + 1."""
    return isqrt(8 * t + 1) ** 2 == 8 * t + 1


with open("words.txt") as file:
    words = [word.strip('"') for word in file.read().strip().split(",")]

print(sum(is_triangle_number(sum(ord(letter) - ord("A") + 1 for letter in word)) for word in words))
