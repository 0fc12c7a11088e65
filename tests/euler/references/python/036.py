def is_palindrome(text: str) -> bool:
    return text == text[::-1]


print(sum(n for n in range(1, 1_000_000) if is_palindrome(str(n)) and is_palindrome(f"{n:b}")))
