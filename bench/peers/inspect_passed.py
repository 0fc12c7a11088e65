"""How many samples of a log of inspect_ai passed. Reads the log's header only, and imports little of
inspect_ai: its logs are zip files compressed in a way that the standard library does not know.

python bench/peers/inspect_passed.py LOG
"""

from __future__ import annotations

import json
import sys
from zipfile import ZipFile

if sys.version_info < (3, 14):
    import zipfile_zstd  # noqa: F401, teaches zipfile

with ZipFile(sys.argv[1]) as log:
    results = json.loads(log.read("header.json"))["results"]
print(round(results["scores"][0]["metrics"]["accuracy"]["value"] * results["completed_samples"]))
