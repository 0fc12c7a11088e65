"""A line of JSON for each trial: `--export lines=FILE`."""

import json
from pathlib import Path

from assay.results.export.dialogue import answer, why
from assay.results.export.registry import Export, whole_file
from assay.results.export.source import Source


def write_lines(source: Source, path: Path) -> int:
    count = 0
    with whole_file(path) as part, part.open("w", encoding="utf-8") as file:
        for trial in source.trials():  # one at a time: there may be more than fit into memory
            count, record = count + 1, trial.record
            facts = {"test": record.test, "model": record.model, "outcome": record.outcome}
            file.write(json.dumps({**facts, "answer": answer(trial.said), "why": why(record)}) + "\n")
    return count


EXPORT = Export(write_lines)
