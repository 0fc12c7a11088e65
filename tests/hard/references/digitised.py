"""Work on sheets that come with the task: a look at the folder, and answers that were found elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator import Call


def said(found: Mapping[str, int], mark: str = "", form: str = "") -> str:
    """A reply with these numbers."""
    lines = (f"{mark}{name}{mark}: {number:{form}}" for name, number in found.items())
    return "\n".join(["All of the sheet is read.\n", *lines])


def work(found: Mapping[str, int], mark: str = "", form: str = "") -> list[object]:
    """A look at the tables, then the reply."""
    return [Call("shell", command="head -n 3 *"), said(found, mark, form)]
