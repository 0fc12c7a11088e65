"""What the oracle (right) and the saboteur (wrong) submit: scripts that are run for real.

Right are a good script, one that crashes first and is mended after the feedback, and one that gets worse with
each submission. Wrong are a naive script, and two that never work; together they show every kind of failure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from assay.records import Message, TrialKey

from .learn_tasks import EVERY

SCRIPTS = Path(__file__).parent / "scripts"
Reply = Callable[[tuple[Message, ...]], str]

# The two that train a network for minutes: shorter, and still well above the floor.
QUICKER = {
    "shapes_hard": ("STEPS, BATCH = 48, 700", "STEPS, BATCH = 48, 300"),
    "shuffle_easy": ("EPOCHS, BATCH = 24", "EPOCHS, BATCH = 8"),
}
DONE = "I keep the script above; there is nothing that I would change."
PREDICT = 'with open("results/test_preds.txt", "w") as out:\n    out.write({})\n'
NO_FILE = 'print("The predictions are", [1, 2, 3])\n'
BAD_FORMAT = PREDICT.format('"circle\\n" * 1000')
NO_MEMORY = "import numpy as np\n\nx = np.ones((1 << 20, 1 << 20))\nprint(x.shape)\n"
TOO_SLOW = 'import time\n\nprint("training", flush=True)\nwhile True:\n    time.sleep(1)\n'


def script(name: str) -> str:
    """A script of this folder, whole: what it includes stands in it."""
    text = (SCRIPTS / f"{name}.py").read_text()
    return text.replace("# include solve.py\n", (SCRIPTS / "solve.py").read_text())


def quick(task: str) -> str:
    """The task's good script, or a shorter training of it."""
    long, short = QUICKER.get(task, ("", ""))
    text = script(task)
    if long and long not in text:
        raise ValueError(f"scripts/{task}.py no longer says {long!r}")
    return text.replace(long, short)


def all_wrong(task: str) -> str:
    """A script whose predictions have the right form, and are all wrong."""
    rows, width = EVERY[task].shape
    return PREDICT.format(repr(" ".join(["-1"] * width) + "\n") + f" * {rows}")


def answer(code: str, words: str = "Here is my script.") -> str:
    """A reply with a script in it."""
    return f"{words}\n\n```python\n{code.rstrip()}\n```"


def dialogue(*replies: str) -> Reply:
    """These replies in order, then no more code. It goes by the dialogue, so a run can be taken up anywhere."""

    def reply(messages: tuple[Message, ...]) -> str:
        turn = sum(message.role == "assistant" for message in messages)
        return replies[turn] if turn < len(replies) else DONE

    return reply


def references(trial: TrialKey, right: bool) -> Sequence[Reply]:
    """The variants of one task: for epoch 1, 2 and 3."""
    task = trial.test.rpartition(".")[2]
    if right:
        crash = quick(task).replace('"data/', '"dat/', 1).replace('f"data/', 'f"dat/', 1)
        return (
            dialogue(answer(script(task))),
            dialogue(answer(crash), answer(quick(task), "The folder's name was wrong.")),
            dialogue(
                answer(quick(task)),
                answer(script(f"naive_{task}"), "Simpler is better."),
                answer(all_wrong(task)),
            ),
        )
    return (
        dialogue(answer(script(f"naive_{task}"))),
        dialogue("I would train a network.", answer(NO_FILE), answer(BAD_FORMAT), answer(all_wrong(task))),
        dialogue(answer("import secret_library\n"), answer(NO_MEMORY), answer(TOO_SLOW)),
    )
