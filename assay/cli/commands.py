"""The table of subcommands: the purpose of each, its arguments, and the flag of `python main.py` that means
the same. The module of that name in this folder runs it, by `command(options, root)`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from assay.cli.flags import Flag, flag

ENGINES = ("podman", "docker")  # that can build the image


class Command(NamedTuple):  # the import of dataclasses takes as long as all of --help
    """Its page of help is help/<name>.txt. `words`: its arguments, as help shows them, from `least` to
    `most`, kept in `options.<dest>`. `old`: the flag that means the same without a subcommand; if `old_about`
    says so, it takes the arguments. `own`: flags that only the subcommand has."""

    name: str
    summary: str
    words: str = ""
    dest: str = ""
    least: int = 0
    most: int = 1 << 30
    old: str = ""
    old_about: Mapping[str, Any] | None = None
    own: tuple[Flag, ...] = ()

    @property
    def old_dest(self) -> str:
        """The attribute that holds the value of `old`."""
        return self.dest if self.old_about else f"do_{self.name}"

    def page(self) -> tuple[str, str]:
        """The text of its help before the flags, and after them: examples."""
        text = _text(self.name)
        for part in ("test", "exit-codes"):
            text = text.replace(f"{{{part}}}", _text(part).rstrip())
        about, examples, rest = text.partition("examples:\n")
        return about, examples + rest


def _text(name: str) -> str:
    return (Path(__file__).parent / "help" / f"{name}.txt").read_text("utf-8")


_ROWS = (
    Command("run", "run tests on models and save every result", "[TEST ...]", "cli_words", old="--run-tests"),
    Command("show", "show saved results as tables", "[MODEL ...]", "model", old="--load-saved"),
    Command("report", "write the HTML report of saved results", "[MODEL ...]", "model"),
    Command(
        "compare", "compare two models, commits or runs", "A B", "compare", least=2, most=2,
        old="--compare", old_about={"nargs": 2, "metavar": ("A", "B"), "default": []},
    ),
    Command(
        "rescore", "judge saved replies with the current tests, asking no model", "RUN ...", "rescore",
        least=1, old="--rescore",
        old_about={"action": "extend", "nargs": "+", "metavar": "RUN", "default": []},
    ),
    Command(
        "export", "write saved results as CSV, Parquet, JUnit or inspect_ai logs", "[FORMAT=]PATH ...",
        "export", least=1,
    ),
    Command("list", "list tests with their tags and descriptions", "[TEST ...]", "cli_words", old="--list"),
    Command(
        "explain", "draw the steps of a test, and what each one does", "TEST ...", "cli_words", least=1,
        old="--explain", old_about={"action": "append", "metavar": "TEST", "default": []},
    ),
    Command(
        "lint", "find mistakes in tests before a model is asked", "[TEST ...]", "cli_words",
        old="--lint-tests",
    ),
    Command(
        "new", "write a test and its references to start from", "NAME", "new_test", least=1, most=1,
        old="--new-test",
        old_about={"nargs": "+", "metavar": ("NAME", "LANGUAGE"), "default": []},
        own=(
            flag("new", "--language", metavar="LANGUAGE", dest="new_language",
                 help="the language of the test's programs (default: python)"),
        ),
    ),
    Command("doctor", "show what works here: sandboxes, languages, browser, keys", old="--doctor", most=0),
    Command(
        "conformance", "try a sandbox, a language, an export ... of a package", "KIND:NAME ...",
        "conformance", least=1,
    ),
    Command(
        "image", "build the sandbox image: compilers, browser, numeric Python", most=0,
        own=(
            flag("image", "--engine", choices=ENGINES, default="", dest="image_engine",
                 help="what builds it (default: podman if it is here, or else docker)"),
            flag("image", "--base", metavar="IMAGE", default="",
                 help="an image to start from (default: Debian's, or one made of its packages)"),
            flag("image", "--force", action="store_true", help="build even if nothing has changed"),
            flag("image", "--path", action="store_true", help="print the folder of its files instead"),
        ),
    ),
)  # fmt: skip
COMMANDS: Mapping[str, Command] = {each.name: each for each in _ROWS}
