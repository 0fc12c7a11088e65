"""The flags of the command line. Imports next to nothing: --help must be quick."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.home import program, typed

DESCRIPTION = """\
Run tests on language models and compare the models side by side.

A test is one expression in a file in tests/. It asks the model, runs the answer in a sandbox
and judges the outcome. Results are kept in results/; the report is evaluation_examples/index.html.
"""

EXAMPLES = """\
examples:
  main.py --list                                         list the tests
  main.py --run-tests --model oracle                     check the tests with their references (needs no key)
  main.py --run-tests --model openai/gpt-4o --test print_hello --times 3
  main.py --run-tests --model openai/gpt-4o --model anthropic/claude-sonnet-4-5 --generate-report
  main.py --run-tests --model openai/gpt-4o --max-cost 2.50 --resume
  main.py --run-tests --model openai/gpt-4o --dry-run    what this would ask, and how much is cached
  main.py --run-tests --model openai/gpt-4o --only-changed main
  main.py --load-saved --generate-report                 the report of all saved results
  main.py --run-tests --model openai/gpt-4o --live       the report in a browser, filled while it runs
  main.py --load-saved --format markdown                 the same as a Markdown table
  main.py --load-saved --export csv=results.csv          the same as a spreadsheet
  main.py --compare openai/gpt-4o@main openai/gpt-4o     the difference, and whether it is more than chance
  main.py --run-tests --model openai/gpt-4o --fail-if-worse-than main     for CI: exit code 3 if it got worse
  main.py --rescore last                                 judge the last run's replies with today's tests
  main.py --new-test flip_words                          write a test file to start from
  main.py --explain print_hello                          the steps of a test, and what each one does
  main.py --lint-tests --tests my_tests                  what is wrong with your tests
  main.py --doctor                                       what works on this machine

