"""Values that fit at a place of the command line, for completion by shells.

`assay --complete SHELL WORD...` prints how the shell should treat the answer (values, values without a space
behind them, files, folders), then a line for each value, with its meaning after a tab.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.cli.arguments import look, make_parser
from assay.cli.commands import COMMANDS, Command
from assay.cli.flags import OF_SAVED
from assay.cli.request import selection_of
from assay.errors import AssayError, ConfigError
from assay.extensions import extensions

Kind = Literal["values", "nospace", "files", "dirs"]
# A shell inserts the value unquoted: only plain names are offered of those that others chose.
PLAIN = re.compile(r"[\w.:/@+=,%*-]+", re.ASCII)
FILES = {"config", "endpoint", "rescore"}
FOLDERS = {"logdir", "report_dir", "tests"}
MANY = ("_AppendAction", "_ExtendAction")  # of argparse: flags that may be given again


@dataclass(frozen=True)
class Answer:
    """`values`: value -> what it means."""

    kind: Kind
    values: dict[str, str]

    def text(self) -> str:
        """As it is printed."""
        rows = [f"{value}\t{_line(said)}" for value, said in self.values.items() if PLAIN.fullmatch(value)]
        return "\n".join([self.kind, *rows]) + "\n"


def _line(text: str) -> str:
    """A description that fits into a menu."""
    flat = "".join(each if each.isprintable() else " " for each in text)
    return flat.partition(";")[0].replace("%%", "%")[:70]


Models = Callable[[], Mapping[str, str]]
AddSuiteFlags = Callable[[argparse.Namespace, argparse.ArgumentParser, Path], object]


def script(shell: str) -> str:
    """The script by which one of assay.cli.arguments.SHELLS completes (completions/). It asks the program
    itself, so it needs no renewal when flags or tests change. For `python main.py` it looks whether that
    main.py is Assay's before it runs it: completion must not start a stranger's program."""
    return (Path(__file__).with_name("completions") / f"assay.{shell}").read_text("utf-8")


def complete(
    words: Sequence[str], root: Path, add_suite_flags: AddSuiteFlags, known_models: Models
) -> Answer:
    """The values that fit in place of the last of `words`, the arguments so far; it may be empty or
    incomplete."""
    *before, current = words or [""]
    if not before and not current.startswith("-"):
        return _fitting(Answer("values", {each.name: each.summary for each in COMMANDS.values()}), current)
    command = COMMANDS.get(before[0]) if before else None
    before = before[1:] if command else before
    options, actions = _parsed(command, before, root, add_suite_flags)
    flag, equals, begun = current.partition("=")
    if equals and flag in actions:
        found = _values(actions[flag], begun, options, root, known_models)
        return Answer(found.kind, {f"{flag}={value}": said for value, said in found.values.items()})
    last = before[-1] if before else ""
    if before[-2:-1] in (["--compare"], ["--new-test"]):  # which take two
        last = before[-2]
    if not current.startswith("-"):
        if last in actions and actions[last].nargs != 0:
            return _fitting(_values(actions[last], current, options, root, known_models), current)
        if "--rescore" in before:
            return Answer("files", {})
        if command and command.dest not in ("", "new_test") and len(options.cli_given) < command.most:
            word = argparse.Action([], command.dest)
            return _fitting(_values(word, current, options, root, known_models), current)
    return _fitting(Answer("values", _flags(actions, before)), current)


def _fitting(answer: Answer, begun: str) -> Answer:
    return Answer(answer.kind, {v: said for v, said in answer.values.items() if v.startswith(begun)})


def _parsed(
    command: Command | None, before: Sequence[str], root: Path, add_suite_flags: AddSuiteFlags
) -> tuple[argparse.Namespace, dict[str, argparse.Action]]:
    """The arguments so far, as far as they can be parsed, and every flag."""
    parser = make_parser(command)
    try:  # without a flag that has no value yet
        options, _ = look(command, before[:-1] if before and before[-1].startswith("-") else before, parser)
    except ConfigError:
        options, _ = look(command, [], parser)
    if options.suite or options.cli_words or options.tier:
        with contextlib.suppress(AssayError, argparse.ArgumentError, ImportError):
            add_suite_flags(options, parser, root)  # the command itself will say what is wrong
        for name, value in vars(parser.parse_known_args([])[0]).items():
            if name not in options:
                setattr(options, name, value)
    return options, {flag: action for action in parser._actions for flag in action.option_strings}


def _flags(actions: dict[str, argparse.Action], before: Sequence[str]) -> dict[str, str]:
    """Every flag that may still be given."""
    given = {id(actions[word]) for word in before if word in actions}
    return {
        flag: action.help or ""
        for flag, action in actions.items()
        if flag.startswith("--")
        and action.help != argparse.SUPPRESS
        and (id(action) not in given or type(action).__name__ in MANY)
    }


def _values(
    action: argparse.Action, begun: str, options: argparse.Namespace, root: Path, known_models: Models
) -> Answer:
    """The values that may follow a flag, or be an argument that `action` stores."""
    name = action.dest
    if action.choices:
        return Answer("values", dict.fromkeys(map(str, action.choices), ""))
    if name == "export":
        return Answer("files", {}) if "=" in begun else Answer("nospace", _exports())
    if name in FILES or name in FOLDERS or (name == "cli_words" and "/" in begun):
        return Answer("dirs" if name in FOLDERS else "files", {})
    if name in ("model", "judge", "vision_judge"):
        return Answer("values", _models(options, root, known_models))
    makers: dict[str, Callable[[argparse.Namespace, Path], dict[str, str]]] = {
        "compare": _recorded, "fail_if_worse_than": lambda *place: _recorded(*place) | _commits(*place),
        "suite": _suites, "test": _tests, "cli_words": lambda *place: _tests(*place) | _suites(*place),
        "new_test": _languages, "new_language": _languages, "tag": _tags, "runid": _runs,
        "only_changed": _commits, "sandbox": _sandboxes,
        "engine": lambda *_: _plain(("local", *extensions("assay.engines"))),
        "observer": lambda *_: _plain(extensions("assay.observers")),
        "reasoning_effort": lambda options, root: _plain(("low", "medium", "high")),
    }  # fmt: skip
    if name not in makers:
        return Answer("values", {})
    try:
        return Answer("values", makers[name](options, root))
    except (AssayError, OSError):
        return Answer("values", {})


def _plain(values: Iterable[str]) -> dict[str, str]:
    return dict.fromkeys(values, "")


def _languages(options: argparse.Namespace, root: Path) -> dict[str, str]:
    from assay.cli.new import LANGUAGES

    return {name: f"a test in {shape.title}" for name, shape in LANGUAGES.items()}


def _exports() -> dict[str, str]:
    return {f"{name}=": "then a file or folder" for name in sorted(extensions("assay.exports"))}


def _suites(options: argparse.Namespace, root: Path) -> dict[str, str]:
    from assay.records import FROM_PYTHON
    from assay.suites.selection import APPLIED, other_suites

    own = other_suites(selection_of(options, root).suite_folders())
    return _plain((APPLIED, *own, *[FROM_PYTHON] * (options.cli_command in OF_SAVED.split()), "all"))


def _listed(options: argparse.Namespace, root: Path) -> list[tuple[str, str, tuple[str, ...]]]:
    """(id, description, tags) of the tests: the applied ones from the list that --list keeps."""
    from assay.cli.list import listed
    from assay.suites.choice import Choice
    from assay.suites.listing import list_tests
    from assay.suites.selection import APPLIED

    selection = selection_of(options, root)
    if selection.suites and APPLIED not in selection.suites:
        rows = listed(selection, Choice(), [])
        return [(row["test"], row["description"], tuple(row["tags"])) for row in rows]
    files = list_tests(selection.test_folders(), root / ".cache" / "listing.json")
    return [(test.id, test.description, test.tags) for file in files for test in file.tests]


def _tests(options: argparse.Namespace, root: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    rows = _listed(options, root)
    for test, description, _ in rows:
        found.setdefault(test.partition(".")[0], description)
    return found | {test: description for test, description, _ in rows}


def _tags(options: argparse.Namespace, root: Path) -> dict[str, str]:
    return _plain(sorted({tag for _, _, tags in _listed(options, root) for tag in tags}))


def _recorded(options: argparse.Namespace, root: Path) -> dict[str, str]:
    return {
        _model_of(folder.name): "recorded"
        for folder in (options.logdir or root / "results").glob("*/*/")
        if folder.parent.name != "images" and any(folder.glob("run-*.jsonl"))
    }


def _models(
    options: argparse.Namespace, root: Path, known_models: Callable[[], Mapping[str, str]]
) -> dict[str, str]:
    """Models with results first, then those of config.json, oracle and saboteur, and those with a known
    price."""
    found = _recorded(options, root)
    try:
        config = json.loads((options.config or root / "config.json").read_text("utf-8"))
        names = [config.get("model"), config.get("judge"), *config.get("models", ())]
    except (OSError, ValueError, AttributeError, TypeError):
        names = []
    for name in names:
        if isinstance(name, str):
            found.setdefault(name, "of config.json")
    for name, words in known_models().items():
        found[name] = words or found.get(name, "")
    return found


def _model_of(folder: str) -> str:
    """The model whose results lie in a folder (assay.results.store.folder_name)."""
    from urllib.parse import unquote

    return "/".join(unquote(part) for part in folder.split("__"))


def _runs(options: argparse.Namespace, root: Path) -> dict[str, str]:
    files = (options.logdir or root / "results").glob("*/*/run-*.jsonl")
    return _plain(sorted({path.stem.removeprefix("run-") for path in files}))


def _commits(options: argparse.Namespace, root: Path) -> dict[str, str]:
    """Branches and tags, and what is not committed."""
    import subprocess

    command = ["git", "for-each-ref", "--count=200", "--format=%(refname:short)", "refs"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=5)
    return _plain([".", "HEAD", *done.stdout.split()])


def _sandboxes(options: argparse.Namespace, root: Path) -> dict[str, str]:
    from assay.sandboxes.backends.registry import names

    return _plain(("auto", *names()))
