"""How difficult tests were measured to be: tiers.json in tests/, {"print_hello.TestPrintHello": "easy"}.

A row NAME[key] and a variant NAME@seed have the tier of NAME. The file stands apart from the test files, so
that a new measurement is no new version of a test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from assay.errors import TestFileError

FILE = "tiers.json"
VARIANT = re.compile(r"[\[@]")
TIERS = ("easy", "medium", "hard")


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> dict[str, str]:
    """The tiers by test. `changed`: when, so that an edited file is read again."""
    try:
        tiers = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise TestFileError(f"{path}: cannot be read: {error}") from None
    if not isinstance(tiers, dict) or not all(tier in TIERS for tier in tiers.values()):
        example = '{"print_hello.TestPrintHello": "easy"}'
        raise TestFileError(f"{path}: must have one of {', '.join(TIERS)} for each test, e.g. {example}")
    return tiers


def tiers_in(folder: Path) -> Mapping[str, str]:
    """The measured tiers in a folder of tests, none without the file. Raises TestFileError for a broken
    one."""
    path = folder / FILE
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return {}
    return _read(path, changed)


def with_tier(tiers: Mapping[str, str], test_id: str, tags: tuple[str, ...]) -> tuple[str, ...]:
    """The tags of a test with its measured tier, which replaces what its author expected."""
    tier = tiers.get(VARIANT.split(test_id, maxsplit=1)[0]) if tiers else None
    return tags if tier is None else (*(tag for tag in tags if tag not in TIERS), tier)
