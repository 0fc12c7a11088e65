from evaluator import *

DESCRIPTION = "Can an agent get a broken build going by its cause, and not by leaving things out?"
TAGS = ["c", "bash", "agent"]
REQUIRES = ["gcc", "make"]

files = {
    "Makefile": "CFLAGS = -Wall -Werror -O1\n\nstats: main.o mean.o median.o\n\t$(CC) -o stats main.o mean.o\n\nclean:\n\trm -f stats *.o\n",
    "stats.h": "double mean(const double *values, int count);\ndouble median(double *values, int count);\n",
    "main.c": '#include <stdio.h>\n#include "stats.h"\n\nint main(void) {\n    double values[1000], value;\n    int count = 0;\n'
    '    while (count < 1000 && scanf("%lf", &value) == 1) values[count++] = value;\n    if (!count) return 1;\n'
    '    printf("%.2f %.2f\\n", mean(values, count), median(values, count));\n    return 0;\n}\n',
    "mean.c": '#include "stats.h"\n\ndouble mean(const double *values, int count) {\n    int sum = 0;\n'
    "    for (int i = 0; i <= count; i++) sum += values[i];\n    return sum / count;\n}\n",
    "median.c": '#include "stats.h"\n\nstatic int order(const void *a, const void *b) {\n'
    "    return *(const double *)a - *(const double *)b;\n}\n\ndouble median(double *values, int count) {\n"
    "    int unused;\n    qsort(values, count, sizeof *values, order);\n"
    "    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;\n}\n",
}

question = """`make` fails here. stats is to read up to 1000 numbers from stdin and print their mean and their median, with two decimals
each: for 1 2 4 it prints "2.33 2.00"; for no numbers it ends with status 1 and prints nothing. Please get it to build with the
flags that are there, and to be right. Once `make` works, look at what it computes, too: I don't trust it."""


def builds_and_counts():
    import subprocess

    subprocess.run(["make", "clean"], capture_output=True, timeout=20)
    with open("Makefile") as file:
        if "-Wall -Werror" not in file.read():
            return False, "the flags are gone"
    made = subprocess.run(["make"], capture_output=True, text=True, timeout=40)
    if made.returncode:
        return False, "make: " + made.stderr[-300:]
    cases = {
        "1 2 4": "2.33 2.00\n", "0.5 0.25": "0.38 0.38\n", "0.1 0.3 0.2": "0.20 0.20\n", "-3": "-3.00 -3.00\n",
        "5 0.9 0.5 0.8": "1.80 0.85\n", "1e9 1e9 1e9": "1000000000.00 1000000000.00\n", "": "",
    }  # fmt: skip
    for numbers, wanted in cases.items():
        done = subprocess.run(["./stats"], input=numbers, capture_output=True, text=True, timeout=10)
        if done.stdout != wanted or done.returncode != (not numbers):
            return False, f"{numbers!r}: {done.stdout!r}, status {done.returncode}, not {wanted!r}"
    return True, "all right"


TestOperateBuild = (
    Files(files)
    >> question
    >> AgentRun([Shell(), ReadFile(), EditFile()], max_turns=30)
    >> PyEvaluator(builds_and_counts, time_limit_s=120)
)

if __name__ == "__main__":
    print(run_test(TestOperateBuild))
