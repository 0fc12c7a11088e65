"""Right and wrong replies to long_ledger, by a reader of the prompt's own words."""

import re
from functools import cache

from ..long_ledger import LEAD, prompt


def _answer(seed: int, rights: bool = True, nested: bool = True, last: bool = True) -> dict[str, int]:
    """Without `rights` every correction and withdrawal counts; without `nested` corrections and withdrawals of
    corrections and withdrawals are passed over; without `last` the first correction holds."""
    text = prompt(seed)
    log = {
        int(n): (who, said)
        for n, who, said in re.findall(
            r"^#(\d+) (\w+): (.*)$", text.partition("THE LOG")[2].partition("QUESTIONS")[0], re.M
        )
    }
    changes, approvals = {}, []
    for n, (who, said) in log.items():
        if found := re.fullmatch(r"#(\d+): make it (\d+)", said):
            changes[n] = (int(found[1]), int(found[2]))
        elif found := re.fullmatch(r"Forget #(\d+)", said):
            changes[n] = (int(found[1]), None)
        elif found := re.fullmatch(r"#(\d+) is fine", said):
            approvals.append((who, int(found[1])))

    @cache
    def holds(n: int) -> bool:
        if n in changes:
            about = changes[n][0]
            heard = {LEAD, log[about][0]}
            if rights and log[n][0] not in heard and not any(who in heard for who, k in approvals if k == n):
                return False
            if not nested and about in changes:
                return False
        return not any(holds(k) for k, (about, amount) in changes.items() if about == n and amount is None)

    def number(n: int, own: int) -> int:
        made = [k for k, (about, amount) in changes.items() if about == n and amount is not None and holds(k)]
        if not made:
            return own
        k = made[-1 if last else 0]
        return number(k, changes[k][1])

    stock = {}
    for goods, rest in re.findall(r"^(\w+): (\d+ in .*)$", text, re.M):
        for amount, house in re.findall(r"(\d+) in (the \w+)", rest):
            stock[goods, house] = int(amount)
    for n, (_, said) in log.items():
        found = re.fullmatch(r"(?:IN|OUT|MOVE): (\d+) (\w+)(?: from (the \w+))?(?: to (the \w+))?", said)
        if found and holds(n):
            amount = number(n, int(found[1]))
            if found[3]:
                stock[found[2], found[3]] -= amount
            if found[4]:
                stock[found[2], found[4]] += amount
    asked = re.findall(r"^(Q\d): (\w+) in (the \w+)$", text, re.M)
    return {name: stock[goods, house] for name, goods, house in asked}


def _said(said: dict[str, int], mark: str = "") -> str:
    return "I added the bookings up.\n\n" + "\n".join(
        f"{mark}{name}: {each}{mark}" for name, each in said.items()
    )


def right(seed: int) -> list[str]:
    said = _answer(seed)
    return [_said(said), _said(said, "**")]


def wrong(seed: int) -> list[str]:
    said = _answer(seed)
    return [
        _said(_answer(seed, rights=False)),
        _said(_answer(seed, nested=False)),
        _said(_answer(seed, last=False)),
        _said({**said, "Q4": said["Q4"] + 3}),
        _said({name: said[name] for name in list(said)[1:]}),
        "It depends on which corrections one believes.",
    ]
