"""Right and wrong work on data_turnstile: the machine itself, and machines of which a part is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from assay.records import Message
from evaluator import Call, Script

from ..data_turnstile import ASKED, BUTTONS, STATES, Machine, machine_of, sessions


class Answers:
    """What a machine says of the sessions that are asked, worked out when a trial asks for it."""

    def __init__(self, seed: int, wrong_states: int = 0, last: int = 99) -> None:
        self.seed, self.wrong_states, self.last = seed, wrong_states, last

    def __call__(self, messages: Sequence[Message]) -> Call | str:
        if messages[-1].role != "user":
            return "All lamps are told."
        machine = machine_of(self.seed)
        ways = list(machine.ways)
        for state in range(self.wrong_states):  # two buttons of these states taken for each other
            ways[state] = (ways[state][1], ways[state][0], *ways[state][2:])
        machine = Machine(tuple(ways), machine.lamps)
        text = "\n".join(
            machine.lamp(presses[-self.last :]) for presses in sessions(self.seed, "asked", ASKED)
        )
        return Call("shell", command=f"cat > lamps.txt <<'END_OF_FILE'\n{text}\nEND_OF_FILE")


def right(seed: int) -> list[object]:
    return [Answers(seed)]


def wrong(seed: int) -> list[object]:
    return [
        Answers(seed, STATES // 2),
        Answers(seed, 10),
        Answers(seed, last=4),
        Script(f"yes G | head -n {ASKED} > lamps.txt"),
        Script(f"grep -c {BUTTONS[0]} asked.txt > lamps.txt"),
        [Call("shell", command="head known.txt"), "The lamp is at random."],
    ]
