def nothing(messages):
    return ""


def c(code):
    return f"```c\n{code}\n```"


RESIDUE = """int residue(const char *b) {
    int r = 0;
    for (; *b; b++)
        if (*b == '0' || *b == '1')
            r = (2 * r + *b - '0') % 5;
    return r;
}"""
TURN = """int turn(int from, int to) {
    int d = ((to - from) % 360 + 360) % 360;
    return d > 180 ? d - 360 : d;
}"""
PAIRS = "long pairs(long n) { return n > 0 ? n * n / 4 + 2 * n : 0; }"

RIGHT = {
    "TestShortenCFunctionHardAutomaton": [
        f"It is a binary number modulo 5, p to t are the remainders 0 to 4:\n\n{c(RESIDUE)}",
        c(
            "int residue(const char*b){int r=0;for(;*b;b++)switch(*b)case 48:case 49:r=(r*2+(*b&1))%5;return r;}"
        ),
    ],
    "TestShortenCFunctionHardTurn": [
        f"The shorter way round, and to the right if both are equal.\n\n{c(TURN)}",
        c("int turn(int a, int b) { return 180 - ((a - b + 180) % 360 + 360) % 360; }"),
    ],
    "TestShortenCFunctionHardPairs": [
        "Every i contributes 2 for itself and one for each smaller j of the other parity, which is ceil or floor of i/2, "
        f"so the sum is n*n/4 (rounded down) plus 2n.\n\n{c(PAIRS)}",
        c("long pairs(long n)\n{\n    if (n < 1)\n        return 0;\n    return n * (n + 8) / 4;\n}"),
    ],
}

WRONG = {
    "TestShortenCFunctionHardAutomaton": [
        nothing,
        c(RESIDUE.replace("% 5", "% 3")),
        c(RESIDUE.replace("        if (*b == '0' || *b == '1')\n", "")),
        "strtol reads binary:\n"
        + c("#include <stdlib.h>\nint residue(const char *b) { return strtol(b, 0, 2) % 5; }"),
        c(RESIDUE.replace(" % 5;\n    return r;", ";\n    return r % 5;")),  # overflows
        "The residue mod 5, states p q r s t:\n" + c("int residue(const char *b) { return strlen(b) % 5; }"),
    ],
    "TestShortenCFunctionHardTurn": [
        nothing,
        c(TURN.replace("d > 180", "d >= 180")),  # half a turn goes right
        c(TURN.replace("((to - from) % 360 + 360) % 360", "(to - from) % 360")),
        c(TURN.replace("to - from", "from - to")),
        c(
            "int turn(int from, int to) {\n    int d = to - from;\n    if (d > 180) d -= 360;\n    if (d < -180) d += 360;\n    return d;\n}"
        ),
        c(
            "/* shortest turn, modulo 360 */\nint turn(int from, int to) { return (to - from + 180) % 360 - 180; }"
        ),
    ],
    "TestShortenCFunctionHardPairs": [
        nothing,
        c(PAIRS.replace("n > 0 ? ", "").replace(" : 0", "")),
        c(PAIRS.replace("n * n / 4", "n * n / 2")),
        c(PAIRS.replace("n * n", "(int)n * (int)n")),
        # short, and never ends
        c(
            "long pairs(long n) {\n    long c = 0;\n    while (n > 0) c += 2 + n-- / 2;\n    return c;\n}"
        ).replace("while (n > 0) c += 2 + n-- / 2;", "for(long j;n-->0;c+=2)for(j=n;j>0;j-=2)c++;"),
        c("// n * n / 4 + 2 * n\nlong pairs(long n) { return n * (n + 1) / 2; }"),
    ],
}
