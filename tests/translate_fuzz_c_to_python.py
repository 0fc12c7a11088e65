from evaluator import *

DESCRIPTION = (
    "Does a C program that the model carried over to python wrap, cut and round like C on random inputs?"
)
TAGS = ["code", "c", "python", "translation", "fuzzing"]
REQUIRES = ["gcc"]
DETERMINISTIC = True

program = r"""#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct cell { int16_t level; uint8_t kind; int32_t sum; };

static struct cell cells[8];
static uint32_t seed;

static uint32_t roll(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static int16_t mix(int16_t a, int8_t b)
{
    int32_t wide = a * 3 - b * (a >> 2);
    return (int16_t)(wide ^ (wide >> 16));
}

int main(void)
{
    char op;
    int i;
    long long x;

    while (scanf(" %c %d %lld", &op, &i, &x) == 3) {
        struct cell *c = &cells[i & 7];
        switch (op) {
        case 's':
            seed = (uint32_t)x | 1;
            memset(cells, 0, sizeof cells);
            break;
        case 'a':
            c->level += x;
            c->kind++;
            break;
        case 'm':
            c->level = mix(c->level, (int8_t)x);
            /* fall through */
        case 'k':
            c->kind = ~c->kind << (x & 3);
            break;
        case 'd':
            if (x % 7 != 0)
                c->sum = (int32_t)((uint32_t)c->sum * 31u + (uint32_t)(c->level / (x % 7)));
            else
                c->sum = c->level % 100 - c->kind;
            break;
        case 'r':
            c->sum ^= (int32_t)(roll() >> (c->kind & 15));
            c->level = (int16_t)(roll() % 1000) - 500;
            break;
        default:
            c->sum = c->sum < (unsigned char)op ? -1 : c->kind > c->sum;
        }
        printf("%d %u %d %u\n", c->level, c->kind, c->sum, (uint16_t)c->level >> 3 ^ seed);
    }
    return 0;
}
"""

question = f"""
This old C filter (gcc, x86-64, 64 bit) has to live on in python, plain python 3 without ctypes, numpy or struct. It reads
standard input, writes standard output. Please translate it so that it prints exactly the same, the numbers in our input use
the whole range of the types (i is from -1000 to 1000, x any long long). What overflows wraps around as gcc does it there.

{program}"""


def agrees_on_random_inputs():
    import random
    import subprocess

    with open("filter.c", "w") as file:
        file.write(program)
    subprocess.run(["gcc", "-O1", "-fwrapv", "-w", "-o", "filter_c", "filter.c"], check=True, timeout=30)
    rng = random.Random(20260611)
    lines = []
    for _ in range(6000):
        op = rng.choice("sammmkkdddrrq" if lines else "s")
        span = rng.choice([4, 200, 70000, 2**33, 2**63 - 1])
        lines.append(f"{op} {rng.randint(-1000, 1000)} {rng.randint(-span, span)}")
        if op == "s" and rng.random() < 0.9:
            lines[-1:] = [f"a {i} {rng.randint(-40000, 40000)}" for i in range(8)]
    text = "\n".join(lines) + "\n"
    outputs = []
    for command in (["./filter_c"], ["python3", "filter.py"]):
        ran = subprocess.run(command, input=text, capture_output=True, text=True, timeout=15)
        outputs.append(ran.stdout.rstrip("\n").split("\n"))
        if ran.returncode:
            return False, ran.stderr[-1000:]
    ours, theirs = outputs
    for number, (wanted, found) in enumerate(zip(ours, theirs, strict=False)):
        if wanted != found:
            return False, f"line {number}, {lines[number]}: {found} instead of {wanted}"
    return len(ours) == len(theirs), f"{len(theirs)} lines of {len(ours)}"


libraries = r"(ctypes|numpy|struct|array)\b"
uses_a_library = RegexEvaluator(rf"(?m)^\s*(import\s.*\b{libraries}|from\s+{libraries}\S*\s+import)")

TestTranslateFuzzCToPython = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python", keep_main=True)
    >> (~uses_a_library & (MakeFile("filter.py") >> PyEvaluator(agrees_on_random_inputs)))
)

if __name__ == "__main__":
    print(run_test(TestTranslateFuzzCToPython))
