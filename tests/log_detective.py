from evaluator import *

DESCRIPTION = "Can the model find the cause of an outage in large logs with few shell commands?"
TAGS = ["bash", "agent", "data"]

question = """
Some of our customers' uploads were lost last night. In the folder logs/ are the logs of the gateway, the workers and the
storage of that night, far too many lines to show you. Give me bash commands, one a turn in a ```bash block, I send you
what they print (cut after 2000 characters). You have at most 8 commands, then you must answer. What I want to know: how
many uploads were accepted by the gateway (status 202) and then never stored? End with a line ANSWER: number.
"""

next_turn = "<A>\n\nThe next command, or your ANSWER line?"


def make_logs():
    import os
    import random

    rng = random.Random(99)
    os.makedirs("logs")
    gateway, worker, storage = [], [], []
    second = 0
    for _ in range(3000):
        second += rng.randrange(1, 5)
        clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        upload = f"{rng.getrandbits(32):08x}"
        status = rng.choices([202, 400, 503], [90, 6, 4])[0]
        gateway.append(f"{clock} POST /upload id={upload} status={status} bytes={rng.randrange(100, 9000)}")
        if status != 202:
            continue
        tries = rng.choices([1, 2, 3], [94, 4, 2])[0]
        lost = rng.random() < 0.012
        for number in range(1, tries + 1):
            host = f"w{rng.randrange(1, 5)}"
            worker.append(f"{clock} {host} [{upload.upper()}] attempt {number} started")
            if number < tries:
                worker.append(
                    f"{clock} {host} [{upload.upper()}] attempt {number} failed: timeout, will retry"
                )
        if lost and rng.random() < 0.5:
            worker.append(f"{clock} {host} [{upload.upper()}] gave up: disk full")
        elif lost:
            storage.append(f"{clock} write key=up/{upload} result=ERROR checksum")
        else:
            if rng.random() < 0.05:
                storage.append(f"{clock} write key=up/{upload} result=ERROR checksum")
            storage.append(f"{clock} write key=up/{upload} result=OK")
    for name, lines in [("gateway.log", gateway), ("worker.log", worker), ("storage.log", storage)]:
        with open(f"logs/{name}", "w") as file:
            file.write("\n".join(lines) + "\n")


def cut(output):
    return output if len(output) <= 2000 else output[:2000] + "\n[cut]"


def number_in_answer(reply):
    found = re.search(r"(?m)^\W*ANSWER\W{0,3}:[^\d\n]*(\d+)", reply)
    return found[1] if found else ""


TestLogDetective = (
    Setup(make_logs)
    >> question
    >> LLMConversation()
    >> UntilDone(
        RegexEvaluator(r"(?m)^\W*ANSWER\W{0,3}:"),
        ExtractCode(lang="bash", keep_main=True)
        >> TerminalRun()
        >> PyFunc(cut)
        >> LLMConversation(next_turn),
        max_iters=8,
    )
    >> PyFunc(number_in_answer)
    >> ContainsIntEvaluator(43)
)

if __name__ == "__main__":
    print(run_test(TestLogDetective))
