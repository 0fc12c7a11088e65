"""What the terminal, the report and the Markdown show: the leaderboard and what it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from assay.records import Cell, Table, TrialRecord, Value

from .facts import Problem, problems
from .languages import LANGUAGES, PUBLISHED, title_of
from .leaderboard import WEIGHTS, Ranked, Row, billions, bits_of, ranked
from .series import Series, series_of, series_sizes

NOTE = (
    "PE-Bench is the mean of the points of the solved problems; a problem is worth participants / solved_by "
    "points, so the average participant scores 1. W is the mean of the languages' scores, weighted "
    + ", ".join(f"{title_of(name)} {weight}" for name, weight in WEIGHTS.items())
    + "; Eco-Score = 100 W / GB, and GB = parameters × bits / 8."
)
DECADE = 10


def scored_series(
    records: Sequence[TrialRecord], known: Mapping[int, Problem], size: int | None = None
) -> list[Series]:
    """As series_of, in the order of the languages' table."""
    order = list(LANGUAGES)
    found = series_of(records, known, size)
    return sorted(
        found, key=lambda each: order.index(each.language) if each.language in order else len(order)
    )


def row_of(
    model: str, its: Sequence[Series], about: Mapping[str, object], known: Mapping[int, Problem]
) -> Row:
    """A model's row of the leaderboard. `about`: what its server says of it (TrialRecord.about)."""
    context = about.get("context_length")
    return Row(
        model,
        billions(str(about.get("parameter_size") or "")),
        bits_of(str(about.get("quantization") or "")),
        context / 1024 if isinstance(context, (int, float)) and context > 0 else None,
        {each.language: each.score(known) for each in its},
    )


def leaderboard(
    records: Sequence[TrialRecord], known: Mapping[int, Problem], size: int | None = None
) -> tuple[list[Ranked], list[Series]]:
    """The ranked rows of every model that has a score in the series, and the scores behind them."""
    series = scored_series(records, known, size)
    about = {record.model: record.about for record in records if record.about}
    models = dict.fromkeys(each.model for each in series)
    rows = (row_of(m, [s for s in series if s.model == m], about.get(m, {}), known) for m in models)
    return ranked(rows), series


def tables(records: Sequence[TrialRecord]) -> Iterable[Table]:
    """Leaderboard, the newer formula's, each model and language, and who solved what."""
    known = problems()
    series = scored_series(records, known)
    if not series:
        return
    for size in series_sizes({number for each in series for number in each.solved}):
        rows, its = leaderboard(records, known, size)
        title = "Leaderboard" if size == 100 else f"Leaderboard of the first {size} problems"
        yield leaderboard_table(rows, {(each.model, each.language): each for each in its}, title)
    rows, _ = leaderboard(records, known)
    if any(each.row.newer_memory for each in rows):
        yield newer_table(rows)
    yield series_table(series, records, known)
    yield solved_table([each.row.model for each in rows], series)


def leaderboard_table(
    rows: Sequence[Ranked], series: Mapping[tuple[str, str], Series], title: str = "Leaderboard"
) -> Table:
    """The published table's columns. `series`: where a score comes from, for the share that was solved."""
    used = {name for each in rows for name, score in each.row.scores.items() if score is not None}
    shown = [name for name in LANGUAGES if name in PUBLISHED or name in used]
    size = max((each.size for each in series.values()), default=100)
    columns = (
        "#", "model", "W", *(f"PE-Bench-{title_of(name)}-{size}" for name in shown),
        "Best model for size (GB)", "Eco-Score", "parameters (10⁹)", "bits", "context (K)",
    )  # fmt: skip
    body = []
    for place, each in enumerate(rows, 1):
        row = each.row
        scores = [_score(row.scores.get(name), series.get((row.model, name))) for name in shown]
        body.append(
            (
                place, row.model, None if row.mean is None else Cell(row.mean, f"{row.mean:.2f}"), *scores,
                Cell(each.best, each.printed_best or " "), Cell(row.eco, each.printed_eco or " "),
                _plain(row.parameters), _plain(row.bits), _plain(row.context),
            )
        )  # fmt: skip
    partly = any(not each.complete for each in series.values())
    note = NOTE + (" (97/100): a score over 97 of 100 problems." if partly else "")
    return Table(title, columns, tuple(body), note)


