"""A benchmark of its own: the class that a suite derives from, and what its author sees of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from assay.errors import TestFileError
from assay.extras import need, what_lacks
from assay.language.telling import names_in
from assay.mistakes import code_of, place
from assay.records import Cell, Table, TrialKey, TrialRecord
from assay.results.scores import Scale
from assay.suites.blame import blame, known_as
from assay.suites.exhibits import Figure, Page
from assay.suites.sample import Sample as Sample
from assay.suites.stored import Stored as Stored
from assay.suites.stored import StoredTrial as StoredTrial
from assay.suites.tiers import tiers_in, with_tier

T = TypeVar("T")
_END: Any = object()


class Suite:
    """A benchmark of its own. SUITE in tests/<name>/suite.py is a subclass or an instance of this class.

    A suite defines `name` and `samples`, and overrides other parts as it needs them.
    `options` are the parsed flags, `records` the suite's TrialRecords. The folder is a package: suite.py
    may say `from .problems import ...`.

    >>> class Sums(Suite):
    ...     name = "sums"
    ...     def samples(self, options):
    ...         yield Sample(id="sums.one", test="1 + 1?" >> LLMRun() >> ContainsIntEvaluator(2))
    """

    name: str = ""
    description: str = ""
    conditions: tuple[str, ...] = ()
    """Names of the flags that change what a trial means (a seed, a tolerance). Every record keeps their
    values, a run is not resumed with other values, and results with different values are never merged."""
    scores: Scale | None = None
    """(worst, best), if every test scores with a number between them. Records hold scores from 0, the worst,
    to 1, the best. Without a score, a PASS counts as the best and a FAIL as the worst."""
    extras: tuple[str, ...] = ()
    """Extras (names in assay.extras) that judging the trials needs."""
    figure_extras: tuple[str, ...] = ()
    """Extras that drawing the figures needs; that of `plotted` need not be named."""
    code: str = ""  # a hash of the files that define it; set by the harness
    folder: Path | None = None  # their folder; set by the harness
    defined_in: str = ""  # suite.py, if that is in a folder of tests; set by the harness

    def __init__(self, *parts: Any, **named: Any) -> None:
        """New suites pass no arguments. Suites written before Suite was a class pass their parts, with
        functions of `options` or `records` instead of methods."""
        given = dict(zip(_PARTS[: len(parts)], parts, strict=True)) | named
        if unknown := given.keys() - {*_PARTS, "code", "folder"}:
            raise TypeError(f"a Suite has no part {sorted(unknown)[0]!r}; its parts: {', '.join(_PARTS)}")
        for part, value in given.items():
            setattr(self, "flags" if part == "add_options" else part, value)

    def samples(self, options: Any) -> Iterable[Sample]:
        """The samples; use a generator if there are many."""
        raise NotImplementedError(f"suite {self.name} must define samples(self, options)")

    def flags(self, parser: Any) -> None:
        """Add the suite's flags to a group of an argparse parser."""

    def tables(self, records: Sequence[TrialRecord]) -> Iterable[Table]:
        """Tables for the report and the terminal."""
        return ()

    def figures(self, records: Sequence[TrialRecord]) -> Iterable[Figure]:
        """Figures for the report."""
        return ()

    def pages(self, records: Sequence[TrialRecord]) -> Iterable[Page]:
        """Further pages for the report."""
        return ()

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any] | None:
        """The replies of the oracle (`right`) or the saboteur to a test: variants as in a references file.
        None: they are in tests/<name>/references/suite.py."""
        return None

    def stored(self, path: Path, options: Any) -> Iterable[Stored] | None:
        """Read a file or folder of answers for `assay rescore`: one Stored for each model in it; None if the
        suite does not know the format."""
        return None

    def sample_for(self, record: TrialRecord, options: Any) -> Sample | None:
        """The current sample of a saved trial, for `assay rescore`. Override it if `samples(options)` may not
        contain that sample; `options` has the flags' defaults and the record's conditions. None: search
        `samples`."""
        return None

    def summary(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        """Facts about one Stored for `assay rescore --format json`."""
        return {}

    def aggregate(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        """A summary of a finished run: one line of aggregate.jsonl beside the run's file."""
        return {}

    def command(self, options: Any) -> int | None:
        """If the suite's own flags ask for something other than tests, do it and return the exit code."""
        return None

    def tiers(self) -> Mapping[str, str]:
        """The measured tiers of its tests and of those beside it. Raises TestFileError."""
        return tiers_in(self.folder.parent) if self.folder else {}

    def own(self, sample: Sample, tiers: Mapping[str, str] | None = None) -> Sample:
        """The sample with the suite's name, its scale of scores, its measured tier and a source. `tiers`:
        tiers(), if there are many samples."""
        if not isinstance(sample, Sample):
            raise TypeError(f"samples() must yield Sample, not {type(sample).__name__}")
        tags = with_tier(self.tiers() if tiers is None else tiers, sample.id, sample.tags)
        source = sample.source or self.defined_in
        if (sample.suite, sample.scores, sample.tags, sample.source) == (
            self.name,
            self.scores,
            tags,
            source,
        ):
            return sample
        return sample.but(suite=self.name, scores=self.scores, tags=tags, source=source)

    def owned(self, options: Any) -> Iterator[Sample]:
        """`samples(options)`, lazily, each as `own` makes it. Raises TestFileError."""
        tiers = self.tiers()
        return (self.own(sample, tiers) for sample in self.each_of("samples", Sample, options))

    def each_of(self, part: str, kind: type[T], *given: Any) -> Iterator[T]:
        """What the method `part` yields or returns, lazily, all of one kind. Raises TestFileError."""
        with blame(self.name, self.folder):
            found = getattr(self, part)(*given)
        code, several = code_of(self, part), isinstance(found, Iterable)
        its = f"{known_as(self.name)}: {place(code) if code else f'{part}()'} must yield {kind.__name__}"
        steps = iter(found if several else (found,))
        while True:
            with blame(self.name, self.folder):
                each = next(steps, _END)
            if each is _END:
                return
            if not (several and isinstance(each, kind)):
                others = "" if several else ", or return a list of them"
                raise TestFileError(f"{its}{others}, not {each if each is None else type(each).__name__}")
            yield each

    def defines(self, part: str) -> bool:
        """Whether the suite overrides the method `part`; if not, no records need to be read for it."""
        return part in vars(self) or getattr(type(self), part) is not getattr(Suite, part)

    def lacks(self) -> str:
        """What it needs and this Python lacks, with the command that installs it; '' for nothing."""
        return next(filter(None, map(what_lacks, self.extras)), "")

    def check_extras(self, *, draws: bool) -> None:
        """Raise ConfigError, with the command to install it, if a library is missing. `draws`: figures will
        be drawn too."""
        for extra in self.extras:
            need(extra, f"suite {self.name}")
        for extra in (self.figure_extras or self._plots()) if draws else ():
            need(extra, f"the report of suite {self.name}")

    def _plots(self) -> tuple[str, ...]:
        """The extra of `plotted`, if `figures` or a function that its file knows is in a file that names
        it."""
        figures = getattr(self.figures, "__func__", self.figures)
        known = [figures, *getattr(figures, "__globals__", {}).values()]
        codes = [each for each in known if isinstance(each, FunctionType)]
        named = any("plotted" in each.__globals__ or "plotted" in names_in(each.__code__) for each in codes)
        return ("plots",) if named and self.defines("figures") else ()


_PARTS = (  # positional order from before Suite became a base class
    "name", "description", "samples", "tables", "add_options", "figures", "pages", "references", "stored",
    "sample_for", "summary", "aggregate", "command", "conditions", "scores", "extras", "figure_extras",
)  # fmt: skip


def tables_by(suite: Suite, records: Sequence[TrialRecord]) -> list[Table]:
    """The suite's tables. Raises TestFileError if they fail, or cannot be shown."""
    tables = list(suite.each_of("tables", Table, records))
    for table in tables:
        for row in table.rows:
            odd = next((each for each in row if not isinstance(each, str | int | float | Cell | None)), None)
            if odd is not None or len(row) != len(table.columns):
                what = f"{odd!r:.60} is not a value" if odd is not None else f"it has {len(row)}"
                raise TestFileError(
                    f"{known_as(suite.name)}: a row of the table {table.title!r} needs {len(table.columns)} "
                    f"strings, numbers, Cells or None; {what}: {row!r:.80}"
                )
    return tables


def odd_id(sample: Sample) -> str:
    """What is wrong with the id of a sample of a suite of its own; '' for nothing. Saved results tell suites
    apart by other means, so it is no error: in tables and lists nobody can tell where the test comes from."""
    if sample.id.startswith(sample.suite):
        return ""
    suite, id = sample.suite, sample.id
    return f"{known_as(suite)}: the id {id!r} does not begin with the suite's name; write '{suite}.{id}'"
