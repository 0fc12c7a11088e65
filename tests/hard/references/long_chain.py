"""Right and wrong replies to long_chain. Everything is read from the prompt's text again, as tables of days."""

from __future__ import annotations

import re
from functools import cache

from ..long_chain import DAYS, asked_of

LINE = re.compile(r"(?m)^(\d+) day (\d+): (.*)$")
LAST = DAYS + 200  # crates may arrive later


@cache
def _answer(
    seed: int,
    *,
    voids: bool = True,
    loans: bool = True,
    travel: bool = True,
    late: bool = True,
    seals: bool = True,
    corrected: bool = True,
) -> dict[str, str]:
    """The answers; a hurried reader may forget rules."""
    text = asked_of(seed)
    lines = [(int(n), int(day), what) for n, day, what in LINE.findall(text)]
    void = {int(n) for n in re.findall(r"(?m): entry (\d+) is void$", text)} if voids else set()
    tables: dict[str, list[str]] = {}
    lent: list[tuple[str, str, int, int]] = []
    delays: list[tuple[str, int, int, int]] = []
    renewed: dict[str, str] = {}
    pieces: dict[str, int] = {}
    crates = []
    for number, day, what in lines:
        if number in void:
            continue
        if m := re.fullmatch(r"crate (\w+): (\d+) (\w+), badge (\d+), route (\w+), seal (\d+)", what):
            crates.append((day, m[1], m[3], m[4], m[5], m[6]))
            pieces.setdefault(m[1], int(m[2]))
        elif m := re.fullmatch(r"crate (\w+) holds (\d+) pieces", what):
            pieces[m[1]] = int(m[2]) if corrected else pieces.get(m[1], 0)
        elif m := re.fullmatch(r"(.+) is lent to crew (\w+) up to and including day (\d+)", what):
            lent.append((m[1], m[2], day, int(m[3])))
        elif m := re.fullmatch(r"crates for (\w+) packed on days (\d+) to (\d+) take (\d+) days more", what):
            delays.append((m[1], int(m[2]), int(m[3]), int(m[4])))
        elif m := re.fullmatch(r"seal (\d+) is replaced by seal (\d+)", what):
            renewed[m[1]] = m[2]
        elif m := re.fullmatch(
            r"(?:seals (\d\d)00 to .*office|(.+?) (?:goes to|joins crew|belongs to district)) (.+)", what
        ):
            table = tables.setdefault(m[1] or m[2], [""] * (LAST + 1))
            table[day:] = [m[3]] * (LAST + 1 - day)
    if loans:
        for person, crew, first, last in lent:
            for day in range(first, min(last, LAST) + 1):
                tables[person][day] = crew
    said = {}
    for name, goods, crews, districts, offices in re.findall(
        r"(?m)^(Q\d+): How many (\w+) in .* crew (.+) packed, .* district (.+), and .* office (.+)\?$", text
    ):
        total = 0
        for day, crate, its, badge, route, seal in crates:
            port, days = re.findall(r"(\w+) in (\d+) days", tables[f"route {route}"][day])[0]
            arrival = day + (int(days) if travel else 0)
            if late:
                arrival += sum(
                    more for to, first, last, more in delays if to == port and first <= day <= last
                )
            while seals and seal in renewed:
                seal = renewed[seal]
            fits = (
                its == goods
                and tables[tables[f"badge {badge}"][day]][day] in crews
                and tables[port][arrival] in districts
                and tables[seal[:2]][day] in offices
            )
            total += pieces[crate] if fits else 0
        said[name] = str(total)
    return said


def _said(said: dict[str, str], mark: str = "") -> str:
    return "I followed each crate.\n\n" + "\n".join(
        f"{mark}{name}{mark}: {each}" for name, each in said.items()
    )


def right(seed: int) -> list[str]:
    said = _answer(seed)
    return [_said(said), _said({name: f"{each} pieces" for name, each in said.items()}, "**")]


def wrong(seed: int) -> list[str]:
    said = _answer(seed)
    return [
        _said(_answer(seed, voids=False, late=False)),
        _said(_answer(seed, loans=False, seals=False)),
        _said(_answer(seed, travel=False, late=False, loans=False)),
        _said(_answer(seed, corrected=False)),
        _said({**said, "Q7": str(int(said["Q7"]) + 1)}),
        _said({name: each for name, each in said.items() if name != "Q12"}),
        "The journal does not tell.",
    ]
