from evaluator import *

DESCRIPTION = "Can the model cure a lock-order deadlock without putting one big lock around everything?"
TAGS = ["code", "python", "debug", "threads"]

broken = """
import threading
import time


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.lock = threading.Lock()


def pause():
    time.sleep(0.01)  # asks the fraud service, slow


def transfer(source, target, amount):
    # True if the money was moved, False if there was not enough
    with source.lock:
        pause()
        with target.lock:
            if source.balance < amount:
                return False
            source.balance -= amount
            target.balance += amount
            return True
"""

question = (
    """
This hangs about once a day under load. Find out why and fix it, keep the names. Two transfers that have no account
in common must still be able to run at the same time, so please no global lock. A transfer from an account to itself can
come up, it changes nothing.
"""
    + broken
)


def in_place(code):
    """The program with what the reply defines anew, which may be no more than the one function."""
    return broken + "\n\n" + code


header = """
import threading, time

global pause  # the one that transfer calls

def pause():
    time.sleep(PAUSE)

def in_threads(jobs, wait):
    threads = [threading.Thread(target=transfer, args=job, daemon=True) for job in jobs]
    for thread in threads: thread.start()
    end = time.monotonic() + wait
    for thread in threads: thread.join(max(0, end - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)

def there_and_back():
    global PAUSE
    PAUSE = 0.01
    a, b, c = Account(100), Account(100), Account(100)
    finished = in_threads([(a, b, 3), (b, c, 2), (c, a, 5), (b, a, 4)] * 5, 6)
    return finished, a.balance, b.balance, c.balance

def to_itself():
    global PAUSE
    PAUSE = 0.001
    a = Account(50)
    return in_threads([(a, a, 20)], 3), a.balance

def apart():
    global PAUSE
    PAUSE = 0.3
    pairs = [(Account(10), Account(0), 10) for _ in range(8)]
    start = time.monotonic()
    finished = in_threads(pairs, 6)
    return finished, time.monotonic() - start < 1.5, sum(pair[1].balance for pair in pairs)

def one_by_one():
    global PAUSE
    PAUSE = 0
    a, b = Account(10), Account(1)
    return transfer(a, b, 11), transfer(a, b, 10), transfer(b, a, 11), a.balance, b.balance
"""

test_case, answer = make_python_test(
    [
        ("one_by_one()", "(False, True, True, 11, 0)"),
        ("there_and_back()", "(True, 100 - 15 + 25 + 20, 100 + 15 - 10 - 20, 100 + 10 - 25)"),
        ("to_itself()", "(True, 50)"),
        ("apart()", "(True, True, 80)"),
    ],
    header=header,
)

TestFixThreadingIssue = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PyFunc(in_place)
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestFixThreadingIssue))
