"""inspect_ai in an environment of its own, .cache/venv-inspect: its dependencies need not fit ours.

The measurements race against it (bench/), the tests read exported logs with it.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / ".cache" / "venv-inspect"
PYTHON = FOLDER / "bin" / "python"
WANTED = ("inspect_ai>=0.3.280,<0.4", "openai", "pandas>=2.2,<4", "pyarrow>=17,<30")
SHOW = "from importlib.metadata import version as v; v('pandas'); v('pyarrow'); print(v('inspect_ai'))"


def install_inspect() -> str:
    """Make the environment unless it is there; inspect_ai's version."""
    FOLDER.parent.mkdir(exist_ok=True)
    with FOLDER.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two at once would write into one another's
        if not PYTHON.exists():
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(FOLDER)], check=True)
        show = [str(PYTHON), "-c", SHOW]
        found = subprocess.run(show, capture_output=True, text=True, check=False)
        if found.returncode:
            pip = [sys.executable, "-m", "pip", "--python", str(PYTHON), "install", "-q", "--no-input"]
            subprocess.run([*pip, *WANTED], check=True, stdin=subprocess.DEVNULL)
            found = subprocess.run(show, capture_output=True, text=True, check=True)
    return found.stdout.strip()
