from evaluator import *

DESCRIPTION = "Can the model work out what to type so that a C program says yes?"
TAGS = ["c", "puzzle", "explain"]
REQUIRES = ["gcc"]
DETERMINISTIC = True

program = """#include <stdio.h>
#include <string.h>

int main(void)
{
    char w[32];
    int i, n, up = 0, total = 0;
    if (scanf("%31s", w) != 1)
        return 1;
    n = strlen(w);
    for (i = 0; i < n; i++) {
        if (w[i] < 'a' || w[i] > 'z')
            return 1;
        up += i > 0 && w[i] > w[i - 1];
        total += w[i] - 'a' + 1;
    }
    puts(n == 6 && up == 2 && total == 50 && w[2] == 'k' && strrchr(w, *w) > w && strchr(w, 'e') > w + 2 ? "yes" : "no");
}
"""

question = f"""
I can't try it here: what could I type in so that this program prints yes? A single example is enough, please put it on
the last line of your answer, as ANSWER: word

{program}"""


def typed_word(reply):
    """What the reply says should be typed; without the label its last line, if that is one word."""
    labelled = re.findall(r"ANSWER\W*?:[\s*`'\"]*(\w+)[\s*`'\".]*$", reply, re.MULTILINE)
    if labelled:
        return labelled[-1]
    last = reply.strip().split("\n")[-1].strip("*`'\". ")
    return last if re.fullmatch(r"\w+", last) else ""


def program_says_yes(word):
    import subprocess

    with open("program.c", "w") as file:
        file.write(program)
    subprocess.run(["gcc", "-w", "-o", "program", "program.c"], check=True)
    done = subprocess.run(["./program"], input=word + "\n", capture_output=True, text=True, timeout=10)
    return done.stdout == "yes\n", f"{word!r}: {done.stdout!r}, status {done.returncode}"


TestBasicCodeUnderstanding = (
    question >> LLMRun() >> PyFunc(typed_word) >> PyEvaluator(program_says_yes, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestBasicCodeUnderstanding))
