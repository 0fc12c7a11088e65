"""Right and wrong replies to look_chart: values as one reads them from the heights of the marks."""

from ..look_chart import Chart


def _read(seed: int, slip: float = 0.0, log: bool = True) -> list[float]:
    """The eight answers. `slip`: how much too high all heights are read, as a share of the scale; without
    `log` the scale at the right is read as if it were linear between its powers of ten."""
    chart = Chart(seed)

    def left(line: int, week: int) -> float:
        return chart.low + (chart.parts[line][week - 1] + slip) * 5 * chart.step

    def right_(line: int, week: int) -> float:
        at = 3 * (chart.parts[line][week - 1] + slip)
        whole = int(at)
        within = 10 ** (at - whole) if log else 1 + 9 * (at - whole)
        return 10.0 ** (chart.decade + whole) * within

    a, b, c, _, e = chart.parts
    wa, wd, wq = chart.weeks
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    return [
        left(0, wa),
        right_(3, wd),
        gaps.index(max(gaps)) + 1,
        len([1 for x, y in zip(c, b, strict=True) if x > y]),
        sum(left(1, chart.first + each) for each in range(6)),
        right_(3, wq) / right_(4, wq),
        left(2, e.index(min(e)) + 1),
        right_(4, e.index(max(e)) + 1),
    ]


def _said(values: list[float], mark: str = "") -> str:
    lines = (f"{mark}Q{n}:{mark} {value:.5g}" for n, value in enumerate(values, 1))
    return "I measured the heights.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    return [_said(_read(seed)), _said(_read(seed, 0.002), "**")]


def wrong(seed: int) -> list[str]:
    values = _read(seed)
    return [
        _said(_read(seed, 0.02)),
        _said(_read(seed, log=False)),
        _said([*values[:3], values[3] + 1, *values[4:]]),
        _said([*values[:2], values[2] - 1, *values[3:]]),
        _said(values[:-1]),
        "The chart has no labels for these values.",
    ]
