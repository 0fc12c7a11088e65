import re


def bash(command):
    return f"```bash\n{command}\n```"


ACCEPTED = "grep 'status=202' logs/gateway.log | grep -o 'id=[0-9a-f]*' | cut -d= -f2 | sort"
STORED = "grep 'result=OK' logs/storage.log | grep -o 'up/[0-9a-f]*' | cut -d/ -f2 | sort"


def number_on_screen(messages):
    return re.findall(r"\d+", messages[-1].content.split("The next command")[0])[-1]


def compares_ids(messages):
    """First compares ids in different spelling, notices that nothing fits, and looks closer."""
    steps = [
        "ls -l logs; head -n 3 logs/*",
        "comm -12 <("
        + ACCEPTED
        + ") <(grep -o '\\[[0-9A-F]*\\]' logs/worker.log | tr -d '[]' | sort -u) | wc -l",
        "cut -d' ' -f4- logs/storage.log | sort | uniq -c; grep -c 'gave up' logs/worker.log",
        f"comm -23 <({ACCEPTED}) <({STORED}) | wc -l",
    ]
    turn = len(messages) // 2
    return bash(steps[turn]) if turn < len(steps) else f"ANSWER: {number_on_screen(messages)}"


def uses_python(messages):
    program = """python3 - <<'END'
import re
gateway = open("logs/gateway.log").read()
storage = open("logs/storage.log").read()
accepted = set(re.findall(r"id=(\\w+) status=202", gateway))
stored = set(re.findall(r"up/(\\w+) result=OK", storage))
print(len(accepted), "accepted", len(accepted - stored))
END"""
    if len(messages) == 1:
        return bash('tail -n 2 logs/*.log; echo "ANSWER: $(grep -c 202 logs/gateway.log)?"')
    return (
        bash(program)
        if len(messages) == 3
        else f"So it is clear.\n\n**ANSWER**: {number_on_screen(messages)} uploads"
    )


def after(command):
    """One command, whose last number is taken for the answer."""

    def replies(messages):
        return bash(command) if len(messages) == 1 else f"ANSWER: {number_on_screen(messages)}"

    return replies


RIGHT = {"TestLogDetective": [compares_ids, uses_python]}

WRONG = {
    "TestLogDetective": [
        "",
        "ANSWER: I can't see your logs.",
        after("grep -c 'gave up' logs/worker.log"),  # half of them
        after(
            f"comm -23 <({ACCEPTED}) <({STORED.replace('result=OK', 'write')}) | wc -l"
        ),  # an error is no success
        after("grep -c 'result=ERROR' logs/storage.log"),  # most were written in a second try
        lambda messages: bash("echo ANSWER 43"),  # never answers
    ]
}
