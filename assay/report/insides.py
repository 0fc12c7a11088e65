"""What was in the sandboxes that the trials shown ran in, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.records import Table, TrialRecord
from assay.results.insides import NAMED

PREFIX = f"{NAMED} "


def versions_table(records: Iterable[TrialRecord]) -> Table | None:
    """A column for each kind of sandbox; None where no record tells of one."""
    kinds: dict[tuple[tuple[str, str], ...], dict[str, None]] = {}  # what is inside -> models
    known: dict[int, tuple[tuple[str, str], ...]] = {}  # records of a run share their versions
    for record in records:
        inside = known.get(id(record.versions))
        if inside is None:
            inside = known[id(record.versions)] = _inside(record.versions)
        if inside:
            kinds.setdefault(inside, {})[record.model] = None
    if not kinds:
        return None
    each = [(dict(inside), list(models)) for inside, models in kinds.items()]
    names = sorted({name for inside, _ in each for name in inside} - {"tier"}, key=_order)
    rows = [(name, *(inside.get(name) for inside, _ in each)) for name in names]
    rows.append(("trials of", *(", ".join(models) for _, models in each)))
    heads = [inside.get("tier", "sandbox") for inside, _ in each]
    return Table("Versions in the sandbox", ("what", *heads), tuple(rows), sortable=False, compact=True)


def _inside(versions: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.removeprefix(PREFIX), version) for name, version in versions.items() if name.startswith(PREFIX)
    )


def _order(name: str) -> tuple[int, str]:
    first = ("image", "kernel", "python")
    return (first.index(name) if name in first else len(first), name)
