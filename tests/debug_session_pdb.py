from evaluator import *

DESCRIPTION = "Can the model debug a program it cannot see through a live pdb prompt?"
TAGS = ["python", "debug", "agent"]

question = """
A program of ours is stopped in python's debugger, pdb, at its first line. I type what you write into it (one command each
time, alone in a code block) and show you what it prints. You can't see the source otherwise. The program moves money
between accounts in many small steps, and at some step an account falls below zero, which must never happen.

I need to know: in which step (the variable step in the function apply) does a balance first become negative, and which
account is it? Don't change anything in the program. When you know, answer with a line "ANSWER: step, account".

<A>
"""

next_turn = "<A>\n\nYour next command, or the ANSWER line?"


def write_program():
    program = """import random


class Bank:
    def __init__(self, names, seed):
        self.rng = random.Random(seed)
        self.balances = {name: 500 for name in names}

    def plan(self, count):
        names = sorted(self.balances)
        for _ in range(count):
            source, target = self.rng.sample(names, 2)
            yield source, target, self.rng.randrange(1, 60)


def apply(bank, step, source, target, amount):
    bank.balances[source] -= amount
    bank.balances[target] += amount
    return bank.balances


def main():
    bank = Bank(["harbor", "bakery", "school", "museum", "garage"], seed=len("ledger") * 7)
    step = 0
    for source, target, amount in bank.plan(5000):
        step += 1
        apply(bank, step, source, target, amount)
    print(bank.balances)


main()
"""
    with open("bank.py", "w") as file:
        file.write(program)


right_answer = RegexEvaluator(r"ANSWER\W{0,3}:\W*(step\W*)?306\W+(account\W*)?school\b", ignore_case=True)

TestDebugSessionPdb = (
    Setup(write_program)
    >> StartDockerJob("python3 -m pdb bank.py", eos_string="(Pdb) ")
    >> LLMConversation(question)
    >> UntilDone(
        RegexEvaluator(r"(?m)^\W*ANSWER\W{0,3}:"),
        ExtractCode(keep_main=True) >> SendStdoutReceiveStdin(time_limit_s=10) >> LLMConversation(next_turn),
        max_iters=25,
    )
    >> right_answer
)

if __name__ == "__main__":
    print(run_test(TestDebugSessionPdb))
