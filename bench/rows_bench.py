"""200,000 rows of data through assay.run, and their results as a DataFrame: memory and seconds.

Each is a process of its own that calls the library as a script would; the model server is another process.
The memory that a run takes for a row is what the larger one has more at its peak, divided by the rows that it
has more.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from bench.measure import Section, Spent, Target, megabytes, run
from testing.model_server import ModelServer

SIZES = (20_000, 200_000)
QUICK = (500, 3_000)
BYTES_A_ROW, FRAME_S = 100, 10.0

RUN = """
import sys, assay
from assay import LLMRun, Rows, SubstringEvaluator
rows = Rows("rows.csv", id="name") >> "What is <a> plus <b>?" >> LLMRun() >> SubstringEvaluator("<sum>")
results = assay.run(rows, models="local/m", logdir=sys.argv[1], config="config.json", max_connections=50)
assert results.failure is None
"""

FRAME = """
import sys, time, assay
began = time.perf_counter()
frame = assay.load(sys.argv[1]).df
print(time.perf_counter() - began, len(frame), frame.memory_usage(deep=True).sum())
"""


def prepared(folder: Path, rows: int, server: ModelServer) -> None:
    """A folder with the data and the settings of a run."""
    with (folder / "rows.csv").open("w", encoding="utf-8") as file:
        file.write("name,a,b,sum\n")
        file.writelines(f"sum-{n:06},{n},{n + 1},{2 * n + 1}\n" for n in range(rows))
    llms = {"local": {"base_url": server.url + "/v1", "api_key": "none"}}
    (folder / "config.json").write_text(json.dumps({"llms": llms, "cache": str(folder / "cache")}), "utf-8")


def script(code: str, folder: Path, results: str) -> Spent:
    root = Path(__file__).resolve().parent.parent
    environment = {"PYTHONPATH": str(root), "HOME": str(folder), "GIT_DIR": str(folder / "no git")}
    return run([sys.executable, "-c", code, results], env=environment, cwd=folder, time_limit_s=3600)


def measure(*, quick: bool = False) -> list[Section]:
    rows, peaks = [], []
    sizes = QUICK if quick else SIZES
    with (
        ModelServer(process=True, record=False) as server,
        tempfile.TemporaryDirectory(prefix="assay-rows-") as name,
    ):
        folder = Path(name)
        for size in sizes:
            prepared(folder, size, server)
            spent = script(RUN, folder, f"results-{size}")
            peaks.append(spent.peak)
            rate = f"{size / spent.wall:,.0f} rows a second"
            rows.append((f"run {size:,} rows", f"{spent.wall:.0f} s", f"{megabytes(spent.peak)} MB", rate))
        spent = script(FRAME, folder, f"results-{sizes[-1]}")
        seconds, length, taken = map(float, spent.stdout.split())
        if length != sizes[-1]:
            raise RuntimeError(f"{length:.0f} rows in the frame, not {sizes[-1]}")
        frame = f"the frame alone {megabytes(taken)} MB"
        rows.append((f"df of {sizes[-1]:,} trials", f"{seconds:.1f} s", f"{megabytes(spent.peak)} MB", frame))
    growth = max(0, peaks[1] - peaks[0]) / (sizes[1] - sizes[0])
    targets = [
        Target("bytes that a run takes for a row", growth, BYTES_A_ROW),
        Target(f"seconds until {sizes[-1]:,} trials are a DataFrame", seconds, FRAME_S),
    ]
    about = "A CSV file as tests, one call each, with the cache; memory is the process's peak."
    return [Section("Rows of data", about, ("what", "took", "memory", ""), rows, targets)]
