from evaluator import *

DESCRIPTION = (
    "Can the model find what overwrites a variable of a running C program through a live gdb prompt?"
)
TAGS = ["c", "debug", "agent"]
REQUIRES = ["gdb", "gcc"]

question = """
You have gdb on a C program of ours, built with -g -O0 and not started yet. I type your commands into it (one at a time, alone in
a code block) and send you what it shows. The source isn't there, only what gdb knows. The program does many numbered steps (the
function work has the number in its parameter step). The field limit of the global variable depot is set to 1000 in main
before the first step and nobody should ever change it, yet at the end it is something else.

In which step is it changed for the first time, and what is its value right after that? Answer with a line
"ANSWER: step, value" as soon as you know. Don't change anything in the program yourself.

<A>
"""

next_turn = "<A>\n\nNext command, or the ANSWER line?"


def build_program():
    import os
    import subprocess

    program = """#include <stdio.h>

struct depot { int bins[12]; int limit; };
static struct depot depot;
static unsigned seed = 20240917u;

static int roll(int sides)
{
    seed = seed * 1103515245u + 12345u;
    return (int)((seed >> 16) % (unsigned)sides);
}

static void store(int bin, int amount)
{
    depot.bins[bin] += amount;
}

static void skim(int above)
{
    int *bin = depot.bins;
    for (int i = 0; i <= 12; i++)
        if (bin[i] > above)
            bin[i] -= above / 3;
}

static void work(int step)
{
    if (step % 23 == 0)
        skim(300 + roll(9000));
    else
        store(roll(12), roll(70));
}

int main(void)
{
    depot.limit = 1000;
    for (int step = 1; step <= 1700; step++)
        work(step);
    printf("limit %d\\n", depot.limit);
    return 0;
}
"""
    with open("depot.c", "w") as file:
        file.write(program)
    subprocess.run(["gcc", "-w", "-g", "-O0", "-o", "depot", "depot.c"], check=True)
    os.remove("depot.c")


gdb = "gdb -q -nx -ex 'set pagination off' -ex 'set confirm off' -ex 'set style enabled off' -ex 'set width 0' ./depot"
right_answer = RegexEvaluator(r"ANSWER\W{0,3}:[^\d\n]*\b138\b[^\d\n]*\b842\b")

TestDebugSessionGdb = (
    Setup(build_program)
    >> StartDockerJob(gdb, eos_string="(gdb) ")
    >> LLMConversation(question)
    >> UntilDone(
        RegexEvaluator(r"(?m)^\W*ANSWER\W{0,3}:"),
        ExtractCode(keep_main=True) >> SendStdoutReceiveStdin(time_limit_s=30) >> LLMConversation(next_turn),
        max_iters=25,
    )
    >> right_answer
)

if __name__ == "__main__":
    print(run_test(TestDebugSessionGdb))
