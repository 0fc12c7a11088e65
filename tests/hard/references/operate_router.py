"""Right and wrong work on operate_router: the lost rules, and such as a hasty search finds."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator import Call, Script

from ..operate_router import rules_of


def _work(rules: Sequence[str]) -> Script:
    text = "\n".join(rules)
    return Script(f"cat > rules.conf <<'END_OF_FILE'\n{text}\nEND_OF_FILE")


def _halves(rule: str) -> list[str]:
    """A rule as two, by the size of the request."""
    conditions, _, pool = rule.partition("->")
    if not conditions or "size" in conditions:
        return [rule]
    return [f"{conditions}& size {part} ->{pool}" for part in ("0 2048", "2048 4096")]


def right(seed: int) -> list[Script]:
    rules = rules_of(seed)
    halves = [half for rule in rules[:10] for half in _halves(rule)]
    return [_work(rules), _work([*halves, *rules[10:]])]


def wrong(seed: int) -> list[object]:
    *rules, last = rules_of(seed)
    loose = [
        " & ".join(rule.partition(" -> ")[0].split(" & ")[:-1]) + " -> " + rule.split()[-1] for rule in rules
    ]
    return [
        _work([*reversed(rules), last]),
        _work([*sorted(rules), last]),
        _work([*loose, last]),
        _work([*rules[3:], last]),
        _work([last]),
        _work([*rules, *rules, last]),  # too many
        [Call("shell", command="head log.csv"), "The rules cannot be known."],
    ]
