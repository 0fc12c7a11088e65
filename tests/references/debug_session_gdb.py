import re


def typed(command):
    return f"```\n{command}\n```"


def answer_of(messages, steps, found):
    turn = len(messages) // 2
    if turn < len(steps):
        return typed(steps[turn])
    seen = "\n".join(message.content for message in messages if message.role == "user")
    return f"It happens in skim, which goes one bin too far.\n\n**ANSWER**: {found(seen)}"


def watches(messages):
    """Misspells the field first; the watchpoint then stops at the 1000 of main and at the culprit."""
    steps = [
        "info functions",
        "start",
        "watch depot.limits",
        "watch depot.limit",
        "continue",
        "continue",
        "backtrace",
    ]

    def found(seen):
        return re.findall(r"\(step=(\d+)\)", seen)[-1] + ", " + re.findall(r"New value = (-?\d+)", seen)[-1]

    return answer_of(messages, steps, found)


def stops_late(messages):
    """Has no line to stop at; a condition at the start of work is true only one step too late, so it subtracts."""
    steps = [
        "list work",
        "ptype depot",
        "break work if depot.limit != 1000",
        "run",
        "print step",
        "print depot",
    ]

    def found(seen):
        late = int(re.search(r"\$1 = (\d+)", seen)[1])
        value = re.search(r"limit = (\d+)", seen)[1]
        return f"step {late - 1}, value: {value}"

    return answer_of(messages, steps, found)


def one_too_late(messages):
    """Reports the step in which the condition was seen to hold."""
    return re.sub(r"(?<=step )\d+(?=, value)", lambda found: str(int(found[0]) + 1), stops_late(messages))


def at_the_end(messages):
    """Looks only at what is left when the program is through."""
    steps = ["break work if step == 1700", "run", "print step", "print depot.limit"]

    def found(seen):
        return ", ".join(re.findall(r"\$\d = (\d+)", seen))

    return answer_of(messages, steps, found)


def first_stop(messages):
    """Takes the assignment in main for the change."""
    return answer_of(messages, ["start", "watch depot.limit", "continue"], lambda seen: "1, 1000")


RIGHT = {"TestDebugSessionGdb": [watches, stops_late]}

WRONG = {
    "TestDebugSessionGdb": [
        "",
        "ANSWER: a watchpoint on depot.limit would tell, step and value.",
        one_too_late,
        at_the_end,
        first_stop,
    ]
}
