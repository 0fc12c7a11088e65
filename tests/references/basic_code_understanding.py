RIGHT = {
    "TestBasicCodeUnderstanding": [
        """Six lower case letters, the third is k (11), the first occurs again later, the first e stands behind the k,
the letters' numbers add up to 50, and exactly two of the five steps go up.

`j f k e j h`: 10 + 6 + 11 + 5 + 10 + 8 = 50, and the steps up are f-k and e-j.

ANSWER: jfkejh""",
        "Check: h(8) + h(8) + k(11) + e(5) + r(18) ... too many; with 8 + 8 + 11 + 9 + 9 + 5 = 50, steps: h-h no, "
        "h-k up, k-i no, i-i no, i-e no: only one. So move the e forward: h h k e i i = 8+8+11+5+9+9, up at k and "
        "at i.\n\n**ANSWER:** `hhkeii`",
        "mbkemb is 13 + 2 + 11 + 5 + 13 + 2 = 46, so raise the last one by 4:\n\nmbkemf",
    ]
}

WRONG = {
    "TestBasicCodeUnderstanding": [
        "",
        "It needs six lower case letters with sum 50, third letter k, two ascents, an e after the k, and the first "
        "letter repeated.",
        "ANSWER: jfkejj",  # adds up to 52
        "ANSWER: jekejj",  # the first e is in front of the k
        "ANSWER: afkejp",  # the first letter does not come again
        "ANSWER: hijkeh",  # k at the wrong place
        "Not jfkejh, since e is not in front.\n\nANSWER: yes",
        "ANSWER: JFKEJH",
    ]
}
