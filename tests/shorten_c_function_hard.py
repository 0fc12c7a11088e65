from evaluator import *

DESCRIPTION = "Does the model see what a long C function really computes, and write just that?"
TAGS = ["code", "c", "refactoring", "math"]
DETERMINISTIC = True

automaton = """int residue(const char *bits)
{
    char state = 'p';
    while (*bits != '\\0') {
        if (*bits == '1') {
            if (state == 'p') state = 'q';
            else if (state == 'q') state = 's';
            else if (state == 'r') state = 'p';
            else if (state == 's') state = 'r';
            else state = 't';
        } else if (*bits == '0') {
            if (state == 'q') state = 'r';
            else if (state == 'r') state = 't';
            else if (state == 's') state = 'q';
            else if (state == 't') state = 's';
        }
        bits++;
    }
    switch (state) {
        case 'q': return 1;
        case 'r': return 2;
        case 's': return 3;
        case 't': return 4;
        default: return 0;
    }
}
"""

turn = """int turn(int from, int to)
{
    int left = 0, right = 0, at;
    while (from < 0) from = from + 360;
    while (to < 0) to = to + 360;
    while (from >= 360) from = from - 360;
    while (to >= 360) to = to - 360;
    at = from;
    while (at != to) {
        right++;
        at++;
        if (at == 360) at = 0;
    }
    at = from;
    while (at != to) {
        left++;
        at--;
        if (at < 0) at = 359;
    }
    if (left < right) {
        return 0 - left;
    } else {
        return right;
    }
}
"""

pairs = """long pairs(long n)
{
    long i, j, count = 0;
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++) {
            if (i == j) {
                count = count + 2;
            } else if (i % 2 == 0 && j % 2 == 1) {
                count = count + 1;
            } else if (i % 2 == 1 && j % 2 == 0) {
                count = count + 1;
            }
        }
    }
    return count;
}
"""

ask = """
I've inherited this C function and I am sure it can be written in a line or two once one sees what it is for. Please do
that: same name and types (call the parameters what you like), same results for all inputs{quick}. I'd like at most {limit} characters, not counting white space,
comments and #include lines, but counting helpers and macros. gcc on 64 bit Linux. Only the function, no main please.

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


def shorten(source, name, limit, differences, quick=""):
    """Ask to shorten `source`; the C expression in `differences` compares it with old_<name>."""
    helpers = source.replace(f" {name}(", f" old_{name}(") + differences
    test_case, answer = make_c_test([("differences()", 0)], extra_methods=helpers)
    judged = at_most(limit) & (CRun(test_case, time_limit_s=10) >> SubstringEvaluator(answer))
    question = ask.format(limit=limit, source=source, quick=quick)
    return question >> LLMRun() >> ExtractCode(lang="c") >> judged


TestShortenCFunctionHardAutomaton = shorten(
    automaton,
    "residue",
    110,
    """
static int differences(void) {
    int wrong = residue("") != 0;
    char bits[64];
    for (unsigned x = 1; x < 60000; x += 1 + x / 900) {
        int n = 0;
        for (int k = 0; k < 17; k++) {
            if (x % (k + 3) == 1) bits[n++] = "x 2\\n-/:@"[x % 8];
            bits[n++] = '0' + (x >> k & 1);
        }
        bits[n] = 0;
        wrong += residue(bits) != old_residue(bits);
    }
    char *large = malloc(100001);
    memset(large, '1', 100000);
    for (int n = 0; n < 4; n++) {
        large[100000 - n] = 0;
        wrong += residue(large) != old_residue(large);
    }
    return wrong;
}
""",
)
TestShortenCFunctionHardTurn = shorten(
    turn,
    "turn",
    95,
    """
static int differences(void) {
    int wrong = 0;
    for (int from = -800; from <= 800; from += 20)
        for (int to = -725; to <= 1100; to += 5) wrong += turn(from, to) != old_turn(from, to);
    for (int to = -725; to <= 1100; to++) wrong += turn(7, to) != old_turn(7, to);
    return wrong + (turn(1000000000, -1000000000) != old_turn(1000000000, -1000000000));
}
""",
    quick=" between -1000000000 and 1000000000",
)
TestShortenCFunctionHardPairs = shorten(
    pairs,
    "pairs",
    60,
    """
static int differences(void) {
    int wrong = 0;
    for (long n = -5; n < 150; n++) wrong += pairs(n) != old_pairs(n);
    return wrong + (pairs(-1000000) != 0) + (pairs(2000000001) != 1000000005000000002);
}
""",
    quick=" up to 2 billion, the negative ones too, and fast there",
)

if __name__ == "__main__":
    print(run_test(TestShortenCFunctionHardAutomaton))
    print(run_test(TestShortenCFunctionHardTurn))
    print(run_test(TestShortenCFunctionHardPairs))
