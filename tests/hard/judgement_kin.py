"""Graphs that agree in all that is counted easily: which of them are the same but for the names of their points?"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache, partial
from string import ascii_lowercase

from evaluator import *

DESCRIPTION = (
    "Can the model tell which of sixteen graphs are the same but for names, where simple counts agree?"
)
TAGS = ["hard", "reasoning", "math"]

MOST = 400  # characters of a line that are read
# Found by a search: no two are the same, but in all of them each point has three lines, there are no circles of fewer than five lines and the
# same number of six, and as many points are on none, two or four circles of five (counted in both directions).
POOL = (
    "ah ai al bc bd bh cl cq de dk eg eo fk fq fr gp gr hp ij ir jk jo lm mn mo np nq",
    "ac ad al bc bg bh cm de dq en eo fi fj fr gk gq hl hp im ip jk jo kn lr mn op qr",
    "ae ah ak bf bi br cl cn cq df dj dm eo eq fg gk gl hi hp io jq jr kn lp mn mo pr",
    "ab ad ar be bm cg ch co dk dn eg ej fj fk fp gl hi hr ik iq jr ln lp mn mq op oq",
    "ab ac ae bj bp cf cr dl dn do el eq fm fn gi gm go hi hj hk iq jm kp kr lr nq op",
    "af ag aq bd bf bk cg cl co dn dr eg eh ep fj hl hn ij il ir jm km ko mp nq oq pr",
    "ad aj ar bc bf bn ch cl df dm eh ej ek fk go gp gq hp ij il im ko lq mo np nr qr",
    "aj ao ap bi bl bp cl cq cr dm do dq eg ep er fh fj fk gk gn hi hm in jr ko lm nq",
    "ac ao ar bj bo bp ce ch de dp dq ej fj fk fm gm gq gr hk hq im in ip kl ln lo nr",
    "ae ah ap bm bp br cd cl cp dg do ej ek fh fl fq gn gq hi ik ir jl jo kn mn mo qr",
)
PROMPT = """Each of these {count} graphs has {points} points, a to {last}, and {lines} lines; "ab" is a line between a and b.

{graphs}

Two graphs are of the same kind if the points of one can be renamed, each to another name or the same, so that its lines become exactly those of the other. Divide the {count} graphs into
kinds. Work it out without running any code. End your reply with a line that begins with "Kinds:" and has the numbers of all graphs, those of a kind together and a slash
between kinds, such as "Kinds: 1 4 / 2 / 3 5 6". It passes if exactly the graphs of the same kind stand together."""

Graph = tuple[str, ...]  # its lines


def renamed(graph: Graph, chance: random.Random) -> Graph:
    """The graph with other names, its lines in another order."""
    points = sorted(set("".join(graph)))
    names = dict(zip(points, chance.sample(points, len(points)), strict=True))
    return tuple(sorted("".join(sorted(names[point] for point in line)) for line in graph))


@dataclass(frozen=True)
class Kin:
    """`count` graphs of `kinds` kinds."""

    name: str
    count: int
    kinds: int

    @cache  # noqa: B019 - there are one or two of them
    def graphs(self, seed: int) -> tuple[tuple[int, Graph], ...]:
        """Graphs, each with its place in the pool."""
        chance = random.Random(f"{self.name} {seed}")
        kinds = chance.sample(range(len(POOL)), self.kinds)
        chosen = kinds + chance.choices(kinds, k=self.count - self.kinds)
        chance.shuffle(chosen)
        return tuple((kind, renamed(tuple(POOL[kind].split()), chance)) for kind in chosen)

    def wanted(self, seed: int) -> set[frozenset[int]]:
        """The kinds, as numbers of graphs."""
        kinds: dict[int, set[int]] = {}
        for n, (kind, _) in enumerate(self.graphs(seed), 1):
            kinds.setdefault(kind, set()).add(n)
        return {frozenset(each) for each in kinds.values()}

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The share of kinds that are named exactly; passed if all are, and no more."""
        wanted = self.wanted(seed)
        lines = [line[:MOST] for line in re.sub(r"[*_`]", "", reply).splitlines()]
        found = [
            line.partition(":")[2] for line in lines if re.match(r"[\s#>-]*kinds\s*:", line, re.IGNORECASE)
        ]
        parts = re.split(r"[/|;]", found[-1]) if found else []
        said = [frozenset(map(int, re.findall(r"\b[0-9]{1,3}\b", part))) for part in parts]
        said = [each for each in said if each]
        right = len(wanted & set(said))
        told = " / ".join(" ".join(map(str, sorted(each))) for each in sorted(wanted, key=min))
        return Score(
            right / max(len(wanted), len(said)), set(said) == wanted and len(said) == len(wanted)
        ), told

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        graphs = [graph for _, graph in self.graphs(seed)]
        points = len(set("".join(graphs[0])))
        question = PROMPT.format(
            count=self.count,
            points=points,
            last=ascii_lowercase[points - 1],
            lines=len(graphs[0]),
            graphs="\n".join(f"{n:>4}: {' '.join(graph)}" for n, graph in enumerate(graphs, 1)),
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Kin("kin", count=16, kinds=6)
build = TASK.build
