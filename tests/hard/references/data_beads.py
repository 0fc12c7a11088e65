"""Right and wrong work on data_beads: beads restored by all rules, by the short ones only, and by guesses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.records import Message
from evaluator import Call, Script

from ..data_beads import COLOURS, DAMAGED, LOST, Rule, order_of, rules_of, strings


def restored(seed: int, rules: Sequence[Rule]) -> Iterator[str]:
    """The lost beads as far as the rules say, else as the first colour."""
    for line in strings(seed)[1]:
        lost = [at for at, bead in enumerate(line) if bead == "?"]
        beads = [max(0, COLOURS.find(bead)) for bead in line]
        for rule, place in order_of(rules, lost):
            rule.fill(beads, place)
        yield "".join(COLOURS[beads[at]] for at in lost)


class Restoring:
    """Work that is done when the trial asks for it: making 6500 strings takes a while."""

    def __init__(self, seed: int, longest: int, left_out: int = 0, turned: bool = False) -> None:
        self.seed, self.longest, self.left_out, self.turned = seed, longest, left_out, turned

    def __call__(self, messages: Sequence[Message]) -> Call | str:
        if messages[-1].role != "user":
            return "All beads are restored."
        rules = [rule for rule in rules_of(self.seed) if len(rule.places) <= self.longest][self.left_out :]
        lines = [line[::-1] if self.turned else line for line in restored(self.seed, rules)]
        text = "\n".join(lines)
        return Call("shell", command=f"cat > restored.txt <<'END_OF_FILE'\n{text}\nEND_OF_FILE")


def right(seed: int) -> list[object]:
    return [Restoring(seed, 8)]


def wrong(seed: int) -> list[object]:
    return [
        Restoring(seed, 5),
        Restoring(seed, 6),
        Restoring(seed, 7),
        Restoring(seed, 8, left_out=3),
        Restoring(seed, 8, turned=True),
        Script(f"yes {COLOURS[0] * LOST} | head -n {DAMAGED} > restored.txt"),
        [Call("shell", command="head whole.txt"), "The beads are at random."],
    ]
