"""Right and wrong work on operate_cables: the links as photographed, and a program of its own for the changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.records import Message
from evaluator import Call, Script

from ..operate_cables import KINDS, after, changes, links_of, plugged

SOLVER = """
cables = [list(line.split()) for line in LINKS.splitlines()]
def find(socket):
    return next(((cable, cable.index(socket)) for cable in cables if socket in cable), None)
done = []
for line in open("changes.log"):
    kind, *at = line.split()
    if kind == "undo":
        cables = done.pop() if done else cables
        continue
    done.append([list(cable) for cable in cables])
    ends = [find(socket) for socket in at]
    if kind == "cut" and ends[0]:
        cables.remove(ends[0][0])
    if kind == "swap" and all(ends):
        for (cable, place), socket in zip(ends, reversed(at)):
            cable[place] = socket
    if kind == "move" and ends[0] and not ends[1]:
        ends[0][0][ends[0][1]] = at[1]
with open("links.txt", "w") as out:
    for cable in cables:
        print(*cable, file=out)
"""


class Work:
    """Work that is done when a trial asks for it, since it takes a while to lay the cables."""

    def __init__(self, seed: int, mixed: int = 0, kinds: Sequence[str] = (), turned: bool = False) -> None:
        self.seed, self.mixed, self.kinds, self.turned = seed, mixed, kinds, turned

    def __call__(self, messages: Sequence[Message]) -> Call | str:
        if messages[-1].role != "user":
            return "All cables are listed."
        begin: Mapping[str, str] = plugged(self.seed)
        pairs = sorted(tuple(sorted(pair)) for pair in links_of(begin))
        for n in range(self.mixed):  # followed the wrong way where they cross
            (a, b), (c, d) = pairs[n : n + 2]
            pairs[n : n + 2] = [(a, d), (c, b)]
        if self.kinds:
            now = after(begin, changes(self.seed), self.kinds)
            text = "\n".join(" ".join(sorted(pair)) for pair in links_of(now))
            return Call("shell", command=f"cat > links.txt <<'END_OF_FILE'\n{text}\nEND_OF_FILE")
        text = "\n".join(" ".join(pair) for pair in pairs)
        head = f"LINKS = '''{text}'''\n"
        return Call("shell", command=f"cat > /tmp/solve.py <<'END'\n{head}{SOLVER}END\npython3 /tmp/solve.py")


def right(seed: int) -> list[object]:
    return [Work(seed), Work(seed, kinds=KINDS)]


def wrong(seed: int) -> list[object]:
    return [
        Work(seed, mixed=3),
        Work(seed, mixed=9),
        Work(seed, kinds=("move", "swap", "cut")),
        Work(seed, kinds=("swap", "cut", "undo")),
        Script("head -n 40 changes.log > links.txt"),
        [Call("shell", command="cat changes.log"), "The cables cannot be followed."],
    ]
