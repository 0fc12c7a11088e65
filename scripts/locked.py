"""What `make setup EXTRAS="NAME ..."` installs: requirements.lock, then what the extras add to it.

    python scripts/locked.py EXTRA...            pins with hashes, from requirements-extra.lock
    python scripts/locked.py --ranges EXTRA...   the ranges of requirements.txt and pyproject.toml
    python scripts/locked.py --names             the extras that there are

requirements-extra.lock says in its first lines what each extra adds. Standard library only.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OF_EXTRA = re.compile(r"^# (\w+): (.*)$", re.MULTILINE)


def extras() -> dict[str, list[str]]:
    """Extra -> its ranges. `all` is those of all others."""
    found: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    found.pop("all")
    return {**found, "all": [line for lines in found.values() for line in lines]}


def pins(text: str) -> dict[str, str]:
    """Library -> its lines of a lock file."""
    blocks = re.findall(r"^(?:[\w.-]+==.*\\\n)(?:    --hash=.*\n)+", text, re.MULTILINE)
    return {block.partition("==")[0]: block for block in blocks}


def locked(names: Sequence[str]) -> str:
    base = (ROOT / "requirements.lock").read_text("utf-8")
    every = (ROOT / "requirements-extra.lock").read_text("utf-8")
    added = {name: libraries.split() for name, libraries in OF_EXTRA.findall(every)}
    wanted = {library for name in names for library in added[name]}
    return base + "".join(block for library, block in pins(every).items() if library in wanted)


def ranges(names: Sequence[str]) -> str:
    lines = [line for name in names for line in extras()[name]]
    return (ROOT / "requirements.txt").read_text("utf-8") + "".join(f"{line}\n" for line in lines)


def main() -> int:
    if sys.argv[1:] == ["--names"]:
        print("\n".join(extras()))
        return 0
    make, names = (ranges, sys.argv[2:]) if sys.argv[1:2] == ["--ranges"] else (locked, sys.argv[1:])
    if unknown := sorted(set(names) - set(extras())):
        known = ", ".join(extras())
        print(f"setup: no extra is called {', '.join(unknown)}; there are {known}", file=sys.stderr)
        return 2
    sys.stdout.write(make(names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
