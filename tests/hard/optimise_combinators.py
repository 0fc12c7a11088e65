"""Terms of a few odd combinators that rearrange their arguments as asked, as small as planted ones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import product

from evaluator import *

from .programs import Refused, last_block, lines_of

DESCRIPTION = "Can the model find terms of odd combinators that are as small as planted ones?"
TAGS = ["hard", "reasoning"]

TARGETS = 6
LETTERS = 6  # of a planted term
SPARE = 9  # letters more than all planted ones have
SMALLER = 4  # letters; no term of so many does
MOST_STEPS = 300
LARGEST = 400  # a term while it is reduced
VARIABLES = "abcde"
PROMPT = """Terms are made of letters and of application: if s and t are terms, (s t) is one. Blanks mean nothing, and parentheses may be left out where
application goes from the left: XYZ is ((XY)Z), and X(YZ)W is ((X(YZ))W). The capital letters are these combinators, with rules in which x, y,
z and w stand for any terms:

{rules}

A rule may be used anywhere in a term, again and again. The small letters a to e are variables, without rules.

Find for each number a term of combinators alone, without variables, that turns into the term at the right by the rules, when it is applied to the
variables as shown:

{targets}

For example, with a rule Nxy -> y(xx), the term NN would do for "? a -> a(NN)", and N(NN) for "? a -> a(NN(NN))".

Limits: all {count} terms together have at most {most} letters; it can be done with fewer. Each term, applied to its variables, must turn into
the right side in at most {steps} steps, in each of which a rule is used at the leftmost place where one can be used; on the way no term may be
larger than {largest} letters.

You cannot run anything. End your reply with one fenced code block of {count} lines, "1: TERM" to "{count}: TERM", and nothing else in it."""

Term = str | tuple["Term", "Term"]

COMPOSE = {
    "xyz": ["x(yz)", "y(xz)", "z(xy)", "z(yx)", "y(zx)"],
    "xyzw": ["xy(zw)", "xw(yz)", "x(yzw)", "z(xyw)"],
}
EXCHANGE = {"xyz": ["xzy", "yzx", "zxy", "zyx", "yxz"], "xyzw": ["xwyz", "xywz", "zxwy"]}
DOUBLE = {
    "xy": ["xyy", "y(xy)"],
    "xyz": ["xyzy", "xz(yz)", "xzyz", "y(xz)z", "xy(xz)"],
    "xyzw": ["x(yw)(zw)", "xy(xwz)"],
}
ERASE = {"xy": ["x", "y"], "xyz": ["xz", "yz", "zx"]}


def read(text: str, known: str) -> Term:
    """The term that a text is."""
    stack: list[Term | None] = [None]

    def put(term: Term) -> None:
        stack[-1] = term if stack[-1] is None else (stack[-1], term)

    for sign in text:
        if sign in "([":
            stack.append(None)
            if len(stack) > 60:
                raise Refused("too many parentheses")
        elif sign in ")]":
            inner = stack.pop() if len(stack) > 1 else None
            if inner is None:
                raise Refused(f"a parenthesis too many, or nothing within: {text[:80]!r}")
            put(inner)
        elif sign in known:
            put(sign)
        elif not sign.isspace():
            raise Refused(f"{sign!r} in {text[:80]!r}")
    if len(stack) != 1 or stack[0] is None:
        raise Refused(f"this is no term: {text[:80]!r}")
    return stack[0]


def shown(term: Term) -> str:
    """A term with as few parentheses as can be."""
    if isinstance(term, str):
        return term
    right = shown(term[1])
    return shown(term[0]) + (right if isinstance(term[1], str) else f"({right})")


Rules = dict[str, tuple[str, Term]]  # letter: variables, and what it turns into


def rules_of(chance: random.Random) -> Rules:
    """Five combinators: two that compose, one that exchanges, one that doubles, one that erases."""
    chosen: list[tuple[str, str]] = []
    for pool in (COMPOSE, EXCHANGE, DOUBLE, ERASE, COMPOSE):
        choices = [(left, right) for left, rights in pool.items() for right in rights]
        chosen.append(chance.choice([each for each in choices if each not in chosen]))
    names = chance.sample("ABDEFGHJLPQRTUVXZ", len(chosen))
    return {name: (left, read(right, "xyzw")) for name, (left, right) in zip(names, chosen, strict=True)}


def filled(body: Term, values: dict[str, Term]) -> Term:
    """A rule's right side with terms for its variables."""
    if isinstance(body, str):
        return values[body]
    return (filled(body[0], values), filled(body[1], values))


def size(term: Term) -> int:
    """Its letters."""
    count, todo = 0, [term]
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            count += 1
        else:
            todo += each
    return count


def step(rules: Rules, term: Term) -> Term | None:
    """The term after a step at the leftmost place; None if no rule can be used."""
    spine, head = list[Term](), term
    while not isinstance(head, str):
        spine.append(head[1])
        head = head[0]
    spine.reverse()
    if head in rules and len(spine) >= len(rules[head][0]):
        left, body = rules[head]
        new = filled(body, dict(zip(left, spine, strict=False)))
        for each in spine[len(left) :]:
            new = (new, each)
        return new
    for number, each in enumerate(spine):
        changed = step(rules, each)
        if changed is not None:
            spine[number] = changed
            new = head
            for part in spine:
                new = (new, part)
            return new
    return None


