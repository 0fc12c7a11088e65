"""Statements with quantifiers about two tables of operations."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial

from evaluator import *

from .replies import judge_chosen

DESCRIPTION = (
    "Can the model tell which of twenty statements with quantifiers hold in two small tables of operations?"
)
TAGS = ["medium", "reasoning", "logic"]

SIZE = 7
ITEMS = 20
Operation = Callable[[int, int], int]
# The words of a statement, and the statement as Python, in which f and g are the operations, S all elements,
# and a, b two constants.
POOL = {
    "For all x, y, z: (x*y)*z = x*(y*z).": "all(f(f(x,y),z)==f(x,f(y,z)) for x in S for y in S for z in S)",
    "For all x, y: if x*y = y*x, then x#y = y#x.": "all(g(x,y)==g(y,x) for x in S for y in S if f(x,y)==f(y,x))",
    "For all x, y: if x#y = y#x, then x*y = y*x.": "all(f(x,y)==f(y,x) for x in S for y in S if g(x,y)==g(y,x))",
    "For every x there is a y other than x with x*y = y*x.": "all(any(y!=x and f(x,y)==f(y,x) for y in S) for x in S)",
    "For every x there is a y other than x with x#y = y#x.": "all(any(y!=x and g(x,y)==g(y,x) for y in S) for x in S)",
    "There is an x such that for every y: x*(y#x) differs from y.": "any(all(f(x,g(y,x))!=y for y in S) for x in S)",
    "There is an x such that for every y: x#(y*x) differs from x.": "any(all(g(x,f(y,x))!=x for y in S) for x in S)",
    "For every x and y there is a z with x*z = z#y.": "all(any(f(x,z)==g(z,y) for z in S) for x in S for y in S)",
    "For every x there is a z such that for no y: x#y = z.": "all(any(all(g(x,y)!=z for y in S) for z in S) for x in S)",
    "For every z there are x and y with x different from y and x*y = y*x = z.": "all(any(x!=y and f(x,y)==f(y,x)==z for x in S for y in S) for z in S)",
    "For all x and y: if x*y = y, then y#x differs from x.": "all(g(y,x)!=x for x in S for y in S if f(x,y)==y)",
    "There are x, y and z, all different, with x*y = y*z = z*x.": "any(len({x,y,z})==3 and f(x,y)==f(y,z)==f(z,x) for x in S for y in S for z in S)",
    "There are x, y and z, all different, with x#y = y#z = z#x.": "any(len({x,y,z})==3 and g(x,y)==g(y,z)==g(z,x) for x in S for y in S for z in S)",
    "For every x: at least one of x*x, x#x, (x*x)#x equals {a} or {b}.": "all({f(x,x),g(x,x),g(f(x,x),x)}&{a,b} for x in S)",
    "For exactly two x the products x*{a} and x#{a} are equal.": "sum(f(x,a)==g(x,a) for x in S)==2",
    "For exactly two x the products {b}*x and x#{b} are equal.": "sum(f(b,x)==g(x,b) for x in S)==2",
    "There are at least five pairs (x, y) with x < y (as numbers) and x*y = y*x.": "sum(f(x,y)==f(y,x) for x in S for y in S if x<y)>=5",
    "There are at least five pairs (x, y) with x < y (as numbers) and x#y = y#x.": "sum(g(x,y)==g(y,x) for x in S for y in S if x<y)>=5",
    "There are more pairs (x, y) with x*y = x than pairs with x#y = y.": "sum(f(x,y)==x for x in S for y in S)>sum(g(x,y)==y for x in S for y in S)",
    "Starting at {a} and applying x -> x*{b} again and again, one never comes to {b}.": "b not in orbit(a, lambda x: f(x,b))",
    "Starting at {b} and applying x -> {a}#x again and again, one comes to {a} at some time.": "a in orbit(b, lambda x: g(a,x))",
    "Starting at {b} and applying x -> x*x again and again, one comes back to {b}.": "b in orbit(f(b,b), lambda x: f(x,x))",
    "The smallest set that contains {a} and {b} and is closed under * (if x and y are in it, so is x*y) has all seven elements.": "len(closed({a,b}, f))==7",
    "The smallest set that contains {a} and is closed under # (if x and y are in it, so is x#y) has at least five elements.": "len(closed({a}, g))>=5",
    "There is a set of exactly three elements that is closed under * (if x and y are in it, so is x*y).": "any(closed(set(c), f)==set(c) for c in triples)",
    "There is a set of exactly three elements that is closed under # (if x and y are in it, so is x#y).": "any(closed(set(c), g)==set(c) for c in triples)",
    "There is an x such that y -> x*y takes every value (is onto).": "any(len({f(x,y) for y in S})==7 for x in S)",
    "For every y the function x -> x#y takes at least four values.": "all(len({g(x,y) for x in S})>=4 for y in S)",
    "For every x the function y -> x*y takes at least four values.": "all(len({f(x,y) for y in S})>=4 for x in S)",
    "For all x: (x*x)*x = x*(x*x) or (x#x)#x = x#(x#x).": "all(f(f(x,x),x)==f(x,f(x,x)) or g(g(x,x),x)==g(x,g(x,x)) for x in S)",
    "For every x there is a y with (x*y)#x = y.": "all(any(g(f(x,y),x)==y for y in S) for x in S)",
    "For every y there is an x with (x*y)#x = y.": "all(any(g(f(x,y),x)==y for x in S) for y in S)",
}  # fmt: skip
PROMPT = """Two operations, * and #, on the numbers 0 to 6 are given by tables. The row is the left operand, the column the right
one: {x}*{y} = {star}, and {x}#{y} = {hash}.

