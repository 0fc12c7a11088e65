YES = "It says power of two and mentions zero.\nVERDICT: YES"
NO = "That is not what the expression does.\nVERDICT: NO"

RIGHT = {
    "TestCWeirdExpression": [
        """- `1[a]` is `a[1]` = 9, `~a[2]` is -3, so x = 12
- `!!7` is 1, `1 << 3` is 8, `8 & 12` is 8, so y = 8
- x * 10 = 120; `sizeof "ab"` is 3 and 8 % 3 = 2; `(x, 0)["wxyz"]` is 'w' = 119, 119 % 10 = 9
- 120 + 2 + 9 = 131

131""",
        "x = 12, y = 8, and the sum is 120 + 2 + 9.\n\n**131**",
        "Adding up, $120 + 2 + 9$:\n\n$$\\boxed{131}$$",
    ],
    "TestCWeirdExpressionExplain": [
        [
            "It grows when n is a power of two (1, 2, 4, 8 ...): n - 1 flips the lowest set bit and all below, so the "
            "AND is zero only with a single bit set. The first part keeps out 0, for which the rest would be true.",
            YES,
        ],
        [
            "True iff `n == 2^k`. Note `-` is evaluated before `&`. Without `n &&`, zero would count as well.",
            "Correct on both points.\nVERDICT: YES",
        ],
        [
            "It asks whether `n` has **exactly one bit set**: 1, 2, 4, 8 and so on. *Watch out:* 0 has no bit set, "
            "`0 & (0 - 1)` is 0 too, so the `n &&` is needed.",
            "**VERDICT: YES**",
        ],
    ],
}

WRONG = {
    "TestCWeirdExpression": [
        "",
        'The operand `sizeof "ab"` is 2, so the middle term is 0: 120 + 0 + 9\n\n129',
        "Shift binds tighter than &, careful: it isn't 131 but\n\n123",
        "x = 9 - 2 = 7, so 70 + 2 + 9 = 81",
        "It prints 131? No: the comma makes it undefined behaviour.",
    ],
    "TestCWeirdExpressionExplain": [
        ["", NO],
        ["It is true when n is odd. Careful with n = 1.", NO],
        ["It checks for a power of two, and is also true for 0, which is why you should be careful.", NO],
        ["It's true if n is not a power of two: the exclamation mark negates it.", NO],
    ],
}
