"""Where things are, and what commands are called, in a checkout of the repository and in an installation.

An installed package has the benchmarks in assay/benchmarks/; a checkout has them in tests/.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = None if (PACKAGE / "benchmarks").is_dir() else PACKAGE.parent
BENCHMARKS = CHECKOUT / "tests" if CHECKOUT else PACKAGE / "benchmarks"
BUILD_IMAGE = "make image" if CHECKOUT else "assay image"


def home() -> Path:
    """The default folder of config.json, .env and the cache: the working directory, unless Assay runs from a
    checkout and the working directory has no config.json."""
    here = Path.cwd()
    return here if CHECKOUT is None or (here / "config.json").is_file() else CHECKOUT


def program() -> str:
    """The program that the user started: main.py of a checkout, or assay."""
    started = Path(sys.argv[0])
    is_assay = started.name == "assay" or started == PACKAGE / "__main__.py"
    return "main.py" if CHECKOUT and not is_assay else "assay"


def typed() -> str:
    """The command to copy into a shell: as the user typed it, if that is known."""
    name, started, python = program(), sys.argv[0], sys.orig_argv[0]
    if name == "main.py":
        return shlex.join([python, started if Path(started).name == name else name])
    if Path(started) == PACKAGE / "__main__.py":
        return shlex.join([python, "-m", name])
    on_path = shutil.which(name) == started or Path(started).name != name
    return name if on_path else shlex.quote(started)


def docs_page(name: str) -> str:
    """Where a page of the documentation is, for messages: an installation has no pages."""
    return f"docs/{name}.md" if CHECKOUT else f"docs/{name}.md in Assay's repository"


def config_example() -> str:
    """The path of the file that explains every setting of config.json, seen from the working directory."""
    path, here = (CHECKOUT or PACKAGE) / "config.json.example", Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def cache_folder() -> Path:
    """The folder for what can be made again and belongs to no run: a checkout's .cache, else the user's."""
    return CHECKOUT / ".cache" if CHECKOUT else user_cache()


def user_cache() -> Path:
    """The user's folder for what can be made again."""
    return _user_folder("XDG_CACHE_HOME", "~/.cache")


def tool(name: str) -> str | None:
    """The path of a program: on the PATH, or unpacked by scripts/system_tools.sh. None if there is none."""
    unpacked = CHECKOUT / ".cache/tools/usr/bin" if CHECKOUT else None
    return shutil.which(name) or (shutil.which(name, path=unpacked) if unpacked else None)


def data_folder() -> Path:
    """The folder for downloads of a benchmark that are kept, if its own folder is read-only."""
    return _user_folder("XDG_DATA_HOME", "~/.local/share")


def _user_folder(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or Path(default).expanduser()) / "assay"
