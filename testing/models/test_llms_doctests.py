"""The examples in the docstrings of assay/models/ hold."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

from assay import models as llms


def test_examples_in_docstrings():
    tried = 0
    for file in sorted(Path(llms.__file__).parent.glob("*.py")):
        module = importlib.import_module(
            f"assay.models.{file.stem}" if file.stem != "__init__" else "assay.models"
        )
        result = doctest.testmod(module)
        assert result.failed == 0, file
        tried += result.attempted
    assert tried >= 5
