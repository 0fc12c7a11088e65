"""Imports point downward only: main.py > assay.main > assay.wiring > cli > live > report > harness > nodes >
sandboxes > languages > records, errors. assay.llms stands aside: it knows records and errors, and only the
wiring knows it. Heavy libraries are imported inside functions."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = [
    *("assay.__main__", "assay.main", "assay.pytest_plugin", "assay.wiring"),
    *("assay.cli", "assay.live", "assay.export", "assay.telemetry", "assay.report"),
    *("assay.harness", "assay.nodes", "assay.cluster", "assay.sandboxes", "assay.languages"),
]
BOTTOM = ["assay.records", "assay.errors", "assay.home", "assay.extras", "assay"]
ASIDE = "assay.llms"
KNOW_MODELS = ["assay.wiring", "llm", ASIDE]
OUTSIDE = ["main", "evaluator", "llm"]
ABOVE = {"evaluator": ["main", "assay.main", "tests"], "llm": ["main", "assay.main", "evaluator", "tests"]}
HEAVY = {
    "openai", "anthropic", "litellm", "docker", "rich", "jinja2", "pygments", "markdown_it", "numpy", "scipy",
    "matplotlib", "PIL", "selenium", "httpx", "IPython", "torch", "pyarrow", "pandas", "opentelemetry",
}  # fmt: skip
# a provider's module is itself imported only when a model of it is loaded
MAY_IMPORT_AT_LOAD = {"assay/llms", "assay/report", "assay/telemetry"}


def files():
    found = list(ROOT.glob("assay/**/*.py"))
    found += [ROOT / name for name in ("main.py", "evaluator.py", "llm.py") if (ROOT / name).exists()]
    return sorted(found)


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path, *, inside_functions=True, typing_only=False):
    """(module, line) of every import, relative ones resolved."""

    def visit(node, inside):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test) and not typing_only:
            for each in node.orelse:
                yield from visit(each, inside)
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            if not inside_functions:
                return
            inside = True
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = (
                    name_of(path).split(".") if path.name == "__init__.py" else name_of(path).split(".")[:-1]
                )
                package = package[: len(package) - node.level + 1]
                base = ".".join([*package, *([base] if base else [])])
            yield base, node.lineno
            yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inside)

    yield from visit(ast.parse(path.read_text()), False)


def layer_of(module):
    for number, layer in enumerate(LAYERS):
        if module == layer or module.startswith(layer + "."):
            return number
    return len(LAYERS) if module in BOTTOM or module.startswith(tuple(f"{b}." for b in BOTTOM[:-1])) else None


def is_in(module, package):
    return module == package or module.startswith(package + ".")


def mistakes(path):
    name, found = name_of(path), []
    for module, line in imports_of(path, typing_only=True):
        above = [*OUTSIDE, "tests"] if is_in(name, "assay") else ABOVE.get(name, [])
        if is_in(module, ASIDE) and not any(is_in(name, each) for each in KNOW_MODELS):
            found.append((line, f"{name} knows no provider, so not {module}; assay.wiring hands models over"))
        elif is_in(name, ASIDE) and is_in(module, "assay"):
            if not is_in(module, ASIDE) and layer_of(module) != len(LAYERS):
                found.append((line, f"{name} may import assay.records and assay.errors only, not {module}"))
        elif is_in(name, "assay") and (level := layer_of(module)) is not None and module != "assay":
            if level < layer_of(name):
                found.append((line, f"{name} stands below {module}"))
        elif any(is_in(module, each) for each in above):
            found.append((line, f"{name} stands below {module}"))
        if is_in(module, "testing") or is_in(module, "bench"):
            found.append((line, f"{name} must not need {module}"))
    return [f"{path.relative_to(ROOT)}:{line}: {text}" for line, text in found]


@pytest.mark.parametrize("path", files(), ids=name_of)
def test_imports_point_downward(path):
    assert mistakes(path) == []


@pytest.mark.parametrize("path", files(), ids=name_of)
def test_heavy_libraries_are_imported_where_they_are_used(path):
    if str(path.relative_to(ROOT)).startswith(tuple(f"{each}/" for each in MAY_IMPORT_AT_LOAD)):
        return
    loaded = {(module.split(".")[0], line) for module, line in imports_of(path, inside_functions=False)}
    assert [f"line {line}: {module}" for module, line in loaded if module in HEAVY] == []


def test_evaluator_reaches_for_models_only_inside_functions():
    loaded = {module for module, _ in imports_of(ROOT / "evaluator.py", inside_functions=False)}
    assert not any(
        is_in(module, each) for module in loaded for each in ("llm", ASIDE, "assay.wiring", "assay.main")
    )


def test_records_and_errors_import_nothing_of_ours():
    for name in ("records", "errors"):
        for module, line in imports_of(ROOT / "assay" / f"{name}.py", typing_only=True):
            assert module.split(".")[0] in sys.stdlib_module_names, f"{name}.py:{line} imports {module}"


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("assay/harness/x.py", "from assay.report import html"),
        ("assay/harness/x.py", "import llm"),
        ("assay/nodes/x.py", "def f():\n    from assay.harness.engine import run_trial"),
        ("assay/sandboxes/x.py", "from ..nodes import dsl"),
        ("assay/languages.py", "import assay.sandboxes.pool"),
        ("assay/records.py", "from assay.languages import LANGUAGES"),
        ("assay/llms/x.py", "from assay.languages import LANGUAGES"),
        ("assay/llms/x.py", "from assay.wiring import settings"),
        ("assay/llms/x.py", "import llm"),
        ("assay/cli/x.py", "def f():\n    from assay.llms.models import Models"),
        ("assay/cli/x.py", "from assay import wiring"),
        ("assay/wiring.py", "from assay.main import command"),
        ("assay/main.py", "from assay.llms import registry"),
        ("assay/main.py", "import evaluator"),
        ("llm.py", "import evaluator"),
        ("evaluator.py", "from assay.llms.models import Models"),
        ("evaluator.py", "import main"),
        ("assay/report/x.py", "from testing import model_server"),
    ],
)
def test_a_wrong_import_would_be_found(tmp_path, monkeypatch, where, line):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line + "\n")
    assert mistakes(path)


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("assay/report/x.py", "from assay.harness import stats"),
        ("assay/nodes/x.py", "from . import dsl"),
        ("assay/nodes/x.py", "from ..records import Block"),
        ("assay/llms/x.py", "from assay.records import Model\nfrom assay.llms import prices"),
        ("assay/wiring.py", "from assay.llms.models import Models\nfrom assay.cli import place"),
        ("assay/main.py", "from assay.wiring import settings"),
        ("evaluator.py", "def run_test(test):\n    from assay.wiring import settings"),
        ("llm.py", "from assay.llms.models import Models"),
    ],
)
def test_a_right_import_is_let_through(tmp_path, monkeypatch, where, line):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line + "\n")
    assert not mistakes(path)
