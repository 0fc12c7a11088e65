"""Imports point downward only, in the order of LAYERS. assay.models stands aside: it knows records and
errors, and only the wiring of a run knows it. Heavy libraries are imported inside functions."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = [  # a part of a package may stand above the package
    *(
        "assay.__main__",
        "assay.plugins",
        "assay.cli",
        "assay.api",
        "assay.conformance",
        "assay.rescoring",
    ),
    *(
        "assay.report.live",
        "assay.suites.lint",
        "assay.running",
    ),
    *("assay.results.export", "assay.report", "assay.suites", "assay.results"),
    *("assay.language", "assay.sandboxes"),
]
BOTTOM = [
    *("assay.language.languages", "assay.config", "assay.gc_pause"),
    *(
        "assay.asked",
        "assay.records",
        "assay.dialogue",
        "assay.limits",
        "assay.model_roles",
        "assay.turns",
        "assay.errors",
        "assay.files",
        "assay.home",
        "assay.git",
        "assay.extras",
        "assay.few",
        "assay.stdout",
        "assay.extensions",
        "assay.mistakes",
        "assay.package_code",
        "assay.loaded_code",
        "assay.blocking",
        "assay.threads",
        "assay.trial_clock",
    ),
    "assay",
]
ASIDE = "assay.models"
# all that it may import
KNOWN_ASIDE = [
    "assay.asked",
    "assay.records",
    "assay.dialogue",
    "assay.turns",
    "assay.errors",
    "assay.home",
    "assay.git",
    "assay.extras",
    "assay.extensions",
    "assay.mistakes",
    "assay.package_code",
    "assay.blocking",
    "assay.threads",
    "assay.trial_clock",
]
KNOW_MODELS = ["assay.running.wiring", "llm", ASIDE]
OUTSIDE = ["main", "evaluator", "llm"]
ABOVE = {"evaluator": ["main", "assay.cli", "tests"], "llm": ["main", "assay.cli", "evaluator", "tests"]}
HEAVY = {
    "openai", "anthropic", "litellm", "rich", "jinja2", "pygments", "markdown_it", "numpy", "scipy",
    "matplotlib", "PIL", "selenium", "httpx", "IPython", "torch", "pyarrow", "pandas", "opentelemetry",
}  # fmt: skip
# a provider's module is itself imported only when a model of it is loaded
MAY_IMPORT_AT_LOAD = {"assay/models", "assay/report", "assay/plugins/otel"}


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
    if module in BOTTOM or module.startswith(tuple(f"{each}." for each in BOTTOM[:-1])):
        return len(LAYERS)
    return next((number for number, layer in enumerate(LAYERS) if is_in(module, layer)), None)


def is_in(module, package):
    return module == package or module.startswith(package + ".")


def mistakes(path):
    name, found = name_of(path), []
    for module, line in imports_of(path, typing_only=True):
        above = [*OUTSIDE, "tests"] if is_in(name, "assay") else ABOVE.get(name, [])
        if is_in(module, ASIDE) and not any(is_in(name, each) for each in KNOW_MODELS):
            found.append(
                (line, f"{name} knows no provider, so not {module}; assay.running.wiring hands models over")
            )
        elif is_in(name, ASIDE) and is_in(module, "assay"):
            if not any(is_in(module, each) for each in (ASIDE, *KNOWN_ASIDE)) and module != "assay":
                found.append((line, f"{name} may import {', '.join(KNOWN_ASIDE)} only, not {module}"))
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


OF_SCRIPTS = ("main.py", "evaluator.py")  # a test file that is run as a script has flags


@pytest.mark.parametrize("path", files(), ids=name_of)
def test_only_the_command_line_knows_argparse(path):
    where = str(path.relative_to(ROOT))
    if where in OF_SCRIPTS or where.startswith("assay/cli/"):
        return
    assert not [line for module, line in imports_of(path) if is_in(module, "argparse")]
    words = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    assert "Namespace" not in words | names_of_attributes(path)


def names_of_attributes(path):
    return {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}


def test_evaluator_reaches_for_models_only_inside_functions():
    loaded = {module for module, _ in imports_of(ROOT / "evaluator.py", inside_functions=False)}
    assert not any(
        is_in(module, each)
        for module in loaded
        for each in ("llm", ASIDE, "assay.running.wiring", "assay.cli.main")
    )


def test_what_all_know_imports_nothing_of_ours():
    for name in ("records", "dialogue", "limits", "model_roles", "errors"):
        for module, line in imports_of(ROOT / "assay" / f"{name}.py", typing_only=True):
            known = module.split(".")[0] in sys.stdlib_module_names
            below = ("assay.dialogue", "assay.limits", "assay.model_roles")
            known |= name == "records" and module.startswith(below)
            assert known, f"{name}.py:{line} imports {module}"


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("assay/results/x.py", "from assay.report import html"),
        ("assay/results/x.py", "import llm"),
        ("assay/language/x.py", "def f():\n    from assay.running.trial import run_trial"),
        ("assay/sandboxes/x.py", "from ..language import dsl"),
        ("assay/language/languages.py", "import assay.sandboxes.pool"),
        ("assay/records.py", "from assay.language.dsl import Node"),
        ("assay/models/x.py", "from assay.language.languages import LANGUAGES"),
        ("assay/models/x.py", "from assay.running.wiring import settings"),
        ("assay/models/x.py", "import llm"),
        ("assay/cli/x.py", "def f():\n    from assay.models.model_registry import Models"),
        ("assay/cli/x.py", "from assay import models"),
        ("assay/running/wiring.py", "from assay.cli import request"),
        ("assay/running/wiring.py", "from assay.cli.main import command"),
        ("assay/cli/main.py", "from assay.models import registry"),
        ("assay/cli/main.py", "import evaluator"),
        ("llm.py", "import evaluator"),
        ("evaluator.py", "from assay.models.model_registry import Models"),
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
        ("assay/report/x.py", "from assay.results import stats"),
        ("assay/language/x.py", "from . import dsl"),
        ("assay/language/x.py", "from ..records import Block"),
        ("assay/models/x.py", "from assay.records import Model\nfrom assay.models import prices"),
        (
            "assay/running/wiring.py",
            "from assay.models.model_registry import Models\nfrom assay.running import roles",
        ),
        ("assay/cli/main.py", "from assay.running.wiring import settings"),
        ("evaluator.py", "def run_test(test):\n    from assay.running.wiring import settings"),
        ("llm.py", "from assay.models.model_registry import Models"),
    ],
)
def test_a_right_import_is_let_through(tmp_path, monkeypatch, where, line):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line + "\n")
    assert not mistakes(path)
