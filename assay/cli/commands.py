"""The table of subcommands: what each is for, what stands behind its name, and the flag of `python main.py`
that means the same. The module of that name in this folder does it, by `command(options, root)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.cli.flags import EXPORTS, Flag, flag

ENGINES = ("podman", "docker")  # that can build the image


@dataclass(frozen=True)
class Command:
    """`words`: what may stand behind the name, as help shows it, from `least` to `most` of them, kept in
    `options.<dest>`. `old`: the flag that means the same without a subcommand; if `old_about` says so, it
    takes the words. `own`: flags that only the subcommand has."""

    name: str
    summary: str
    about: str
    examples: str
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


TEST = """\
TEST is the name of a test (print_hello.TestPrintHello) or of its file
(print_hello), or a pattern of names ('fix_*'); a file (tests/print_hello.py), one
of its tests (tests/print_hello.py::TestPrintHello), a folder, or a suite (euler).
Files and folders say where tests are, names say which. Without TEST, all tests
are meant."""

EXIT_CODES = """\
exit codes: 0 everything ran; 1 wrong usage or configuration, or a test file that
cannot be loaded; 2 some trials ended in ERROR, or the budget ended the run;
3 a model is below --fail-under, or worse by --fail-if-worse-than;
130 stopped by Ctrl-C, 143 by SIGTERM. Finished trials are saved in every case."""

_ROWS = (
    Command(
        "run",
        "run tests on models and save every result",
        f"""\
Run tests on models, save every result in results/, and show a table.

{TEST}

A model is written provider/model; keys come from the environment, .env or
config.json. The run stops at --max-cost, and goes on with --resume.""",
        """\
  # check tests by their reference answers; this needs no key
  assay run print_hello --model oracle --model saboteur
  # three trials of each test of a file on two models, then the report
  assay run tests/print_hello.py --times 3 --report \\
      --model openai/gpt-4o --model anthropic/claude-sonnet-4-5
  # what it would ask, and what that would cost
  assay run --model openai/gpt-4o --dry-run
  # go on with the last run, exactly as it was
  assay run --resume
  # for CI: only what changed since main; exit code 3 if the model got worse
  assay run --model openai/gpt-4o --only-changed main --fail-if-worse-than main

"""
        + EXIT_CODES,
        words="[TEST ...]",
        dest="words",
        old="--run-tests",
    ),
    Command(
        "show",
        "show saved results as tables",
        """\
Show the saved results of all commits: the newest verdict of each trial, of
every model or of those that are named.""",
        """\
  assay show
  assay show openai/gpt-4o --test 'print_*'
  assay show --format markdown
  # for CI: exit code 3 if a model passes less than 80% of its trials
  assay show --fail-under 80

"""
        + EXIT_CODES,
        words="[MODEL ...]",
        dest="model",
        old="--load-saved",
    ),
    Command(
        "report",
        "write the HTML report of saved results",
        """\
Write the HTML report of saved results: tests by models, each cell with every
prompt, reply, program and verdict. Open evaluation_examples/index.html; it needs
no server.""",
        """\
  assay report
  assay report openai/gpt-4o anthropic/claude-sonnet-4-5 --report-dir report
  # in a browser, filled while runs go on
  assay report --live""",
        words="[MODEL ...]",
        dest="model",
    ),
    Command(
        "compare",
        "compare two models, commits or runs",
        """\
Compare two saved sets of results: the difference on the tests that both have
finished, and whether it is more than chance. A and B are each a MODEL,
MODEL@COMMIT, MODEL@COMMIT/run-K or a results file. The exit code is 0 whatever
the difference.""",
        """\
  assay compare openai/gpt-4o anthropic/claude-sonnet-4-5
  assay compare openai/gpt-4o@main openai/gpt-4o@HEAD --in-full""",
        words="A B",
        dest="compare",
        least=2,
        most=2,
        old="--compare",
        old_about={"nargs": 2, "metavar": ("A", "B"), "default": []},
    ),
    Command(
        "rescore",
        "judge saved replies with today's tests, asking no model",
        """\
Judge saved replies with today's tests, without asking a model. Use it after a
change of a grader, a test case or the sandbox image. RUN is a run's file or
folder, a MODEL, last, or a file of answers from another program that a suite can
read. Results are kept in results/rescored/.""",
        """\
  assay rescore last
  assay rescore openai/gpt-4o --test 'print_*' --report

"""
        + EXIT_CODES,
        words="RUN ...",
        dest="rescore",
        least=1,
        old="--rescore",
        old_about={"action": "extend", "nargs": "+", "metavar": "RUN", "default": []},
    ),
    Command(
        "export",
        "write saved results as CSV, Parquet, JUnit or inspect_ai logs",
        f"""\
