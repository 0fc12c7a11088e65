"""Hard: tests that tell strong models apart, of thirteen kinds (docs/hard.md).

A family is a file KIND_NAME.py with `DESCRIPTION`, `TAGS` and `build(seed)`, which makes the test of a seed, or
`build()` where there is only one. Its references stand in references/, in a file of the same name: `right` and
`wrong`, functions with the same parameter that return variants.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import inspect
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.records import Table, TrialKey, TrialRecord
from assay.suites.suite import Sample, Suite

from .tables import tables

FOLDER = Path(__file__).parent
KINDS = (
    "repair", "extend", "operate", "reverse", "optimise", "exact", "concurrent", "numeric", "data", "look",
    "judgement", "long", "learn",
)  # fmt: skip
SEED = 1
"""The published seed: its prompts and references lie open, so a model may have learnt them."""


def families() -> list[str]:
    """The names of all families, KIND_NAME, by kind and name."""
    found = [path.stem for path in FOLDER.glob("*_*.py") if path.stem.partition("_")[0] in KINDS]
    return sorted(found, key=lambda name: (KINDS.index(name.partition("_")[0]), name))


def module_of(family: str) -> ModuleType:
    """The file of a family."""
    return import_module(f"{__package__}.{family}")


def is_seeded(function: Any) -> bool:
    """Whether a `build`, `right` or `wrong` makes something else for each seed."""
    return bool(inspect.signature(function).parameters)


def made(function: Any, seed: int) -> Any:
    """What it makes for a seed."""
    return function(seed) if is_seeded(function) else function()


_test = lru_cache(64)(made)  # a run goes through its samples several times; more would take too much memory


def modules_of(family: str) -> list[str]:
    """The family's module and those of this folder that it imports, directly or not."""
    found: list[str] = []
    todo = [family]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.append(name)
        todo += _imported(name)
    return sorted(found)


@cache
def _imported(name: str) -> list[str]:
    """The modules of this folder that a module imports itself."""
    nodes = ast.walk(ast.parse((FOLDER / f"{name}.py").read_bytes()))
    return [each.module for each in nodes if isinstance(each, ast.ImportFrom) and each.level and each.module]


@cache
def _code(family: str) -> str:
    """A hash of the files that decide what a family asks and how it judges."""
    paths = []
    for name in modules_of(family):
        data = (path for path in (FOLDER / "files" / name).rglob("*") if path.is_file())
        paths += [FOLDER / f"{name}.py", *sorted(data)]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


class Hard(Suite):
    """Its samples are the families by the published seed and, with --hard-seed, by another one as well."""

    name = "hard"
    description = "Tests that tell strong models apart, of thirteen kinds."

    def samples(self, options: Any) -> Iterator[Sample]:
        """Each family; one of another seed is called FAMILY@SEED, so that both stand side by side."""
        for family in families():
            module = module_of(family)
            seeds = {SEED: f"hard.{family}"}
            if is_seeded(module.build) and options.hard_seed:
                seeds.setdefault(options.hard_seed, f"hard.{family}@{options.hard_seed}")
            for seed, name in seeds.items():
                yield Sample(
                    id=name,
                    test=partial(_test, module.build, seed),  # type: ignore[arg-type]
                    source=f"tests/hard/{family}.py",
                    description=module.DESCRIPTION,
                    tags=(*module.TAGS, family.partition("_")[0]),
                    deterministic=getattr(module, "DETERMINISTIC", False),
                    requires=tuple(getattr(module, "REQUIRES", ())),
                    fingerprint=f"{_code(family)}-{seed}",
                    extra={"family": family, "seed": seed},
                    time_limit_s=getattr(module, "TIME_LIMIT_S", None),
                )

    def flags(self, parser: Any) -> None:
        """The suite's flags."""
        parser.add_argument(
            "--hard-seed", type=_seed, metavar="N",
            help="ask each family also by another seed, whose answers nobody can have learnt",
        )  # fmt: skip

    def sample_for(self, record: TrialRecord, options: Any) -> Sample | None:
        """The sample of a saved trial, of whatever seed."""
        options.hard_seed = record.extra.get("seed")
        return next((each for each in self.samples(options) if each.id == record.test), None)

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any]:
        """The variants of a family's references."""
        family, _, seed = trial.test.removeprefix("hard.").partition("@")
        module = import_module(f"{__package__}.references.{family}")
        return list(made(module.right if right else module.wrong, int(seed or SEED)))

    def tables(self, records: Sequence[TrialRecord]) -> Iterable[Table]:
        return tables(records)


SUITE = Hard
