WORDS = r"(.)(.)\2\1"
THIRDS = "(0|1(01*0)*1)+"

RIGHT = {
    "TestRegexGolf": [
        "Each good word has something like *abba* in it, two letters and the same two mirrored.\n\nREGEX: "
        + WORDS,
        "A palindrome of four letters:\n\nREGEX: `(.)(.)\\2\\1`",
        "10 characters:\n\n**REGEX:** (.)(.)\\2\\1",
        "**REGEX: (.)(.)\\2\\1**",
    ],
    "TestRegexGolfThirds": [
        "Three states, one for each remainder; from 1 you get to 2 and back by 0, 1* and 0.\n\nREGEX: "
        + THIRDS,
        "Starting from remainder 0: 0 stays, `1(01*0)*1` comes back.\n\nREGEX: ^(1(01*0)*1|0)+$",
        "The other way round the states, still one line:\n\nREGEX: (0|11|10(1|00)*01)+",
    ],
}

WRONG = {
    "TestRegexGolf": [
        "",
        "REGEX: noon|effect|commodity|illicit|manna|peppery|cassava|assassin|terrestrial|allay|affair|otto",
        r"REGEX: (.)\1",  # any double letter
        r"REGEX: (.)(.)\1\2",
        r"REGEX: (.).?\1",
        "They hold a palindrome of four letters, like abba.\n\nREGEX: .abba.",
        r"REGEX: (.)(.)\2\1 (the 1st and 4th letter are the same)",
        "REGEX: (.)(.",
    ],
    "TestRegexGolfThirds": [
        "",
        "It can't be done, regular expressions do not count.",
        "REGEX: (11|0)+",  # misses 1001
        "REGEX: (0|11|10(1|00)*1)+",
        "REGEX: (0|1(01*0)*1)*",  # the empty line
        "REGEX: 0*(1(01*0)*1)*0*",  # no zeros in the middle
        "REGEX: 0*(11|1001|10101|110000)*",
        "Binary numbers divisible by three, with three states:\n\nREGEX: ([01]{3})+",
    ],
}
