"""Turn saved runs into a corpus of replies (tests/replies/), with the verdict that a reader found right.

    python -m testing.applied.collect results/COMMIT/MODEL/run-1.jsonl ... --round "2026-11-23 a" --out FILE

Without a word to the contrary the run's own verdict is taken for the right one; read each FAIL, and
doubtful passes, first. `--verdicts FILE` has what a reader found otherwise, and for each FAIL whose mistake
it is: a JSON object {"TEST": {"should_be": "pass" or "fail", "mistake": "model" or "test", "why": "..."}},
with "TEST#2" for the second trial of a test.
Trials that ended in ERROR or SKIPPED are left out, and so are those whose replies were too long to be kept.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assay.records import Outcome, Reply, TrialRecord
from assay.results.store import load_records


def line_of(record: TrialRecord, round: str, said: Mapping[str, str]) -> dict[str, Any]:
    """A trial as a line of a corpus."""
    return {
        "test": record.test,
        "suite": record.suite,
        "round": round,
        "should_be": said.get("should_be", record.outcome.value),
        "mistake": said.get("mistake", ""),
        "why": said.get("why", ""),
        "replies": [_reply(each) for each in record.replies],
    }


def _reply(reply: Reply) -> dict[str, Any]:
    found: dict[str, Any] = {"role": reply.role, "text": reply.text}
    if reply.calls:
        found["calls"] = [asdict(call) for call in reply.calls]
    return found


def lines(records: Iterable[TrialRecord], round: str, verdicts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The trials with a verdict and all replies. Raises ValueError for a verdict about no such
    trial, and for a FAIL without a word."""
    found, seen, used = [], Counter[str](), set[str]()
    for record in records:
        if record.outcome not in (Outcome.PASS, Outcome.FAIL) or any(
            each.text is None for each in record.replies
        ):
            continue
        seen[record.test] += 1
        name = record.test if seen[record.test] == 1 else f"{record.test}#{seen[record.test]}"
        used.add(name)
        if record.outcome is Outcome.FAIL and not {"mistake", "why"} <= verdicts.get(name, {}).keys():
            raise ValueError(f"{name} is a FAIL: say whose mistake it is, and why")
        found.append(line_of(record, round, verdicts.get(name, {})))
    if unknown := verdicts.keys() - used:
        raise ValueError(f"there is no trial {sorted(unknown)[0]!r} with a verdict in these runs")
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--round", required=True)
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(argv)
    verdicts = json.loads(options.verdicts.read_text(encoding="utf-8")) if options.verdicts else {}
    # one by one: together, those of a test that was reworded since would be left out
    read = [load_records([run]) for run in options.runs]
    for problem in (problem for each in read for problem in each.unreadable):
        print(problem)
    its = lines((record for each in read for record in each.records), options.round, verdicts)
    with gzip.GzipFile(options.out, "wb", mtime=0) as file:
        file.writelines(json.dumps(each).encode() + b"\n" for each in its)
    counts = Counter(each["should_be"] for each in its)
    print(f"{options.out}: {len(its)} trials, {counts['pass']} right, {counts['fail']} wrong")


if __name__ == "__main__":
    main()
