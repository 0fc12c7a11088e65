from evaluator import *

DESCRIPTION = "Can the model make long-winded C functions several times shorter without breaking them?"
TAGS = ["code", "c", "refactoring"]
DETERMINISTIC = True

days = """int days(int year, int month)
{
    if (month == 1) return 31;
    if (month == 2) {
        if (year % 400 == 0) {
            return 29;
        } else if (year % 100 == 0) {
            return 28;
        } else if (year % 4 == 0) {
            return 29;
        } else {
            return 28;
        }
    }
    if (month == 3) return 31;
    if (month == 4) return 30;
    if (month == 5) return 31;
    if (month == 6) return 30;
    if (month == 7) return 31;
    if (month == 8) return 31;
    if (month == 9) return 30;
    if (month == 10) return 31;
    if (month == 11) return 30;
    if (month == 12) return 31;
    return 0;
}
"""

mirror = """unsigned mirror(unsigned x)
{
    unsigned y = 0;
    if (x & 1) y = y + 2048;
    if (x & 2) y = y + 1024;
    if (x & 4) y = y + 512;
    if (x & 8) y = y + 256;
    if (x & 16) y = y + 128;
    if (x & 32) y = y + 64;
    if (x & 64) y = y + 32;
    if (x & 128) y = y + 16;
    if (x & 256) y = y + 8;
    if (x & 512) y = y + 4;
    if (x & 1024) y = y + 2;
    if (x & 2048) y = y + 1;
    return y;
}
"""

scramble = """void scramble(char *s)
{
    int i;
    for (i = 0; s[i] != 0; i++) {
        char c = s[i];
        if (c >= 'a' && c <= 'm') {
            s[i] = c + 13;
        } else if (c >= 'n' && c <= 'z') {
            s[i] = c - 13;
        } else if (c >= 'A' && c <= 'M') {
            s[i] = c + 13;
        } else if (c >= 'N' && c <= 'Z') {
            s[i] = c - 13;
        } else if (c >= '0' && c <= '4') {
            s[i] = c + 5;
        } else if (c >= '5' && c <= '9') {
            s[i] = c - 5;
        } else {
            s[i] = c;
        }
    }
}
"""

ask = """
For a code golf evening: how short can you make this C function? It has to do exactly the same (we compile with gcc, on
Linux, -std=gnu17), same name and types, call the parameters what you like. I count characters without white space, comments and #include lines, helpers
and macros included, and would like at most {limit} of them. Just the function please, I have a main.

{source}"""


def size(code):
    """Characters of C code that count: no comments, no includes, no white space, no main."""
    token = r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|//[^\n]*|/\*.*?\*/"""
    code = re.sub(token, lambda found: found[1] or " ", code, flags=re.DOTALL)
    code = re.sub(r"(?m)^\s*#\s*include.*$", "", code)
    if main := re.search(r"\bint\s+main\s*\([^)]*\)\s*\{", code):
        at, depth = main.end(), 1
        while depth and at < len(code):
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        code = code[: main.start()] + code[at:]
    return len("".join(code.split()))


def at_most(limit):
    def small_enough(code):
        return size(code) <= limit, f"{size(code)} characters, at most {limit}"

    return PyFunc(small_enough)


def shorten(source, name, limit, differences):
    """Ask to shorten `source`; the C expression in `differences` compares it with old_<name>."""
    helpers = source.replace(f" {name}(", f" old_{name}(") + differences
    test_case, answer = make_c_test([("differences()", 0)], extra_methods=helpers)
    judged = at_most(limit) & (CRun(test_case, time_limit_s=10) >> SubstringEvaluator(answer))
    return ask.format(limit=limit, source=source) >> LLMRun() >> ExtractCode(lang="c") >> judged


TestShortenCFunctionDays = shorten(
    days,
    "days",
    140,
    """
static int differences(void) {
    int wrong = 0;
    for (int y = 0; y < 2500; y++)
        for (int m = -3; m < 17; m++) wrong += days(y, m) != old_days(y, m);
    return wrong;
}
""",
)
TestShortenCFunctionMirror = shorten(
    mirror,
    "mirror",
    95,
    """
static int differences(void) {
    int wrong = 0;
    for (unsigned x = 0; x < 20000; x++) wrong += mirror(x) != old_mirror(x);
    return wrong + (mirror(~0u) != 4095) + (mirror(0x80001000) != 0);
}
""",
)
TestShortenCFunctionScramble = shorten(
    scramble,
    "scramble",
    155,
    """
static int differences(void) {
    char a[300] = "", b[300] = "";
    int wrong = 0;
    scramble(a);
    wrong += *a != 0;
    strcpy(a, "7n");
    scramble(a);
    wrong += strcmp(a, "2a") != 0;
    for (int i = 1; i < 256; i++) a[i - 1] = b[i - 1] = (char)i;
    scramble(a);
    old_scramble(b);
    return wrong + (memcmp(a, b, 300) != 0);
}
""",
)

if __name__ == "__main__":
    print(run_test(TestShortenCFunctionDays))
    print(run_test(TestShortenCFunctionMirror))
    print(run_test(TestShortenCFunctionScramble))
