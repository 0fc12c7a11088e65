"""Work that writes a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.records import Message
from evaluator import Call


class Writes:
    """A model that writes one file, whose text is made when a trial asks for it, and is done."""

    def __init__(self, name: str, text: Callable[[], str]) -> None:
        self.name, self.text = name, text

    def __call__(self, messages: Sequence[Message]) -> Call | str:
        if messages[-1].role != "user":
            return "It is mended."
        return Call(
            "shell", command=f"cat > {self.name} <<'END_OF_FILE'\n{self.text().rstrip()}\nEND_OF_FILE"
        )
