from evaluator import *

DESCRIPTION = "Can an agent find in rotated, compressed logs what went wrong, and tell it exactly?"
TAGS = ["bash", "agent"]

question = """logs/ has the logs of a shop, oldest in the file with the highest number; some are compressed. A line is a time, a level, the
id of a request and a text. Somewhere a payment was taken twice: a request has two lines "charged". Find all such requests.
Write them to answer.txt: one line each, the id, a blank and the time between its two charges in whole seconds, in the order of
their first charges. Don't change the logs."""


def make_logs():
    import gzip
    import os
    import random
    import time

    random.seed(7)
    os.makedirs("logs")
    twice = {"r1042": 61, "r2077": 3, "r3999": 7200}
    events = []
    for number in range(4000):
        at = 1_717_400_000 + number * 9 + random.randrange(9)
        name = f"r{number}"
        events.append((at, name, "started"))
        if number % 3 == 0 or name in twice:
            events.append((at + 1, name, "charged"))
        if number % 97 == 0:
            events.append((at + 2, name, "not charged: declined"))
        if number % 101 == 0:
            events.append((at + 3, name, "refund of what was charged"))
        if name in twice:
            events.append((at + 1 + twice[name], name, "charged"))
    events.sort()
    size = len(events) // 5 + 1
    for place in range(5):
        lines = []
        for at, name, text in events[place * size : (place + 1) * size]:
            when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
            lines.append(f"{when} INFO {name} {text}\n")
        number = 4 - place
        data = "".join(lines).encode()
        if number >= 2:
            with gzip.open(f"logs/shop.log.{number}.gz", "wb") as file:
                file.write(data)
        else:
            with open("logs/shop.log" + (f".{number}" if number else ""), "wb") as file:
                file.write(data)


def found():
    with open("answer.txt") as file:
        lines = file.read().splitlines()
    return lines == ["r1042 61", "r2077 3", "r3999 7200"], f"answer.txt has {lines[:5]}"


TestOperateLogs = (
    Setup(make_logs)
    >> question
    >> AgentRun([Shell()], max_turns=25)
    >> PyEvaluator(found, files=["answer.txt"])
)

if __name__ == "__main__":
    print(run_test(TestOperateLogs))
