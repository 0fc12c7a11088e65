"""What `import assay` offers, and what it costs."""

import json
import subprocess
import sys

import assay
import assay.api
import evaluator
from testing.harness.commanding import ROOT


def test_every_public_node_has_a_name_here():
    mine = {name for name in evaluator.__all__ if not isinstance(getattr(evaluator, name), type(json))}
    for name in mine - {"run_test", "PYTHON_ENV", "Literal"}:
        assert getattr(assay, name) is getattr(evaluator, name)
        assert name in dir(assay)


def test_type_checkers_are_told_the_same_names():
    stub = (ROOT / "assay" / "__init__.pyi").read_text()
    assert {line.split()[0] for line in stub.splitlines() if line.startswith("    ")} == set(assay.__all__)


def test_importing_it_imports_next_to_nothing():
    code = "import sys; before = set(sys.modules); import assay; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "assay" in done.stdout.split()
    assert not [name for name in done.stdout.split() if name.startswith(("assay.", "evaluator"))]