{tables}

Which of these {items} statements are true? Unless it says otherwise, each variable ranges over all seven numbers, and variables
may be equal. "x < y" compares the numbers as usual.

{statements}

All of the statements must be judged rightly. Work it out without running any code. End your reply with a line that begins with
"True:" and has the numbers of the true statements, and of no others."""


def orbit(start: int, step: Callable[[int], int]) -> set[int]:
    """What one comes to from an element, itself included."""
    met = {start}
    while (start := step(start)) not in met:
        met.add(start)
    return met


def closed(of: set[int], operation: Operation) -> set[int]:
    """The smallest closed set that contains some elements."""
    while more := {operation(x, y) for x in of for y in of} - of:
        of = of | more
    return of


def holds(formula: str, f: Operation, g: Operation, a: int, b: int) -> bool:
    """Whether a formula of the pool is true of the operations."""
    S = range(SIZE)
    triples = [(x, y, z) for x in S for y in S for z in S if x < y < z]
    names = {"f": f, "g": g, "a": a, "b": b, "S": S, "triples": triples, "orbit": orbit, "closed": closed}
    return bool(eval(formula, names))  # only formulas of the pool


@cache
def puzzle(seed: int) -> tuple[list[list[int]], list[list[int]], list[str], list[bool]]:
    """Both tables, the statements, and which are true; eight to twelve are."""
    chance = random.Random(f"table {seed}")
    while True:
        star, mesh = ([[chance.randrange(SIZE) for _ in range(SIZE)] for _ in range(SIZE)] for _ in range(2))
        for table in (star, mesh):  # equal products both ways, and a closed set, are rare by chance
            for _ in range(5):
                x, y = chance.sample(range(SIZE), 2)
                table[x][y] = table[y][x]
            if chance.random() < 0.5:
                three = chance.sample(range(SIZE), 3)
                for x in three:
                    for y in three:
                        table[x][y] = chance.choice(three)
        words, truth = [], []
        for text, formula in chance.sample(sorted(POOL.items()), ITEMS):
            a, b = chance.sample(range(SIZE), 2)
            words.append(text.format(a=a, b=b))
            truth.append(holds(formula, lambda x, y, t=star: t[x][y], lambda x, y, t=mesh: t[x][y], a, b))  # type: ignore[misc]
        if 8 <= sum(truth) <= 12:
            return star, mesh, words, truth


def drawn(name: str, table: list[list[int]]) -> str:
    """A table as text."""
    head = f"    {name} | {' '.join(map(str, range(SIZE)))}\n    --+--------------\n"
    return head + "\n".join(f"    {x} | {' '.join(map(str, row))}" for x, row in enumerate(table))


def answer(seed: int) -> list[int]:
    """The numbers of the true statements."""
    return [number for number, true in enumerate(puzzle(seed)[3], 1) if true]


def build(seed: int) -> Node:
    """The test of a seed."""
    star, mesh, words, _ = puzzle(seed)
    question = PROMPT.format(
        x=2, y=5, star=star[2][5], hash=mesh[2][5], items=ITEMS,
        tables=drawn("*", star) + "\n\n" + drawn("#", mesh),
        statements="\n".join(f"{number}. {text}" for number, text in enumerate(words, 1)),
    )  # fmt: skip
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "True", partial(answer, seed), ITEMS))