Write saved results for other programs. The formats are
{", ".join(f"{name}={where}" for name, where in EXPORTS.items())}; the format may be
left out of a FILE that ends in .csv, .parquet or .xml.""",
        """\
  assay export results.csv
  assay export junit=results.xml inspect=logs --model openai/gpt-4o""",
        words="[FORMAT=]PATH ...",
        dest="export",
        least=1,
    ),
    Command(
        "list",
        "list tests with their tags and descriptions",
        f"""\
List tests with their tags and descriptions.

{TEST}""",
        """\
  assay list
  assay list 'print_*' --tag python
  assay list euler --format json""",
        words="[TEST ...]",
        dest="words",
        old="--list",
    ),
    Command(
        "explain",
        "draw the steps of a test, and what each one does",
        f"""\
Draw a test's steps: which model is asked, what runs in the sandbox, at which
line. Nothing is run.

{TEST}""",
        """\
  assay explain print_hello
  assay explain tests/print_hello.py --format markdown""",
        words="TEST ...",
        dest="words",
        least=1,
        old="--explain",
        old_about={"action": "append", "metavar": "TEST", "default": []},
    ),
    Command(
        "lint",
        "find mistakes in tests before a model is asked",
        f"""\
Find mistakes in tests, and answers that pass without any ability. No model is
asked. The exit code is 1 if there are errors or warnings.

{TEST}""",
        """\
  assay lint
  assay lint my_tests/flip_words.py""",
        words="[TEST ...]",
        dest="words",
        old="--lint-tests",
    ),
    Command(
        "new",
        "write a test and its references to start from",
        """\
Write a test file NAME.py and its references, a complete test to be changed into
your own.""",
        """\
  assay new flip_words
  assay new flip_words --language rust --tests my_tests""",
        words="NAME",
        dest="new_test",
        least=1,
        most=1,
        old="--new-test",
        old_about={"nargs": "+", "metavar": ("NAME", "LANGUAGE"), "default": []},
        own=(
            flag("new", "--language", metavar="LANGUAGE", dest="new_language",
                 help="the language of the test's programs (default: python)"),
        ),
    ),
    Command(
        "doctor",
        "show what works here: sandboxes, languages, browser, keys",
        """\
Show what works on this machine, sandboxes, languages, the browser, keys and
extras, and what to install for more. The exit code is 1 if no sandbox works.""",
        """\
  assay doctor
  # programs that try to break out: does the sandbox hold?
  assay doctor --attack --sandbox podman""",
        old="--doctor",
        most=0,
    ),
    Command(
        "conformance",
        "try a sandbox, a language, an export ... of a package",
        """\
Try an extension, of an installed package or Assay's own, as Assay's own are
tried. KIND is sandboxes, languages, exports, suites or providers. A sandbox meets
Assay's conformance and attack suites, which takes some minutes; a provider is
asked only if a model is named. The exit code is 1 if something does not hold.""",
        """\
  assay conformance sandboxes:small
  assay conformance languages:awk exports:lines
  # three short questions to a model
  assay conformance providers:acme/rocket""",
        words="KIND:NAME ...",
        dest="conformance",
        least=1,
    ),
    Command(
        "image",
        "build the sandbox image: compilers, browser, numeric Python",
        """\
Build the sandbox image (about 3 GB), which has the compilers, a browser and
numeric Python, with podman or docker. If nothing has changed, nothing is built.""",
        """\
  assay image
  # the folder with the image's files
  assay image --path""",
        most=0,
        own=(
            flag("image", "--engine", choices=ENGINES, default="", dest="image_engine",
                 help="what builds it (default: podman if it is here, or else docker)"),
            flag("image", "--base", metavar="IMAGE", default="",
                 help="an image to start from (default: Debian's, or one made of its packages)"),
            flag("image", "--force", action="store_true", help="build even if nothing has changed"),
            flag("image", "--path", action="store_true", help="print the folder of its files instead"),
        ),
    ),
    Command(
        "conformance",
        "check an extension, such as the sandbox of another package",
        """\
Check whether an extension of another package does what it must: a sandbox, for
example, has to hold programs that try to break out. NAME is its entry point. The
exit code is 1 if a check failed.""",
        """\
  assay conformance sandboxes:NAME""",
        words="GROUP:NAME ...",
        dest="conformance",
        least=1,
    ),
)  # fmt: skip
COMMANDS: Mapping[str, Command] = {each.name: each for each in _ROWS}
