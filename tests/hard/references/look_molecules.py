"""Right and wrong replies to look_molecules: the lines of each bond are counted in the picture."""

from __future__ import annotations

from collections import Counter
from functools import cache

from ..look_molecules import TASK, VALENCES
from .pixels import Pixels

Formula = dict[str, int]


@cache
def _seen(seed: int) -> dict[str, tuple[Formula, int, int]]:
    """Of each molecule: its formula, the number of its double bonds, and that of its atoms with a letter."""
    pixels, found = Pixels(TASK.picture(seed)), {}
    for n, (name, (its, points)) in enumerate(TASK.molecules(seed).items()):
        middle = TASK.field * (n % TASK.columns + 0.5), TASK.field * (n // TASK.columns + 0.5)
        used: Counter[tuple[int, int]] = Counter()
        doubled = 0
        for bond in its.bonds:
            (ax, ay), (bx, by) = (points[spot] for spot in bond)
            x, y = middle[0] + (ax + bx) / 2, middle[1] + (ay + by) / 2
            across = (by - ay) / TASK.bond, (ax - bx) / TASK.bond
            steps = [n / 2 for n in range(-17, 18)]
            dark = [pixels.is_dark(x + step * across[0], y + step * across[1]) for step in steps]
            lines = sum(dark[n] and not dark[n - 1] for n in range(1, len(dark)))
            doubled += lines - 1
            used.update(dict.fromkeys(bond, lines))
        formula = Counter(its.atoms.values())
        formula["H"] = sum(VALENCES[element] - used[spot] for spot, element in its.atoms.items())
        found[name] = dict(formula), doubled, formula.total() - formula["C"] - formula["H"]
    return found


def _written(formula: Formula) -> str:
    return " ".join(f"{element}{formula[element]}" for element in sorted(formula) if formula[element])


def _said(formulas: dict[str, Formula], mark: str = "") -> str:
    lines = (f"{mark}{name}{mark}: {_written(formula)}" for name, formula in formulas.items())
    return "Atom by atom:\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    formulas = {name: formula for name, (formula, _, _) in _seen(seed).items()}
    small = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    lines = (
        f"- **{name}**: {_written(each).replace(' ', '').translate(small)}" for name, each in formulas.items()
    )
    return [_said(formulas), "\n".join(lines)]


def wrong(seed: int) -> list[str]:
    seen = _seen(seed)
    formulas = {name: formula for name, (formula, _, _) in seen.items()}
    last, (formula, _, _) = [*seen.items()][-1]
    return [
        _said({**formulas, last: {**formula, "H": formula["H"] + 2}}),
        _said({**formulas, last: {**formula, "C": formula["C"] - 1}}),
        _said({name: {**its, "H": its["H"] + 2 * doubled} for name, (its, doubled, _) in seen.items()}),
        # atoms with a letter that are counted as carbon, too
        _said({name: {**its, "C": its["C"] + letters} for name, (its, _, letters) in seen.items()}),
        "A: a molecule",
    ]
