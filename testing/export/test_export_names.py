"""A test that was run under several names, in exports."""

import json
import zipfile

from assay.records import Outcome, TrialRecord
from assay.report.aggregate import make_grid
from assay.results.export.inspect_log import write_logs
from assay.results.export.source import Source
from assay.results.store import Results


def test_the_rate_in_a_log_of_inspect_is_that_of_the_tables(tmp_path):
    results, records = Results(tmp_path / "results"), []
    with results.open_new("c", "lab/m") as store:
        for test, expression, minute, outcome in (
            ("sums.TestNew[1]", "one", 1, Outcome.PASS),
            ("sums.TestOld[1]", "one", 2, Outcome.FAIL),
            ("sums.TestNew[1]", "one", 3, Outcome.ERROR),
            ("sums.TestOther", "", 4, Outcome.PASS),
            ("sums.TestUnknown", "", 5, Outcome.PASS),
        ):
            started = f"2026-11-20T10:0{minute}:00.000+00:00"
            epoch = 1 + (outcome is Outcome.ERROR)
            records.append(
                TrialRecord(test, "lab/m", epoch, outcome, expression=expression, started_at=started)
            )
            store.append(records[-1])
    write_logs(Source(results.files()), tmp_path / "logs")
    (path,) = (tmp_path / "logs").iterdir()
    with zipfile.ZipFile(path) as log:
        rate = json.loads(log.read("header.json"))["results"]["metadata"]
    total = make_grid(records).totals["lab/m"]
    assert (rate["passed"], rate["counted"]) == (total.passed, total.counted) == (2, 3)
