"""Records as a pandas DataFrame: the columns of the exported tables, a row a trial. Needs pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from assay.extras import need
from assay.records import TrialRecord
from assay.results.export.rows import Column, columns_for
from assay.results.export.source import Trial
from assay.uncollected import uncollected

if TYPE_CHECKING:
    import pandas

NAMES = {"question": "prompt", "answer": "reply"}
TYPES = {
    "text": "str",
    "word": "category",
    "number": "float64",
    "flag": "boolean",
    "time": "datetime64[ms, UTC]",
}


@uncollected()
def frame(records: Iterable[TrialRecord]) -> pandas.DataFrame:
    """A row a trial: test, model, epoch, outcome, cause, score, cost (US dollars), tokens, seconds, prompt,
    reply ... (docs/exporting.md); `passed` is missing where a trial does not count. Raises ConfigError if
    pandas is not installed."""
    need("dataframe", "a DataFrame")
    import pandas as pd

    trials = [Trial(record) for record in records]
    columns = [each for each in columns_for(trial.record for trial in trials) if each.name != "run"]
    return pd.DataFrame({NAMES.get(each.name, each.name): _series(each, trials) for each in columns})


def _series(column: Column, trials: Iterable[Trial]) -> Any:
    import pandas as pd

    values = [column.value(trial) for trial in trials]
    if column.kind == "count":
        try:
            return pd.Series(values, dtype="int64")
        except OverflowError:  # an epoch of a stranger's
            return pd.Series(values, dtype="object")
    return pd.Series(values, dtype=TYPES.get(column.kind, "object"))
