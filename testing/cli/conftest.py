"""The package of stranger.py, installed."""

from __future__ import annotations

import sys

import pytest

from assay.extensions import extensions
from testing.cli.stranger import ENTRIES, MODULE


@pytest.fixture
def stranger(tmp_path, monkeypatch):
    """A package, as pip would install it."""
    (tmp_path / "assay_stranger.py").write_text(MODULE)
    info = tmp_path / "stranger-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    extensions.cache_clear()
    yield
    extensions.cache_clear()
    sys.modules.pop("assay_stranger", None)
