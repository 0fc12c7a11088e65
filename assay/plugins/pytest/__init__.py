"""Assay tests as pytest items: `pytest my_tests/print_hello.py --model openai/gpt-4o`.

pytest imports this wherever Assay is installed, so it is light and does nothing until a model is named by
--model or by assay_model in pytest's settings. See docs/pytest.md.
"""

from __future__ import annotations

import shlex
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

FLAGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("model", {"action": "append", "metavar": "M", "default": [],
               "help": "run Assay's tests on this model, e.g. openai/gpt-4o or oracle; repeatable"}),
    ("times", {"metavar": "N", "help": "trials of each test (default 1; with oracle, one per reference)"}),
    ("judge", {"metavar": "M", "help": "the model that judges answers (default: judge in config.json)"}),
    ("vision-judge", {"metavar": "M", "help": "the model that judges pictures"}),
    ("sandbox", {"metavar": "NAME", "help": "what runs models' code (default: the first that works)"}),
    ("max-cost", {"metavar": "USD", "help": "stop once the trials have cost this many US dollars"}),
    ("config", {"metavar": "FILE", "help": "the settings file (default: config.json here, if there is one)"}),
    ("logdir", {"metavar": "DIR", "help": "the folder for results (default: results/)"}),
    ("flags", {"metavar": "'FLAGS'", "default": "", "help": "more flags of the command `assay`"}),
)  # fmt: skip
ONLY_LONG = ("flags",)
NOTHING_RAN = (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("assay_model", "models to run Assay's tests on if --model is not given", "args", default=[])
    parser.addini("assay_flags", "flags of the command `assay`, e.g. --times 3", "args", default=[])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(parser: pytest.Parser) -> Generator[None, Any, Any]:
    """Add the options last, after those of every plugin and conftest.py: a name that is in use stays with its
    owner."""
    result = yield
    add_options(parser)
    return result


def add_options(parser: pytest.Parser) -> None:
    """Add each option under two names, --model and --assay-model; the shorter one only if it is free."""
    groups = dict.fromkeys((*parser._groups, parser._anonymous))
    taken = {name for group in groups for option in group.options for name in option.names()}
    if "--assay-model" in taken:
        return
    from assay.home import docs_page

    group = parser.getgroup("assay", f"Assay: tests of language models ({docs_page('pytest')})")
    for name, more in FLAGS:
        short = [] if f"--{name}" in taken or name in ONLY_LONG else [f"--{name}"]
        group.addoption(*short, f"--assay-{name}", dest=f"assay_{name.replace('-', '_')}", **more)


def pytest_configure(config: pytest.Config) -> None:
    argv = _command_line(config)
    if argv:
        from assay.plugins.pytest.items import Assay

        config.pluginmanager.register(Assay(config, argv), "assay-session")


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """If there was nothing to run, unless pytest's options chose that, say what tests of Assay need."""
    if exitstatus not in NOTHING_RAN or config.pluginmanager.has_plugin("assay-session"):
        return
    if terminalreporter.stats.get("deselected"):
        return
    if found := _tests_of_assay(config.args):
        terminalreporter.write_line(
            f"{found} has tests of language models: name a model, as in `pytest {found} --model oracle`"
        )


def _tests_of_assay(arguments: list[str]) -> str:
    """The first of these files and folders that has Assay's tests, or ''."""
    from assay.suites.listing import NOT_TESTS, imports_the_language

    for each in dict.fromkeys(argument.partition("::")[0] for argument in arguments):
        path = Path(each)
        for file in path.glob("*.py") if path.is_dir() else [path]:
            pytests_own = file.name.startswith("test_") or file.name in NOT_TESTS  # may use the language, too
            if file.suffix == ".py" and not pytests_own and imports_the_language(file):
                return each
    return ""


def _command_line(config: pytest.Config) -> list[str]:
    """The pytest options as a command line of `assay`; empty if no model is named."""
    given = {name: getattr(config.option, f"assay_{name.replace('-', '_')}", None) for name, _ in FLAGS}
    models = given.pop("model") or config.getini("assay_model")
    if not models:
        return []
    further = [*config.getini("assay_flags"), *shlex.split(given.pop("flags") or "")]
    own = [word for name, value in given.items() if value for word in (f"--{name}", str(value))]
    return ["run", *further, *own, *(word for model in models for word in ("--model", model))]
