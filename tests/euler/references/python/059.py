from string import ascii_lowercase

KEY_LENGTH = 3


def decrypted(column: list[int], letter: str) -> list[int]:
    return [code ^ ord(letter) for code in column]


def best_letter(column: list[int]) -> str:
    """The letter that makes the most spaces: they are the most frequent character of the text."""
    return max(ascii_lowercase, key=lambda letter: decrypted(column, letter).count(ord(" ")))


with open("cipher.txt") as file:
    codes = [int(number) for number in file.read().split(",")]

# Every third byte is encrypted with the same letter, so the letters can be found one by one.
columns = [codes[start::KEY_LENGTH] for start in range(KEY_LENGTH)]
print(sum(sum(decrypted(column, best_letter(column))) for column in columns))
