"""Our own programs inside a sandbox, as `python3 -I -c SOURCE`: -I, so that no file in the work directory
stands in for a module of the standard library."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

NOTHING = ("true",)  # a command that only writes the files sent with it
OURS = ("from __future__ import", "from assay.")


@cache
def file_text(name: str) -> str:
    """A file of sources/, or a program of this folder."""
    folder = Path(__file__).parent
    return (folder if name.endswith(".py") else folder / "sources").joinpath(name).read_text(encoding="utf-8")


def filled(name: str, **parts: str) -> str:
    """A file of sources/ with its @parts@ filled in."""
    return re.sub(r"@(\w+)@", lambda found: parts[found[1]], file_text(name))


@cache
def source_of(*names: str) -> str:
    """These modules of this folder as the text of one program. Each may import from those before it."""
    texts = [file_text(f"{name}.py") for name in names]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith(OURS)]
    return "from __future__ import annotations\n" + "\n".join(lines)


def command_of(*names: str) -> list[str]:
    return ["python3", "-I", "-c", source_of("inside_library", *names)]
