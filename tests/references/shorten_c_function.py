def nothing(messages):
    return ""


def c(code):
    return f"```c\n{code}\n```"


DAYS = """int days(int y, int m) {
    return m < 1 || m > 12 ? 0 : m == 2 ? 28 + (y % 4 == 0 && y % 100 != 0 || y % 400 == 0) : 30 + (m + m / 8) % 2;
}"""
MIRROR = """unsigned mirror(unsigned x) {
    unsigned y = 0;
    for (int i = 0; i < 12; i++) y = y * 2 + (x >> i & 1);
    return y;
}"""
SCRAMBLE = r"""#include <ctype.h>
void scramble(char *s) {
    for (; *s; s++) {
        int c = *s & 31; // a is 1, z is 26, in both cases
        if (isalpha(*s)) *s += c < 14 ? 13 : -13;
        else if (isdigit(*s)) *s += *s < '5' ? 5 : -5;
    }
}"""

RIGHT = {
    "TestShortenCFunctionDays": [
        f"The months alternate, with a jump in August:\n\n{c(DAYS)}",
        "A string serves as the table:\n\n"
        + c('int days(int y,int m){return m>0&&m<13?"?>;>=>=>>=>=>"[m]-31+(m==2&&y%(y%25?4:16)==0):0;}'),
    ],
    "TestShortenCFunctionMirror": [
        c(MIRROR),
        "Recursively would be longer; this pushes bits out on one side and in on the other:\n\n"
        + c(
            "/* 12 bits */\nunsigned mirror(unsigned x)\n{\n    unsigned y = 0, n = 12;\n    while (n--) y |= (x & 1) << n, x /= 2;\n"
            "    return y;\n}\n\nint main(void)\n{\n    if (mirror(1) != 2048) { return 1; }\n    return 0;\n}"
        ),
    ],
    "TestShortenCFunctionScramble": [
        c(SCRAMBLE),
        c(
            "void scramble(char*s){for(;*s;s++){int c=*s|32;"
            "if(c>='a'&&c<='z')*s+=c<'n'?13:-13;else if(*s>47&&*s<58)*s+=*s<53?5:-5;}}"
        ),
    ],
}

WRONG = {
    "TestShortenCFunctionDays": [
        nothing,
        c(DAYS.replace("m < 1 || m > 12 ? 0 : ", "")),  # the months that are none
        c(DAYS.replace(" && y % 100 != 0 || y % 400 == 0", "")),
        c(DAYS.replace("m / 8", "m / 7")),
        c(DAYS + "\nint " + "padding_" * 12 + ";"),
        "It could return 31, 30 or 28 by a table, days[month]:\n```c\nint days(int year, int month) { return 31; }\n```",
    ],
    "TestShortenCFunctionMirror": [
        nothing,
        c(MIRROR.replace("i < 12", "i < 32")),
        c(MIRROR.replace("i < 12", "i < 31 && x >> i")),  # as many bits as there happen to be
        c(MIRROR.replace("y * 2 + (x >> i & 1)", "(x >> i & 1) << i")),
        c(
            MIRROR.replace(
                "for (int i = 0; i < 12; i++) ",
                "\n".join(f"    if (x & {1 << i}) y += {2048 >> i};" for i in range(12)) + "//",
            )
        ),
        c("// mirror: y = y + 2048 >> i\nunsigned mirror(unsigned x) { return ~x & 4095; }"),
    ],
    "TestShortenCFunctionScramble": [
        nothing,
        c(SCRAMBLE.replace("        else if (isdigit(*s)) *s += *s < '5' ? 5 : -5;\n", "")),
        c(SCRAMBLE.replace("isalpha(*s)", "c < 27")),  # brackets and others too
        c(SCRAMBLE.replace("< '5'", "<= '5'")),
        c(SCRAMBLE.replace("; *s; s++", "; s[1]; s++")),
        "`s[i] = c + 13`, wrapped by `% 26`:\n"
        + c("void scramble(char *s) { while (*s) *s++ = (*s + 13) % 26; }"),
    ],
}
