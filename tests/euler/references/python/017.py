"""The number of letters in the English names of 1 to 1000."""

UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL = ["", *UNITS.split()]  # nothing is said for 0
TENS = ["", "", *DECADES.split()]


def words(number: int) -> str:
    if number == 1000:
        return "one thousand"
    if number >= 100:
        hundreds = f"{SMALL[number // 100]} hundred"
        return f"{hundreds} and {words(number % 100)}" if number % 100 else hundreds
    if number >= 20:
        return f"{TENS[number // 10]} {SMALL[number % 10]}"
    return SMALL[number]


print(sum(len(words(number).replace(" ", "")) for number in range(1, 1001)))
