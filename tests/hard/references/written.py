"""Work that writes a file of rows, for references of families whose picture is in the question only."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator import Call, Script

from ..photographed import as_rows


def written(name: str, rows: Mapping[str, str] | str) -> Script:
    """The file is written in one call."""
    text = rows if isinstance(rows, str) else as_rows(rows)
    return Script(f"cat > {name} <<'END_OF_FILE'\n{text}END_OF_FILE")


def refused(name: str) -> list[object]:
    """A look at the file, and nothing done."""
    return [Call("shell", command=f"cat {name}"), "I cannot tell from this picture."]
