"""Our own programs inside a sandbox, as `python3 -I -c SOURCE`: -I, so that no file in the work directory
stands in for a module of the standard library."""

from __future__ import annotations

from functools import cache
from pathlib import Path

OURS = ("from __future__ import", "from assay.")


@cache
def source_of(*names: str) -> str:
    """These modules of this folder as the text of one program. Each may import from those before it."""
    texts = [(Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8") for name in names]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith(OURS)]
    return "from __future__ import annotations\n" + "\n".join(lines)


def command_of(*names: str) -> list[str]:
    return ["python3", "-I", "-c", source_of("inside_library", *names)]