exit codes: 0 all ran; 1 wrong usage or configuration, or a test file that cannot be loaded;
2 some trials ended in ERROR, or the budget ended the run; 3 a model is below --fail-under
or worse by --fail-if-worse-than; 130 stopped by Ctrl-C, 143 by SIGTERM (finished trials are
saved: continue with --resume)
"""

SHELLS = ("bash", "zsh", "fish")
EXPORTS = {"inspect": "DIR", "parquet": "FILE", "csv": "FILE", "junit": "FILE"}  # format -> where it goes


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes are ConfigErrors, so that they end like any other (exit code 1)."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise ConfigError(f"{message} (see {typed()} --help)")


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of 0 or more")
    return value


def _percent(text: str) -> float:
    value = _amount(text.removesuffix("%"))
    if value > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 100")
    return value


def _confidence(text: str) -> float:
    value = _percent(text) / 100
    if not 0.5 <= value <= 0.999:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 50 and 99.9")
    return value


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (1 to 65535)")
    return int(text)


def _retries(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def _text_or_file(text: str) -> str:
    """The text itself, or with @ before it the content of the file of that name."""
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise argparse.ArgumentTypeError(f"cannot read {text[1:]}: {why}") from None


def _object(text: str) -> dict[str, Any]:
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        example = '\'{"temperature": 0.2, "max_tokens": 500}\''
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not a JSON object; write e.g. {example}")
    return found


def make_parser() -> Parser:
    """Every flag that does not belong to a suite."""
    parser = Parser(
        prog=program(),
        usage="%(prog)s COMMAND [flags]\nCOMMAND: --run-tests, --dry-run, --resume, --load-saved, --compare, "
        "--rescore,\n  --list, --lint-tests, --explain, --new-test, --doctor",
        description=DESCRIPTION,
        epilog=EXAMPLES.replace("main.py", program()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    # fmt: off
    add = parser.add_argument_group("what to do").add_argument
    add("-h", "--help", action="store_true",
        help="show this page; with --suite NAME, also that suite's flags")
    add("--run-tests", action="store_true", help="run tests and save every result")
    add("--load-saved", action="store_true",
        help="show saved results of all commits, the newest of each trial")
    add("--compare", nargs=2, metavar=("A", "B"),
        help="compare saved results; A and B are each a MODEL, MODEL@COMMIT, MODEL@COMMIT/run-K or a "
             "results file")
    add("--rescore", action="extend", nargs="+", metavar="RUN", default=[],
        help="judge saved replies with today's tests, without asking a model; RUN is a run's file or "
             "folder, a MODEL, last, or a file of answers from another program that a suite can read")
    add("--list", action="store_true", help="list tests with their tags and descriptions")
    add("--dry-run", action="store_true", help="show what a run would ask, how much is cached, and the cost")
    add("--lint-tests", action="store_true",
        help="find mistakes in tests, and answers that pass without any ability; asks no model")
    add("--completion", choices=SHELLS, metavar="SHELL",
        help="print the completion script for bash, zsh or fish, and how to install it")
    add("--explain", action="append", metavar="TEST", default=[],
        help="draw a test's steps: which model is asked, what runs in the sandbox, at which line; repeatable")
    add("--new-test", nargs="+", metavar=("NAME", "LANGUAGE"), default=[],
        help="write a test file NAME.py and its references, to start from (default language: python)")
    add("--doctor", action="store_true",
        help="show what works on this machine: sandboxes, languages, browser, keys")
    add("--attack", action="store_true", help="with --doctor: attack the sandbox and show what held")
    add("--generate-report", action="store_true", help="write the HTML report of all saved results")
    add("--export", action="append", metavar="FORMAT=PATH", default=[],
        help="write results for other programs: csv=FILE, parquet=FILE (pandas), "
             "junit=FILE (CI servers), inspect=DIR (logs of inspect_ai); repeatable")

    add = parser.add_argument_group("which models").add_argument
    add("--model", action="append", metavar="M", default=[],
        help="provider/model, e.g. openai/gpt-4o, with its own settings if you like, e.g. "
             "openai/gpt-5+reasoning_effort=low; oracle replays the right answers, saboteur the wrong ones; "
             "repeatable (default: model in config.json)")
    add("--endpoint", action="append", metavar="FILE", default=[],
        help="a JSON file with the name, model, key and endpoint of an OpenAI-compatible server; repeatable")
    add("--all-models", action="store_true",
        help="all models in config.json or, if it lists none, all models of the local Ollama server; "
             "with --load-saved, every model that has results (the default there)")
    add("--judge", metavar="M", help="the model that judges answers (default: judge in config.json)")
    add("--vision-judge", metavar="M",
        help="the model that judges pictures (default: vision_judge in config.json)")

    add = parser.add_argument_group("how to ask the models (not the judges)").add_argument
    add("--system-prompt", type=_text_or_file, metavar="TEXT",
        help="a system message before every dialogue; @FILE takes it from a file")
    add("--think", action=argparse.BooleanOptionalAction,
        help="let the model think before it answers, or do not (default: the model's own)")
    add("--reasoning-effort", metavar="WORD", help="low, medium, high, or another word that the model knows")
    add("--thinking-budget", type=_at_least_one, metavar="N", help="most tokens that it may use to think")
    add("--params", type=_object, metavar="JSON",
        help="any other parameters, e.g. '{\"temperature\": 0.2}'; they override hparams in config.json")
    add("--retries", type=_retries, metavar="N",
        help="retries of a transient failure (default 4; suite arithmetic: 3)")

    add = parser.add_argument_group("which tests").add_argument
    add("--suite", action="append", metavar="NAME", default=[],
        help="applied (default), another suite in tests/, or all; repeatable")
    add("--test", action="append", metavar="NAME", default=[],
        help="a test (print_hello.TestPrintHello), its file (print_hello) or a pattern ('fix_*'); repeatable")
    add("--tag", action="append", metavar="T", default=[],
        help="only tests with this tag; repeatable, for tests with any of the tags")
    add("--only-changed", metavar="COMMIT",
        help="only tests whose file, imports, references or data changed since COMMIT, inclusive")
    add("--tests", action="append", metavar="DIR", default=[],
        help="take tests from DIR (default: tests/ here, or else the tests that come with Assay)")

    add = parser.add_argument_group("how to run").add_argument
    add("--times", type=_at_least_one, metavar="N",
        help="trials of each test (default 1; for oracle and saboteur, one for each reference; for suite "
             "arithmetic, 10)")
    add("--resume", action="store_true",
        help="resume the last run: run only the trials that are missing or ended in ERROR; given alone, with "
             "exactly that run's models, tests and flags")
    add("--skip-existing", action="store_true",
        help="skip trials that have a verdict in any saved run of any commit")
    add("--runid", metavar="K",
        help="the run's name, so that several runs can be kept (default: the next number)")
    add("--reuse-steps", action="store_true",
        help="with --rescore: do not run a command again that ran in the saved trial on the same files")
    add("--max-connections", type=_at_least_one, metavar="N",
        help="concurrent calls to each provider (default 10)")
    add("--max-cost", type=_amount, metavar="USD",
        help="stop when this command has cost this much; --resume goes on")
    add("--max-tokens", type=_at_least_one, metavar="N",
        help="stop when this command has used this many tokens; --resume goes on")
    add("--no-cache", action="store_true",
        help="neither read nor write the cache: ask and run everything again")
    add("--otel", action="store_true",
        help="send OpenTelemetry traces to OTEL_EXPORTER_OTLP_ENDPOINT (default http://localhost:4318)")
    add("--otel-content", action="store_true", help="with --otel: include prompts and replies")
    add("--sandbox", metavar="NAME",
        help="the sandbox that code runs in (default auto: the first that works)")
    add("--engine", choices=("local", "ray"), default="local",
        help="where sandboxes are: this machine (default) or the nodes of a Ray cluster (docs/cluster.md)")
    add("--ray-address", metavar="HOST:PORT",
        help="the Ray cluster (default: RAY_ADDRESS, or the cluster that this machine is in)")

    add = parser.add_argument_group("where and how to show").add_argument
    add("--config", type=Path, metavar="FILE", help="settings (default: config.json here, if there is one)")
    add("--logdir", type=Path, metavar="DIR", help="where results are kept (default: results/)")
    add("--report-dir", type=Path, metavar="DIR",
        help="where the report goes (default: evaluation_examples/)")
    add("--live", nargs="?", type=_port, const=0, metavar="PORT",
        help="with --run-tests: show the report in a browser, filled as trials end; with --load-saved: show "
             "saved results and what other runs add; only this machine can open it (default: a free port); "
             "the report stays beside the results (--logdir)")
    add("--format", choices=("table", "markdown", "json"), default="table",
        help="format of tables and lists on stdout (default table); messages go to stderr")
    add("--fail-under", type=_percent, metavar="PCT",
        help="exit code 3 if a model passes less than PCT percent of its trials")
    add("--fail-if-worse-than", metavar="X",
        help="exit code 3 if a model is worse than the model X, or than itself at the commit X, by more than "
             "chance")
    add("--margin", type=_percent, metavar="POINTS", default=0.0,
        help="with --fail-if-worse-than: allow a loss of up to POINTS percentage points (default 0)")
    add("--confidence", type=_confidence, metavar="PCT", default=0.95,
        help="confidence of --compare and --fail-if-worse-than (default 95; for a one-sided 5 percent, 90)")
    add("--with-changed", action="store_true",
        help="with --compare and --fail-if-worse-than: include tests that were changed in between")
    add("--in-full", action="store_true",
        help="with --compare: show every suite, tag and test that differs")
    # fmt: on
    return parser


def parse(argv: Sequence[str], parser: Parser | None = None) -> argparse.Namespace:
    """The flags, checked against each other. Raises ConfigError."""
    options = (parser or make_parser()).parse_args(argv)
    check(options)
    return options


def actions_of(options: argparse.Namespace) -> list[str]:
    """The flags given that say what to do."""
    given = {
        "--dry-run": options.dry_run and not options.load_saved and not options.run_tests,
        "--run-tests": options.run_tests,
        "--load-saved": options.load_saved,
        "--compare": options.compare,
        "--rescore": options.rescore,
        "--list": options.list,
        "--lint-tests": options.lint_tests,
        "--explain": options.explain,
        "--new-test": options.new_test,
        "--doctor": options.doctor,
    }
    return [flag for flag, value in given.items() if value]


def check(options: argparse.Namespace) -> None:
    """Raises ConfigError for flags that contradict each other or do nothing."""
    if options.help:
        return
    actions = actions_of(options)
    if len(actions) > 1:
        raise ConfigError(f"{' and '.join(actions)} do not go together; choose one")
    if options.dry_run and not options.load_saved:
        options.run_tests = True
    if not actions:
        hint = ""
        if options.resume:
            hint = (
                " (--resume alone resumes the last run; with flags that choose models, tests or trials, "
                "add --run-tests)"
            )
        elif options.generate_report:
            hint = " (the report of saved results: --load-saved --generate-report)"
        raise ConfigError(
            "say what to do: --run-tests, --load-saved, --compare, --rescore, --list, --lint-tests, "
            f"--explain, --new-test, --dry-run or --doctor{hint}"
        )
    if options.attack and not options.doctor:
        raise ConfigError("--attack goes with --doctor")
    if options.rescore and (options.judge or options.vision_judge):
        raise ConfigError(
            "--rescore asks no judge: it uses the judges' saved replies; leave out --judge and --vision-judge"
        )
    if options.fail_under is not None and not (options.run_tests or options.load_saved or options.rescore):
        raise ConfigError("--fail-under goes with --run-tests, --load-saved or --rescore")
    if options.reuse_steps and not options.rescore:
        raise ConfigError("--reuse-steps goes with --rescore")
    if options.reuse_steps and options.no_cache:
        raise ConfigError("--reuse-steps reads the cache; leave out --no-cache")
    if options.dry_run and options.load_saved:
        raise ConfigError("--dry-run shows what --run-tests would do; leave out --load-saved")
    if options.all_models and (options.model or options.endpoint):
        other = "--model" if options.model else "--endpoint"
        raise ConfigError(f"--all-models and {other} do not go together; choose one")
    if not options.run_tests:
        with_rescore = ("--resume", "--runid") if options.rescore else ()
        for flag in (
            "--resume", "--skip-existing", "--runid", "--times", "--max-cost", "--max-tokens",
            "--only-changed", "--system-prompt", "--reasoning-effort", "--thinking-budget", "--params",
            "--endpoint", "--think",
        ):  # fmt: skip
            value = getattr(options, flag[2:].replace("-", "_"))
            if value and flag not in with_rescore and not (flag == "--only-changed" and options.list):
                others = " or --list" if flag == "--only-changed" else ""
                raise ConfigError(f"{flag} goes with --run-tests{others}")
    if options.compare and (options.model or options.all_models):
        raise ConfigError("--compare is given its models; leave out --model and --all-models")
    if options.fail_if_worse_than is not None:
        if not (options.run_tests or options.load_saved):
            raise ConfigError("--fail-if-worse-than goes with --run-tests or --load-saved")
        if options.skip_existing:
            raise ConfigError(
                "--fail-if-worse-than would miss what --skip-existing skips; leave out one of them, or "
                "check afterwards with --load-saved --fail-if-worse-than"
            )
    elif options.margin:
        raise ConfigError("--margin goes with --fail-if-worse-than")
    elif options.confidence != 0.95 and not options.compare:
        raise ConfigError("--confidence goes with --compare or --fail-if-worse-than")
    if options.with_changed and not (options.compare or options.fail_if_worse_than is not None):
        raise ConfigError("--with-changed goes with --compare or --fail-if-worse-than")
    if options.in_full and not options.compare:
        raise ConfigError("--in-full goes with --compare")
    if options.skip_existing:
        for flag, given in (("--fail-under", options.fail_under is not None), ("--export", options.export)):
            if given:
                raise ConfigError(
                    f"{flag} would miss what --skip-existing skips; leave out one of them, or use "
                    f"--load-saved {flag} afterwards"
                )
    if options.export and not (options.run_tests or options.load_saved or options.rescore):
        raise ConfigError("--export goes with --run-tests, --load-saved or --rescore")
    if options.export and options.dry_run:
        raise ConfigError("--dry-run gives --export nothing to write; leave out one of them")
    if options.engine == "ray" and not options.run_tests:
        raise ConfigError("--engine ray goes with --run-tests")
    if options.ray_address and options.engine != "ray":
        raise ConfigError("--ray-address goes with --engine ray")
    if (options.otel or options.otel_content) and not options.run_tests:
        raise ConfigError("--otel goes with --run-tests")
    if options.otel_content and not options.otel:
        raise ConfigError("--otel-content goes with --otel")
    if options.live is not None and not (options.run_tests or options.load_saved):
        raise ConfigError("--live goes with --run-tests or --load-saved")
    if options.live is not None and options.dry_run:
        raise ConfigError("--live shows trials, and --dry-run runs none; leave out one of them")
    if options.generate_report and not (options.run_tests or options.load_saved or options.rescore):
        raise ConfigError("--generate-report goes with --run-tests, --load-saved or --rescore")
