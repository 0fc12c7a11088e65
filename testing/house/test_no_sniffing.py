"""What a node, a model or a test is, it declares: nothing in assay/ finds it out by the name of a class, the
module that a class is from, or its source text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NODES_ARE_READ_IN = ("cli", "language", "plugins", "report", "rescoring", "results", "running", "suites")
# Names of argparse's actions, and of numpy's two truth values, which are not imported to find out.
OTHER_CLASSES = {("cli/complete.py", "MANY"), ("language/functions.py", "('bool_', 'bool')")}


def _names_a_class(node: ast.expr) -> bool:
    """type(x).__name__, kind.__name__, x.__class__.__module__ ..."""
    return isinstance(node, ast.Attribute) and node.attr in ("__name__", "__qualname__", "__module__")


def sniffs(source: str, path: str = "") -> list[str]:
    """Where source compares a class's name or module, or reads the source text of a class."""
    found = []
    for node in ast.walk(ast.parse(source)):
        text = ast.unparse(node) if isinstance(node, (ast.Compare, ast.Call)) else ""
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            its = [side for side in sides if _names_a_class(side) and _of_a_class(side)]
            known = any((path, ast.unparse(side)) in OTHER_CLASSES for side in sides)
            if its and not known:
                found.append(f"line {node.lineno}: {text}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("startswith", "endswith", "get") and any(
                _names_a_class(each) and _of_a_class(each) for each in (node.func.value, *node.args)
            ):
                found.append(f"line {node.lineno}: {text}")
            if node.func.attr == "getsource" and "type(" in text:
                found.append(f"line {node.lineno}: {text}")
    return found


def _of_a_class(node: ast.expr) -> bool:
    """Of what `type(x)` gave, or a variable that holds a class."""
    assert isinstance(node, ast.Attribute)
    of = ast.unparse(node.value)
    if of == "type(error)":
        return False
    return of.startswith("type(") or of.endswith("__class__") or of in ("kind", "cls", "its_class")


def files() -> list[Path]:
    return sorted(path for part in NODES_ARE_READ_IN for path in (ROOT / "assay" / part).rglob("*.py"))


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_finds_out_what_a_node_is_by_its_class(path: Path) -> None:
    assert sniffs(path.read_text(), str(path.relative_to(ROOT / "assay"))) == []


@pytest.mark.parametrize(
    "line",
    [
        'type(node).__name__.startswith("LLM")',
        'type(node).__name__.endswith("Evaluator")',
        "kind.__module__ in YIELDS",
        'type(right).__name__ in ("TerminalRun", "StartDockerJob")',
        'node.__class__.__name__ == "UntilDone"',
        '{"NotNode": "not"}.get(type(side).__name__, "")',
        "inspect.getsource(type(node))",
    ],
)
def test_sniffing_would_be_found(line: str) -> None:
    assert sniffs(line)
