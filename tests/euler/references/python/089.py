VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
PARTS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]  # fmt: skip


def value(numeral):
    numbers = [VALUES[letter] for letter in numeral]
    return sum(
        -number if number < following else number
        for number, following in zip(numbers, [*numbers[1:], 0], strict=True)
    )


def shortest(number):
    numeral = ""
    for worth, letters in PARTS:
        numeral += number // worth * letters
        number %= worth
    return numeral


with open("roman.txt") as file:
    numerals = file.read().split()
print(sum(len(numeral) - len(shortest(value(numeral))) for numeral in numerals))
