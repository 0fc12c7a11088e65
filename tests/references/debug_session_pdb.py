import re


def typed(command):
    return f"```\n{command}\n```"


def watches(messages):
    """Lists the source, sets a condition with a slip in it, mends it, and reads the answer off the screen."""
    steps = [
        "list 1, 40",
        "break apply, bank.balance[source] < amount",  # no such attribute: pdb stops at once and says so
        "continue",
        "condition 1 bank.balances[source] < amount",
        "continue",
        "p step, source",
    ]
    turn = len(messages) // 2
    if turn < len(steps):
        return typed(steps[turn])
    step, account = re.search(r"\((\d+), '(\w+)'\)", messages[-1].content).groups()
    return f"The condition held for the first time there.\n\nANSWER: {step}, {account}"


def stops_behind(messages):
    """Breaks on the line with the return, when the damage is done."""
    steps = [
        "where",
        "tbreak bank.py:19, min(bank.balances.values()) < 0",
        "c",
        "print(step, bank.balances)",
    ]
    turn = len(messages) // 2
    if turn < len(steps):
        return f"Next:\n```pdb\n{steps[turn]}\n```"
    step, balances = messages[-1].content.split("\n")[0].split(" ", 1)
    account = re.search(r"'(\w+)': -", balances)[1]
    return f"ANSWER: step {step}, account: {account}"


def at_the_end(messages):
    """Lets the program run through and takes the account that is lowest then."""
    steps = ["break bank.py:28", "continue", "p step, min(bank.balances, key=bank.balances.get)"]
    turn = len(messages) // 2
    if turn < len(steps):
        return typed(steps[turn])
    step, account = re.search(r"\((\d+), '(\w+)'\)", messages[-1].content).groups()
    return f"ANSWER: {step}, {account}"


RIGHT = {"TestDebugSessionPdb": [watches, stops_behind]}

WRONG = {
    "TestDebugSessionPdb": [
        "",
        "ANSWER: I would need to see the source.",
        at_the_end,
        # the step before, and the one who gets the money
        lambda messages: re.sub(r"ANSWER: (\d+)", lambda m: f"ANSWER: {int(m[1]) - 1}", watches(messages)),
        lambda messages: watches(messages).replace("p step, source", "p step, target"),
    ]
}