def _score(score: float | None, series: Series | None) -> Value | Cell:
    if score is None:
        return None
    text = f"{score:.2f}"
    if series is None:
        return Cell(score, text)
    if not series.complete:
        text += f" ({len(series.solved)}/{series.size})"
    share = sum(series.solved.values()) / len(series.solved)
    return Cell(score, text, share, hover=f"{series.count} of {len(series.solved)} problems solved")


def _plain(value: float | None) -> Value | Cell:
    return None if value is None else Cell(value, f"{value:g}")


def newer_table(rows: Sequence[Ranked]) -> Table:
    """Score, memory and Mem-Score as the newer series has them."""
    found = sorted(rows, key=lambda each: each.row.newer_score, reverse=True)
    body = tuple(
        (
            each.row.model, Cell(each.row.newer_score, f"{each.row.newer_score:.2f}"),
            _rounded(each.row.newer_memory), _rounded(each.row.newer_eco),
        )
        for each in found
    )  # fmt: skip
    note = (
        "Score = (4 Python + 3 Java + 2 Rust + 1 Clojure) / 10, a missing language counts as 0. A parameter takes "
        "0.75 bytes at 4 bits, 1.1 at 8, else 2. Mem-Score = 100 Score / GB."
    )
    return Table("By the newer formula", ("model", "Score", "GB", "Mem-Score"), body, note)


def _rounded(value: float | None) -> Value | Cell:
    return None if value is None else Cell(value, f"{value:.2f}")


def series_table(
    series: Sequence[Series], records: Sequence[TrialRecord], known: Mapping[int, Problem]
) -> Table:
    """One line for each model and language: what was solved, and what the programs took."""
    of: dict[tuple[str, str], list[TrialRecord]] = {}
    for record in records:
        of.setdefault((record.model, str(record.extra.get("language"))), []).append(record)
    body = []
    for each in sorted(series, key=lambda each: each.model):
        its = of[each.model, each.language]
        share = sum(each.solved.values()) / len(each.solved)
        tokens = [record.usage.output_tokens for record in its if record.usage.output_tokens]
        body.append(
            (
                each.model, title_of(each.language), Cell(each.score(known), f"{each.score(known):.2f}"),
                Cell(each.count, f"{each.count}/{len(each.solved)}", share),
                *(_mean(its, name) for name in ("run_s", "compile_s", "peak_memory_mb")),
                Cell(fmean(tokens), f"{fmean(tokens):,.0f}") if tokens else None,
            )
        )  # fmt: skip
    columns = ("model", "language", "score", "solved", "run s", "compile s", "peak MB", "tokens a reply")
    return Table("Languages", columns, tuple(body), "Seconds, memory and tokens are means over the trials.")


def _mean(records: Sequence[TrialRecord], name: str) -> Value | Cell:
    values = [record.metrics[name] for record in records if name in record.metrics]
    return Cell(fmean(values), f"{fmean(values):.3g}") if values else None


def languages_solved(series: Sequence[Series]) -> dict[int, dict[str, float]]:
    """Problem -> language -> the share of the trials that solved it, of one model's series."""
    found: dict[int, dict[str, float]] = {}
    for each in series:
        for number, share in each.solved.items():
            found.setdefault(number, {})[each.language] = share
    return found


def solved_table(models: Sequence[str], series: Sequence[Series]) -> Table:
    """A digit for each problem: in how many languages a model solved it."""
    numbers = sorted({number for each in series for number in each.solved})
    first, last = (numbers[0] - 1) // DECADE, (numbers[-1] - 1) // DECADE
    decades = [d for d in range(first, last + 1) if any((n - 1) // DECADE == d for n in numbers)]
    body = []
    for model in models:
        solved = languages_solved([each for each in series if each.model == model])
        row: list[Value | Cell] = [Cell(model, link="problems")]
        for decade in decades:
            its = [solved.get(decade * DECADE + at, {}) for at in range(1, DECADE + 1)]
            text = "".join(str(sum(share > 0.5 for share in each.values())) if each else "-" for each in its)
            shares = [share for each in its for share in each.values()]
            row.append(Cell(sum(shares), text, fmean(shares) if shares else None) if shares else None)
        body.append(tuple(row))
    columns = ("model", *(f"{d * DECADE + 1}-{(d + 1) * DECADE}" for d in decades))
    note = "A digit a problem: in how many languages it was solved; a dash where there is no verdict."
    return Table("Who solved what", columns, tuple(body), note)
