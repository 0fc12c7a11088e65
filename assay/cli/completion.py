"""--completion: the scripts by which bash, zsh and fish complete the command line (completions/).

They ask the program itself (complete.py), so they need no renewal when flags or tests change. For `python
main.py` they look whether that main.py is Assay's before they run it: completion must not start a stranger's
program.
"""

from __future__ import annotations

from pathlib import Path

SCRIPTS = Path(__file__).with_name("completions")


def script(shell: str) -> str:
    """The script for one of assay.cli.arguments.SHELLS."""
    return (SCRIPTS / f"assay.{shell}").read_text("utf-8")
