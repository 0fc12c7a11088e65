def nothing(messages):
    return ""


BEST = "team,rower,km\nHerons,Max,20.5\nPikes,Wim,19.5\nOtters,Liv,18"

PIVOT = r"""```python
import re


def _cells(line):
    line = line.strip()
    if line.startswith("|"):
        line = line[1:]
    parts = re.split(r"(?<!\\)\|", line)
    if parts and parts[-1].strip() == "" and line.endswith("|") and not line.endswith("\\|"):
        parts.pop()
    return [part.strip().replace("\\|", "|") for part in parts]


def pivot(text, row, column, value):
    lines = text.splitlines()
    for i in range(len(lines) - 1):
        dashes = lines[i + 1]
        if "|" in lines[i] and "-" in dashes and re.fullmatch(r"\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*", dashes):
            break
    else:
        raise ValueError("no table")
    header = _cells(lines[i])
    for name in (row, column, value):
        if name not in header:
            raise ValueError(f"no column {name}")
    result = {}
    for line in lines[i + 2:]:
        if not re.search(r"(?<!\\)\|", line):
            break
        cells = _cells(line)
        entry = dict(zip(header, cells + [""] * len(header)))
        if not re.fullmatch(r"-?(\d[\d,]*)?(\.\d+)?", entry[value]) or not re.search(r"\d", entry[value]):
            continue
        number = float(entry[value].replace(",", ""))
        sums = result.setdefault(entry[row], {})
        sums[entry[column]] = sums.get(entry[column], 0) + number
    return result
```"""

RIGHT = {
    "TestDataTableBest": [
        BEST,
        "```csv\n" + BEST.replace("18", "18.0") + "\n```\n\nSun-hee went out only once in May.",
    ],
    "TestDataTablePivot": [
        PIVOT,
        r"""```python
from collections import defaultdict

def split_row(line):
    cells, current, i = [], "", 0
    line = line.strip()
    while i < len(line):
        if line[i] == "\\" and line[i + 1:i + 2] == "|":
            current += "|"
            i += 2
        elif line[i] == "|":
            cells.append(current.strip())
            current = ""
            i += 1
        else:
            current += line[i]
            i += 1
    cells.append(current.strip())
    if line.startswith("|"):
        cells = cells[1:]
    if line.endswith("|") and not line.endswith("\\|"):
        cells = cells[:-1]
    return cells

def is_rule(line):
    cells = split_row(line)
    return "|" in line and all(set(c) <= set("-:") and "-" in c for c in cells) and bool(cells)

def pivot(text, row, column, value):
    lines = text.split("\n")
    start = next((n for n in range(1, len(lines)) if is_rule(lines[n]) and "|" in lines[n - 1]), None)
    if start is None:
        raise ValueError("no table on this page")
    names = split_row(lines[start - 1])
    try:
        r, c, v = names.index(row), names.index(column), names.index(value)
    except ValueError:
        raise ValueError("no such column")
    sums = defaultdict(lambda: defaultdict(float))
    for line in lines[start + 1:]:
        if "|" not in line:
            break
        cells = (split_row(line) + [""] * len(names))[:len(names)]
        try:
            number = float(cells[v].replace(",", ""))
        except ValueError:
            continue
        sums[cells[r]][cells[c]] += number
    return {k: dict(d) for k, d in sums.items()}
```""",
    ],
}

WRONG = {
    "TestDataTableBest": [
        "",
        "team,rower,km\nHerons,Sun-hee,20.5\nPikes,Wim,19.5\nOtters,Liv,18",  # one trip only
        "team,rower,km\nHerons,Max,26.5\nPikes,Wim,19.5\nOtters,Liv,18",  # June too
        "team,rower,km\nOtters,Liv,18\nPikes,Wim,19.5\nHerons,Max,20.5",  # lowest first
        "team,rower,km\nHerons,Max,20.5\nPikes,Wim,19.5\nOtters,Liv,16.5\notters,Tariq,7.5",
        "team,rower,km\nHerons,Max,20.5\nPikes,Jo,18\nOtters,Liv,18",
        "Max of the Herons rowed 20.5 km, Wim of the Pikes 19.5 and Liv of the Otters 18.",
    ],
    "TestDataTablePivot": [
        nothing,
        PIVOT.replace(r're.split(r"(?<!\\)\|", line)', 'line.split("|")'),
        PIVOT.replace('.replace("\\\\|", "|")', ""),  # the backslash stays
        PIVOT.replace('cells + [""] * len(header)', "cells"),
        PIVOT.replace('if not re.search(r"(?<!\\\\)\\|", line):\n            break', 'if "|" not in line:\n            continue'),
        PIVOT.replace(".replace(\",\", \"\"))\n        sums", ".replace(\",\", \".\"))\n        sums"),
        PIVOT.replace("sums.get(entry[column], 0) + number", "number"),
        "```python\ndef pivot(text, row, column, value):\n    # sums of the first markdown table\n    return {}\n```",
    ],
}  # fmt: skip
