"""--help and --list import nothing heavy and are quick."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "openai", "anthropic", "litellm", "docker", "httpx", "rich", "jinja2", "pygments", "markdown_it", "numpy",
    "scipy", "matplotlib", "PIL", "selenium", "asyncio", "ssl", "sqlite3", "subprocess", "multiprocessing",
}  # fmt: skip
LOADED = (
    "import sys, runpy\nsys.argv = ['main.py', *sys.argv[1:]]\n"
    "try:\n    runpy.run_path('main.py', run_name='__main__')\n"
    "except SystemExit as end:\n    code = end.code\n"
    "import json\nprint('\\n' + json.dumps([code, sorted(sys.modules)]))"
)


def python(*arguments):
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "flags", [["--help"], ["--list"], ["--list", "--format", "json"], ["--list", "--no-cache"]]
)
def test_nothing_heavy_is_imported(flags):
    code, modules = json.loads(python("-c", LOADED, *flags).splitlines()[-1])
    assert code == 0
    assert not HEAVY & {module.split(".")[0] for module in modules}
    ours = {module for module in modules if module.startswith(("assay", "llm", "evaluator"))}
    assert not any(
        module.startswith(("assay.nodes", "assay.sandboxes", "assay.report", "llm")) for module in ours
    )


def fastest(*arguments, times=7):
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        python(*arguments)
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


@pytest.mark.parametrize("flags", [["--help"], ["--list"]])
def test_at_most_ten_times_an_empty_python(flags):
    python("main.py", *flags)
    assert fastest("main.py", *flags) < 10 * fastest("-c", "pass")
