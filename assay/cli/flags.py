"""Every flag, declared once: which subcommands take it, and what it means. Imports almost nothing: --help
must be quick."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from assay.home import docs_page


class Flag(NamedTuple):  # the import of dataclasses takes as long as all of --help
    """`commands`: those that take it. `about`: keyword arguments for argparse."""

    names: tuple[str, ...]
    commands: tuple[str, ...]
    about: Mapping[str, Any]

    @property
    def dest(self) -> str:
        """The attribute that holds its value."""
        return str(self.about.get("dest") or self.names[0].lstrip("-").replace("-", "_"))

    @property
    def default(self) -> Any:
        """Its default value."""
        return self.about.get("default", False if self.about.get("action") == "store_true" else None)

    @property
    def signs(self) -> tuple[str, ...]:
        """All words that give it."""
        both = self.about.get("action") is argparse.BooleanOptionalAction
        return (*self.names, *(name.replace("--", "--no-", 1) for name in self.names if both))


def flag(commands: str, *names: str, **about: Any) -> Flag:
    """A flag by all its names; `commands` between spaces."""
    return Flag(names, tuple(commands.split()), about)


# ---------------------------------------------------------------- values


def _checked(read: Callable[[str], Any], fits: Callable[[Any], bool], wanted: str) -> Callable[[str], Any]:
    """A reader of values. `wanted`: what a value must be."""

    def reader(text: str) -> Any:
        try:
            value = read(text)
        except ValueError:
            value = None
        if value is None or not fits(value):
            raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}")
        return value

    return reader


def _whole(text: str) -> int:
    if not text.isdecimal():  # int() reads signs, spaces and underscores too
        raise ValueError
    return int(text)


def _percent(text: str) -> float:
    return float(text.removesuffix("%"))


count = _checked(_whole, lambda value: value >= 1, "a whole number above 0")
count_or_zero = _checked(_whole, lambda value: True, "a whole number of 0 or more")
port = _checked(_whole, lambda value: value <= 65535, "a port (1 to 65535)")
seconds = _checked(float, lambda value: 0 < value < float("inf"), "a number of seconds above 0")
named = _checked(
    str, lambda value: bool(value.strip()), "the name of a model; is a variable of your shell unset?"
)
amount = _checked(float, lambda value: 0 <= value < float("inf"), "a number of 0 or more")
percent = _checked(_percent, lambda value: 0 <= value <= 100, "between 0 and 100")
confidence = _checked(
    lambda text: _percent(text) / 100, lambda value: 0.5 <= value <= 0.999, "between 50 and 99.9"
)


def lowest_rate(text: str) -> float:
    """A percentage that cannot be taken for a share, below which nearly no model would be."""
    value: float = percent(text)
    if 0 < value <= 1 and not text.endswith("%"):
        share = f"{100 * value:g}"
        raise argparse.ArgumentTypeError(
            f"{text} may mean {share}% or {value:g}%; write {share} or {value:g}%"
        )
    return value


def text_or_file(text: str) -> str:
    """The text itself, or with @ before it the content of the file of that name."""
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise argparse.ArgumentTypeError(f"cannot read {text[1:]}: {why}") from None


def json_object(text: str) -> dict[str, Any]:
    """An object in JSON."""
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        example = '\'{"temperature": 0.2, "max_tokens": 500}\''
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not a JSON object; write e.g. {example}")
    return found


# ---------------------------------------------------------------- flags

TRIALS = "run rescore"
SAVED = "show report export"
OF_SAVED = f"{SAVED} compare rescore"
SHOWN = "run show rescore"
TESTS = f"run {OF_SAVED} list lint explain"

# fmt: off
GROUPS: Mapping[str, tuple[Flag, ...]] = {
    "which models": (
        flag(f"{SAVED} {TRIALS}", "--model", action="append", metavar="M", default=[],
             help="provider/model, e.g. openai/gpt-4o, with its own settings if you like, e.g. "
                  "openai/gpt-5+reasoning_effort=low; oracle replays the right answers, saboteur the wrong "
                  "ones; repeatable (default: model in config.json; of saved results, all models)"),
        flag("run", "--endpoint", action="append", metavar="FILE", default=[],
             help="a JSON file with the name, model, key and endpoint of an OpenAI-compatible server; "
                  "repeatable"),
        flag(f"run {SAVED}", "--all-models", action="store_true",
             help="all models in config.json or, if it lists none, all models of the local Ollama server; "
                  "of saved results, every model that has some"),
        flag("run", "--judge", type=named, metavar="M",
             help="the model that judges answers (default: judge in config.json)"),
        flag("run", "--vision-judge", type=named, metavar="M",
             help="the model that judges pictures (default: vision_judge in config.json)"),
    ),
    "how to ask the models (not the judges)": (
        flag("run", "--system-prompt", type=text_or_file, metavar="TEXT",
             help="a system message before every dialogue; @FILE takes it from a file"),
        flag("run", "--think", action=argparse.BooleanOptionalAction,
             help="let the model think before it answers, or do not (default: the model's own)"),
        flag("run", "--reasoning-effort", metavar="WORD",
             help="low, medium, high, or another word that the model knows"),
        flag("run", "--thinking-budget", type=count, metavar="N",
             help="most tokens that it may use to think"),
        flag("run", "--params", type=json_object, metavar="JSON",
             help="other parameters, e.g. '{\"temperature\": 0.2}'; they override hparams in config.json"),
        flag("run", "--retries", type=count_or_zero, metavar="N",
             help="retries of a transient failure (default 4; suite arithmetic: 3)"),
    ),
    "which tests": (
        flag(TESTS, "--suite", action="append", metavar="NAME",
             default=[], help="applied (default), another suite in tests/, or all; for saved results of "
                  "tests given from Python: tests; repeatable"),
        flag(TESTS, "--test", action="append", metavar="NAME", default=[],
             help="a test (print_hello.TestPrintHello), its file (print_hello) or a pattern ('fix_*'); "
                  "repeatable"),
        flag(TESTS, "--tag", action="append", metavar="T", default=[],
             help="only tests with this tag; repeatable, for tests with any of the tags"),
        flag(TESTS, "--tier", action="append", choices=["easy", "medium", "hard"], default=[],
             help="only tests of this measured difficulty, of all suites or those of --suite; repeatable"),
        flag("run list", "--only-changed", metavar="COMMIT",
             help="only tests whose file, imports, references or data changed in COMMIT or since then; HEAD "
                  "includes the last commit, and . is only what is not committed. If nothing is named, tests "
                  "in folders inside tests/ and changed suites count, too"),
        flag(f"{TESTS} new doctor", "--tests", action="append", metavar="DIR", default=[],
             help="take tests from DIR (default: tests/ here, or else the tests that come with Assay)"),
    ),
    "how to run": (
        flag("run", "--times", type=count, metavar="N",
             help="trials of each test (default 1; for oracle and saboteur, one for each reference; for "
                  "suite arithmetic, 10)"),
        flag("run", "--dry-run", action="store_true",
             help="show what the run would ask, how much is cached, and the cost; run nothing"),
        flag(TRIALS, "--resume", action="store_true",
             help="resume the last run: run only the trials that are missing or ended in ERROR; given alone, "
                  "with exactly that run's models, tests and flags"),
        flag("run", "--batch", action="store_true",
             help="ask by the batch APIs of OpenAI and Anthropic, for half the price: replies take up to 24 "
                  "hours; a run that was stopped goes on with --resume"),
        flag("run", "--skip-existing", action="store_true",
             help="skip trials that have a verdict in any saved run of any commit"),
        flag(TRIALS, "--runid", metavar="K",
             help="the run's name, so that several runs can be kept (default: the next number)"),
        flag("rescore", "--reuse-steps", action="store_true",
             help="do not run a command again that ran in the saved trial on the same files"),
        flag(TRIALS, "--max-connections", type=count, metavar="N",
             help="concurrent calls to each provider (default 10)"),
        flag("run", "--max-cost", type=amount, metavar="USD",
             help="stop when this command has cost this much; --resume goes on"),
        flag("run", "--max-tokens", type=count, metavar="N",
             help="stop when this command has used this many tokens; --resume goes on"),
        flag(TRIALS, "--trial-time-limit", type=seconds, metavar="S", dest="trial_time_limit_s",
             help="seconds for a trial with all its calls and steps; one that takes longer is an ERROR "
                  "(default: trial_time_limit_s in config.json, or else an hour)"),
        flag(f"{TRIALS} list", "--no-cache", action="store_true",
             help="neither read nor write the cache: ask, run and read everything again"),
        flag("run", "--observer", metavar="NAME", default="",
             help=f"let an installed plugin watch the run ({docs_page('extending')})"),
        flag("run", "--otel", action="store_true",
             help="send OpenTelemetry traces to OTEL_EXPORTER_OTLP_ENDPOINT (default http://localhost:4318)"),
        flag("run", "--otel-content", action="store_true", help="with --otel: include prompts and replies"),
        flag(f"{TRIALS} doctor conformance", "--sandbox", metavar="NAME",
             help="the sandbox that code runs in (default auto: the first that works)"),
        flag("run", "--engine", metavar="NAME", default="local",
             help="where sandboxes are: local, this machine (default), ray, the nodes of a Ray cluster "
                  f"({docs_page('cluster')}), or an installed plugin's"),
        flag("run", "--ray-address", metavar="HOST:PORT",
             help="the Ray cluster (default: RAY_ADDRESS, or the cluster that this machine is in)"),
        flag("doctor", "--attack", action="store_true", help="attack the sandbox and show what held"),
    ),
    "what to show": (
        flag(SHOWN, "--report", "--generate-report", dest="generate_report", action="store_true",
             help="write the HTML report of all saved results"),
        flag("run show report", "--live", nargs="?", type=port, const=0, metavar="PORT",
             help="show the report in a browser, filled as trials end, those of other runs too; only this "
                  "machine can open it (default: a free port); during a run it is kept beside the results "
                  "(--logdir)"),
        flag(SHOWN, "--export", action="append", metavar="FORMAT=PATH", default=[],
             help="write results for other programs: csv=FILE, parquet=FILE (pandas), junit=FILE (CI "
                  "servers), inspect=DIR (logs of inspect_ai), or a format of an installed package; "
                  "repeatable"),
        flag(f"{SHOWN} compare list lint explain doctor conformance", "--format",
             choices=("table", "markdown", "json"), default="table",
             help="format of tables and lists on stdout (default table); messages go to stderr"),
        flag("compare", "--in-full", action="store_true", help="show every suite, tag and test that differs"),
        flag("run show compare", "--confidence", type=confidence, metavar="PCT", default=0.95,
             help="confidence of comparisons (default 95; for a one-sided 5 percent, 90)"),
        flag("run show compare", "--with-changed", action="store_true",
             help="in comparisons, include tests that were changed in between"),
    ),
    "when to fail (exit code 3)": (
        flag(SHOWN, "--fail-under", type=lowest_rate, metavar="PCT",
             help="if a model passes less than PCT percent of its trials"),
        flag("run show", "--fail-if-worse-than", metavar="X",
             help="if a model is worse than the model X, or than itself at commit X, by more than chance"),
        flag("run show", "--margin", type=percent, metavar="POINTS", default=0.0,
             help="with --fail-if-worse-than: allow a loss of up to POINTS percentage points (default 0)"),
    ),
    "where things are": (
        flag(f"{TESTS} doctor conformance image", "--config", type=Path, metavar="FILE",
             help="settings (default: config.json here, if there is one)"),
        flag(f"{SHOWN} report export compare", "--logdir", type=Path, metavar="DIR",
             help="where results are kept (default: results/)"),
        flag(f"{SHOWN} report compare", "--report-dir", type=Path, metavar="DIR",
             help="where the report goes (default: evaluation_examples/, of rescored "
                  "results evaluation_examples/rescored/)"),
    ),
}
# fmt: on
FLAGS = tuple(each for group in GROUPS.values() for each in group)