def normal(rules: Rules, term: Term, steps: int = MOST_STEPS, largest: int = LARGEST) -> Term | None:
    """What it turns into in the end; None if that takes too long or grows too large."""
    for _ in range(steps):
        new = step(rules, term)
        if new is None:
            return term
        if size(new) > largest:
            return None
        term = new
    return None


def applied(term: Term, count: int) -> Term:
    """A term applied to the first variables."""
    for name in VARIABLES[:count]:
        term = (term, name)
    return term


def letters(term: Term) -> str:
    return term if isinstance(term, str) else letters(term[0]) + letters(term[1])


def outcome(rules: Rules, term: Term) -> tuple[int, Term] | None:
    """With how many variables it turns into a term of variables alone, and which; None if it never does."""
    for count in range(2, len(VARIABLES) + 1):
        result = normal(rules, applied(term, count), 40, 40)
        if result is None:
            return None
        if not set(letters(result)) & set(rules):
            return count, result
    return None


def trees(names: str, count: int) -> Iterator[Term]:
    """All terms of so many letters."""
    if count == 1:
        yield from names
    for left in range(1, count):
        yield from product(list(trees(names, left)), list(trees(names, count - left)))


def random_term(chance: random.Random, names: str, count: int) -> Term:
    if count == 1:
        return chance.choice(names)
    left = chance.randint(1, count - 1)
    return (random_term(chance, names, left), random_term(chance, names, count - left))


Planted = tuple[int, Term, Term]  # how many variables, what it turns into, and a term that does


def targets_of(chance: random.Random, rules: Rules) -> list[Planted]:
    """Targets that no small term meets."""
    names = "".join(rules)
    easy = {outcome(rules, term) for count in range(1, SMALLER + 1) for term in trees(names, count)}
    found: dict[str, Planted] = {}
    for _ in range(3_000):
        term = random_term(chance, names, LETTERS)
        did = outcome(rules, term)
        if did is None or did in easy:
            continue
        count, result = did
        text = letters(result)
        if (
            count >= 3
            and len(set(text)) >= 3
            and 4 <= len(text) <= 9
            and (len(set(text)) == count or chance.random() < 0.2)
        ):
            found.setdefault(shown(result), (count, result, term))
        if len(found) == TARGETS:
            break
    return list(found.values())


@cache
def planted(seed: int) -> tuple[Rules, tuple[Planted, ...]]:
    """Rules and targets of a seed; some rules cannot do enough."""
    for attempt in range(1_000):
        chance = random.Random(f"combinators {seed} {attempt}")
        rules = rules_of(chance)
        targets = targets_of(chance, rules)
        if len(targets) == TARGETS:
            return rules, tuple(targets)
    raise ValueError(f"no targets for seed {seed}")


def most_of(seed: int) -> int:
    """How many letters are allowed."""
    return sum(size(term) for _, _, term in planted(seed)[1]) + SPARE


def terms_of(reply: str, names: str) -> dict[int, Term]:
    """The terms by number."""
    found: dict[int, Term] = {}
    for line in lines_of(last_block(reply)):
        numbered = re.fullmatch(r"(\d{1,3})\s*[:.)=]\s*(.{1,200})", line)
        if not numbered or int(numbered[1]) in found:
            raise Refused(f"this is no new line of the form NUMBER: TERM: {line[:80]!r}")
        found[int(numbered[1])] = read(numbered[2], names)
    return found


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of the targets that are met, halved if there are too many letters; passed if all are met with few enough."""
    rules, targets = planted(seed)
    try:
        said = terms_of(reply, "".join(rules))
    except Refused as why:
        return Score(0.0, False), str(why)
    wrong, total = [], 0
    for number, (count, result, _) in enumerate(targets, 1):
        term = said.get(number)
        total += size(term) if term else 0
        became = term and normal(rules, applied(term, count))
        if became != result:
            wrong.append(f"{number}: {shown(became)[:80] if became else 'nothing'}, not {shown(result)}")
    share, most = 1 - len(wrong) / len(targets), most_of(seed)
    told = f"{total} letters, {most} allowed" + "".join(f"\n{each}" for each in wrong)
    return Score(share if total <= most else share / 2, not wrong and total <= most), told


def build(seed: int) -> Node:
    """The test of a seed."""
    rules, targets = planted(seed)
    question = PROMPT.format(
        rules="\n".join(f"    {name}{left} -> {shown(body)}" for name, (left, body) in rules.items()),
        targets="\n".join(
            f"    {number}: ? {' '.join(VARIABLES[:count])} -> {shown(result)}"
            for number, (count, result, _) in enumerate(targets, 1)
        ),
        count=len(targets), most=most_of(seed), steps=MOST_STEPS, largest=LARGEST,
    )  # fmt: skip
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
