"""--help and --list import nothing heavy and are quick."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "openai", "anthropic", "litellm", "httpx", "rich", "jinja2", "pygments", "markdown_it", "numpy",
    "scipy", "matplotlib", "PIL", "selenium", "asyncio", "ssl", "sqlite3", "subprocess", "multiprocessing",
    "hashlib",
}  # fmt: skip
LOADED = (
    "import os, sys, runpy\nout = os.dup(1)\nsys.argv = ['main.py', *sys.argv[1:]]\n"
    "try:\n    runpy.run_path('main.py', run_name='__main__')\n"
    "except SystemExit as end:\n    code = end.code\n"
    "import json\nos.write(out, ('\\n' + json.dumps([code, sorted(sys.modules)])).encode())"
)


def python(*arguments):
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "flags",
    [
        *(["--help"], ["run", "--help"], ["--run-tests", "--help"]),
        *(["--list"], ["list"], ["--list", "--format", "json"], ["--list", "--no-cache"]),
    ],
)
def test_nothing_heavy_is_imported(flags):
    code, modules = json.loads(python("-c", LOADED, *flags).splitlines()[-1])
    assert code == 0
    assert not HEAVY & {module.split(".")[0] for module in modules}
    ours = {module for module in modules if module.startswith(("assay", "evaluator"))}
    assert not any(
        module.startswith(("assay.language", "assay.sandboxes", "assay.report", "assay.models"))
        for module in ours
    )
    assert not ours & {"assay.records", "assay.dialogue"}, "their many classes take a tenth of the time"


def test_a_run_imports_nothing_that_few_runs_need():
    code = "import sys, assay.cli.run, evaluator\nprint(*sys.modules)"
    rare = {"importlib.metadata", "email", "http", "zipfile", "tomllib", "httpx", "aiohttp", "rich", "numpy"}
    assert not rare & set(python("-c", code).split())


def cpu_seconds(*arguments):
    """Of one process; wall time would measure what else this machine is doing."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    python(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("flags", [["--help"], ["run", "--help"], ["--list"]])
def test_at_most_ten_times_an_empty_python(flags):
    python("main.py", *flags)
    pairs = [(cpu_seconds("main.py", *flags), cpu_seconds("-c", "pass")) for _ in range(7)]
    ours, empty = (min(each) for each in zip(*pairs, strict=True))
    assert ours < 10 * empty, f"{ours:.3f} s against {empty:.3f} s"


@pytest.mark.parametrize(
    "command", ["list", "doctor", "run print_hello --model oracle", "run euler --model oracle"]
)
def test_a_python_without_the_libraries_is_told_of_in_one_line(command, tmp_path):
    """-S leaves out what is installed, as the machine's own Python does before `make setup`."""
    line = [sys.executable, "-S", str(ROOT / "main.py"), *command.split()]
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "lacks msgspec" in done.stderr and "make setup" in done.stderr
