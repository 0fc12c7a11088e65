"""Numbers as tables and pages write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assay.dialogue import money as money
from assay.report.tally import Tally

SILENT_S = 5.0  # without the end of a trial, at least, before this is said

# The names of a trial's roles for people.
ROLES = {"llm": "model", "eval_llm": "judge", "vision_eval_llm": "vision judge"}


def percent(share: float) -> str:
    """
    >>> percent(1.0), percent(0.9996), percent(0.123)
    ('100%', '>99.9%', '12.3%')
    """
    text = f"{share * 100:.1f}%"
    if text == "100.0%":
        return "100%" if share >= 1 else ">99.9%"
    if text == "0.0%":
        return "0%" if share <= 0 else "<0.1%"
    return text


def interval(counted: Tally) -> str:
    """The 95% interval of a tally's pass rate in whole percent, in tenths near 0 and 100; '' if nothing was
    counted."""
    if not counted.counted:
        return ""
    low, high = counted.interval
    digits = 1 if low > 0.985 or high < 0.015 else 0
    return f"{low * 100:.{digits}f}\u2013{high * 100:.{digits}f}%".replace("100.0%", "100%")


def cell(counted: Tally) -> str:
    """A model's trials of a test in a word: the mean score or '4/5'; 'error' or 'skipped' without a verdict.

    >>> cell(Tally(passed=4, failed=1)), cell(Tally(passed=4, score=0.25)), cell(Tally(errors=1, skipped=1))
    ('4/5', '0.250', 'error')
    """
    if counted.score is not None:
        return score(counted.score)
    if counted.counted:
        return f"{counted.passed}/{counted.counted}"
    return "error" if counted.errors else "skipped"


MOST_COVERED = 6  # models named with what they finished; with more, only the extremes
CLUSTERED = "95% interval: the range for other tests of the same kind; the trials of a test count as one"
TIME_A_TRIAL = "wall time, without waiting for the run's own connections, sandboxes and turns"
SCORED = (
    "mean score: over all tests, those without scores by their pass rate; a FAIL without a score counts as 0"
)


def of_models(totals: Iterable[Tally]) -> list[str]:
    """Notes on the models' numbers: that their tests had several trials, or scores."""
    totals = list(totals)
    several = any(each.spread is not None and each.counted > each.spread.tests for each in totals)
    scored = any(each.score is not None for each in totals)
    return [CLUSTERED] * several + [SCORED] * scored


def coverage(tests: Iterable[Mapping[str, Tally]], models: Sequence[str]) -> str:
    """A note if `models` finished different tests; '' if each test was finished by all or by none. `tests`:
    the tallies of each test by model."""
    if len(models) < 2:
        return ""
    finished, same = dict.fromkeys(models, 0), True
    for cells in tests:
        done = [model for model in models if (cell := cells.get(model)) is not None and cell.counted]
        same = same and len(done) in (0, len(models))
        for model in done:
            finished[model] += 1
    if same:
        return ""
    ordered = sorted(finished.items(), key=lambda each: -each[1])
    shown = ordered if len(ordered) <= MOST_COVERED else [ordered[0], ordered[-1]]
    said = (", " if shown is ordered else " ... ").join(f"{model} {number:,}" for model, number in shown)
    return (
        f"Models finished different tests ({said}), so their rates are not directly "
        "comparable. A difference covers only the tests that both models finished."
    )


def cost(counted: Tally) -> str:
    """The sum of known prices; says if some are unknown."""
    if not counted.cost_unknown:
        return money(counted.cost)
    return f"\u2265 {money(counted.cost)}" if counted.cost else "unknown"


def duration(seconds: float) -> str:
    """
    >>> duration(0.25), duration(12.3), duration(75), duration(7260), duration(0.002)
    ('0.25 s', '12.3 s', '1 min 15 s', '2 h 1 min', '<0.01 s')
    """
    if seconds < 1:
        return f"{seconds:.2f} s" if seconds >= 0.005 or not seconds else "<0.01 s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def countdown(seconds: float) -> str:
    """
    >>> countdown(0.4), countdown(75), countdown(7260)
    ('1 s', '1 min 15 s', '2 h 1 min')
    """
    return f"{max(1, round(seconds))} s" if seconds < 59.5 else duration(seconds)


def count(number: int, noun: str) -> str:
    """
    >>> count(1, "test"), count(12000, "trial")
    ('1 test', '12,000 trials')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def pace(done: int, total: int, seconds: float, silent: float = 0.0) -> tuple[str, str]:
    """The trials per second or minute, and the time left; '' if there are none, or if it is too early to say.
    Where no trial has ended for `silent` seconds, longer than all should have taken, this in its place.

    >>> pace(30, 60, 20.0), pace(1, 1, 60.0), pace(0, 9, 5.0), pace(15, 16, 60.0, 50.0)
    (('1.5/s', '20 s left'), ('1.0/min', ''), ('', ''), ('15.0/min', 'no trial has ended for 50 s'))
    """
    rate = done / seconds if seconds > 0.5 else 0.0
    speed = f"{rate:.1f}/s" if rate >= 0.95 else f"{rate * 60:.1f}/min"
    left = ""
    if rate and done < total:
        expected = (total - done) / done * (seconds - silent)
        late = silent > max(expected, SILENT_S)
        left = (
            f"no trial has ended for {countdown(silent)}"
            if late
            else f"{countdown((total - done) / rate)} left"
        )
    return speed if rate else "", left


def later(counted: Tally) -> str:
    """What became of later tries of trials whose verdict counts; '' if there are none."""
    return f"a later try of {count(counted.later, 'trial')} ended without a verdict" if counted.later else ""


def all_later(totals: Mapping[str, Tally]) -> str:
    """The later tries of all models, in a sentence.

    >>> all_later({"m": Tally(passed=2, later=2), "n": Tally(passed=1)})
    'A later run of 2 trials by m ended without a verdict; the earlier verdict counts.'
    """
    found = [f"{count(total.later, 'trial')} by {model}" for model, total in totals.items() if total.later]
    said = f"A later run of {', '.join(found)} ended without a verdict; the earlier verdict counts."
    return said if found else ""


def score(value: float) -> str:
    """
    >>> score(0.83333), score(0.69), score(32.07), score(1), score(0.00003)
    ('0.833', '0.690', '32.1', '1', '<0.001')
    """
    if 0 < value < 0.001:
        return "<0.001"
    if 0.001 <= value < 1:
        return f"{value:.3f}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def p_value(p: float) -> str:
    """
    >>> p_value(0.00001), p_value(0.0312), p_value(1.0)
    ('< 0.0001', '0.031', '1')
    """
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def p_sign(p: float) -> str:
    """For a sentence, after "p":

    >>> p_sign(0.00001), p_sign(0.0312)
    ('< 0.0001', '= 0.031')
    """
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"
