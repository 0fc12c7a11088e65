"""Right and wrong replies to judgement_bits. What is right is found by trying all values."""

from __future__ import annotations

import ast
from functools import cache

from ..judgement_bits import NUMBER, claims_of

SIGNS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "LShift": "<<",
    "RShift": ">>",
}


def _masked(node: ast.expr) -> str:
    """The source of an expression in which each result is cut to eight bits."""
    match node:
        case ast.Constant():
            return str(int(node.value) & 255)  # type: ignore[arg-type]
        case ast.Name():
            return node.id
        case ast.UnaryOp():
            return f"({'~' if isinstance(node.op, ast.Invert) else '-'}{_masked(node.operand)} & 255)"
        case ast.BinOp():
            return f"(({_masked(node.left)} {SIGNS[type(node.op).__name__]} {_masked(node.right)}) & 255)"
    raise ValueError(ast.dump(node))


def _source(text: str) -> str:
    return _masked(ast.parse(text.strip(), mode="eval").body)


@cache
def holds(claim: str, a: str, b: str) -> bool:
    """Whether a claim is true for all values."""
    for sign in ("==", "<="):
        if sign in claim:
            left, right = map(_source, claim.split(sign))
            test = f"all({left} {sign} {right} for {a} in range(256) for {b} in range(256))"
            return bool(eval(test))
    return len(eval(f"{{{_source(claim)} for {a} in range(256)}}")) == 256


def _right(seed: int) -> list[int]:
    claims, _, a, b = claims_of(seed)
    return [n for n, (claim, _) in enumerate(claims, 1) if holds(claim, a, b)]


def _reply(numbers: list[int]) -> str:
    return f"I went through them one by one.\n\nTrue: {', '.join(map(str, numbers))}"


def right(seed: int) -> list[str]:
    numbers = _right(seed)
    return [_reply(numbers), "True: I think\n\n**True:** " + " ".join(map(str, numbers)) + "."]


def wrong(seed: int) -> list[str]:
    numbers = _right(seed)
    others = [n for n in range(1, NUMBER + 1) if n not in numbers]
    return [
        _reply(numbers[1:]),
        _reply([*numbers, others[0]]),
        _reply([*range(1, NUMBER + 1)]),
        _reply(others),
        "All of them hold.",
    ]
