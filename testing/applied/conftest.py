"""The applied tests, loaded once for each file that asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.suites.listing import list_tests
from assay.suites.loading import load_tests

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def samples():
    loaded = load_tests(list_tests([ROOT / "tests"]), root=ROOT)
    assert not loaded.errors and not loaded.warnings
    return loaded.samples
