"""A command line read: a subcommand with its flags, or the flags of `python main.py` that mean the same.
Imports almost nothing: --help must be quick."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.cli.commands import COMMANDS, Command
from assay.cli.flags import FLAGS, GROUPS, OF_SAVED, SAVED
from assay.errors import AssayError, ConfigError
from assay.home import program, typed

SHELLS = ("bash", "zsh", "fish")
ACTIONS = tuple(each for each in COMMANDS.values() if each.old)
# Flags allowed with any action if there is no subcommand, though most actions ignore them.
ANYWHERE = frozenset((
    "model", "all_models", "judge", "vision_judge", "retries", "suite", "test", "tag", "tier", "tests",
    "max_connections", "no_cache", "sandbox", "config", "logdir", "report_dir", "format",
))  # fmt: skip
# flag -> flags of which it needs one
NEEDS = {
    "--margin": ("--fail-if-worse-than",),
    "--confidence": ("--compare", "--fail-if-worse-than"),
    "--with-changed": ("--compare", "--fail-if-worse-than"),
    "--otel-content": ("--otel", "--observer"),
    "--ray-address": ("--engine",),
}
LATER = "{} would miss what --skip-existing skips; leave out one of them, or use {} show {} afterwards"
# two flags that contradict each other, and the message about them
CLASHES = {
    ("--all-models", "--model"): "--all-models and --model do not go together; choose one",
    ("--all-models", "--endpoint"): "--all-models and --endpoint do not go together; choose one",
    ("--compare", "--model"): "--compare is given its models; leave out --model",
    ("--compare", "--all-models"): "--compare is given its models; leave out --all-models",
    ("--reuse-steps", "--no-cache"): "--reuse-steps reads the cache; leave out --no-cache",
    ("--dry-run", "--export"): "--dry-run gives --export nothing to write; leave out one of them",
    ("--dry-run", "--live"): "--live shows trials, and --dry-run runs none; leave out one of them",
    **{
        ("--skip-existing", flag): LATER.format(flag, program(), flag)
        for flag in ("--fail-if-worse-than", "--fail-under", "--export")
    },
    **{
        ("--rescore", flag): f"--rescore asks no judge: it uses the judges' saved replies; leave out {flag}"
        for flag in ("--judge", "--vision-judge")
    },
}
DEFAULTS = {
    **{each.dest: each.default for each in FLAGS},
    **{each.dest: each.default for command in COMMANDS.values() for each in command.own},
    **{each.old_dest: False for each in ACTIONS},
    **{each.dest: [] for each in COMMANDS.values() if each.dest},
    "completion": None,
    "version": False,
}


class Parser(argparse.ArgumentParser):
    """A parser that raises ConfigError, so that its errors end like any other (exit code 1)."""

    command: Command | None = None

    def format_help(self) -> str:
        if self.command is not None:
            self.description, self.epilog = map(as_typed, self.command.page())
        return super().format_help()

    def error(self, message: str) -> None:  # type: ignore[override]
        raise ConfigError(f"{message} (see {typed()}{self.prog.removeprefix(program())} --help)")


def make_parser(command: Command | None = None) -> Parser:
    """The flags of a subcommand, or all that are allowed without one."""
    parser = Parser(
        prog=f"{program()} {command.name}" if command else program(),
        usage=f"%(prog)s {f'{command.words} ' * bool(command.words)}[flags]" if command else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    parser.command = command
    groups = {"flags": command.own if command else (), **GROUPS}
    parser.add_argument("-h", "--help", action="store_true", help="show this page")
    for title, flags in groups.items():
        its = [each for each in flags if command.name in each.commands] if command else flags
        if its:
            add = parser.add_argument_group(title).add_argument
            for each in its:
                add(*each.names, **each.about)
    if command is None:
        for action in ACTIONS:
            about = action.old_about or {"action": "store_true"}
            parser.add_argument(action.old, dest=action.old_dest, help=action.summary, **about)
        parser.add_argument("--version", action="store_true", help="print the version")
        parser.add_argument(
            "--completion",
            choices=SHELLS,
            help="print the completion script of a shell, and how to install it",
        )
    return parser


def as_typed(text: str) -> str:
    """A page of help with the program's name as it was started."""
    return text if program() == "assay" else text.replace("assay ", f"python {program()} ")


def overview() -> str:
    """The page that lists the subcommands; it fits one screen."""
    rows = "".join(f"  {each.name:<12} {each.summary}\n" for each in COMMANDS.values())
    name = program()
    return (
        f"usage: {name} COMMAND [flags]      (COMMAND --help explains it, with examples)\n\n"
        "Run tests on language models and compare the models side by side.\n\n"
        f"{rows}\n"
        + as_typed("  assay run tests/print_hello.py --model openai/gpt-4o --report\n\n")
        + "--version and --completion SHELL (bash, zsh, fish) stand without a command. The\n"
        "flags --run-tests, --load-saved, --list ... mean what run, show, list ... do.\n"
    )


# ---------------------------------------------------------------- reading


def find_command(argv: Sequence[str]) -> tuple[Command | None, list[str]]:
    """The subcommand that is named first, and what follows. Raises ConfigError for an unknown one."""
    name, *rest = argv or ("--help",)
    if name == "help":
        name, rest = (rest[0], ["--help"]) if rest else ("--help", [])
    if name.startswith("-"):
        return None, [name, *rest]
    if name not in COMMANDS:
        from assay.config import near  # which imports much

        raise ConfigError(
            f"there is no command {name!r}.{near(name, COMMANDS, 1)} {typed()} --help lists the commands; "
            f"{typed()} run NAME runs a test"
        )
    return COMMANDS[name], rest


def look(
    command: Command | None, argv: Sequence[str], parser: Parser
) -> tuple[argparse.Namespace, list[str]]:
    """The options of a command line as far as they are known, and the remaining arguments. What is no flag is
    in those called cli_..., since a suite may have a flag --words or --page."""
    with contextlib.redirect_stdout(sys.stderr):  # a suite reads its flags' values with functions of its own
        options, rest = parser.parse_known_args(argv)
    for name, value in DEFAULTS.items():
        if name not in options:
            setattr(options, name, value)
    options.cli_given, options.cli_flags, options.cli_conditions = [], frozenset(), {}
    if command is not None:
        options.cli_given = [word for word in rest if not word.startswith("-")]
        rest = [word for word in rest if word.startswith("-") and word != "--"]
        if command.dest:
            setattr(options, command.dest, [*getattr(options, command.dest), *options.cli_given])
    actions = [command] if command else [each for each in ACTIONS if getattr(options, each.old_dest)]
    options.cli_actions = actions
    options.cli_command = actions[0].name if actions else "run" if options.dry_run else ""
    options.cli_old = command is None
    return options, rest


def read(argv: Sequence[str], root: Path) -> argparse.Namespace:
    """Parse a whole command line; `command` is the subcommand's name, '' if there is none. `page`: text to
    print instead of anything else. Raises ConfigError."""
    command, argv = find_command(argv)
    parser, resumed = make_parser(command), dict[str, str]()
    options, unknown = look(command, argv, parser)
    if options.resume and not unknown:
        from assay.cli.resume import is_alone, is_of_a_model, last_run, run_of

        if (alone := is_alone(options)) or is_of_a_model(options):
            found = (last_run if alone else run_of)(options, argv, root)
            resumed = dict(found.runs)
            command, argv = find_command(found.argv)
            parser = make_parser(command)
            options, unknown = look(command, argv, parser)
    bare = bool(unknown) and not (options.suite or options.help or options.cli_command)
    if bare and (name := _suite_of_flags(unknown, options, root)):  # main.py --fetch-euler
        argv = ["--suite", name, *argv]
        options.suite = [name]
    if options.help:
        options.cli_page = _page(options, root)
        return options
    if options.suite or options.cli_words or options.tier or options.test or options.only_changed:
        ours = {action.dest for action in parser._actions}
        conditions = add_suite_flags(options, parser, root)
        options, unknown = look(command, argv, parser)
        given = options.cli_flags = _given(argv, parser) - ours
        typed_of = {suite: [name for name in its if name in given] for suite, its in conditions.items()}
        options.cli_conditions = {suite: its for suite, its in typed_of.items() if its}
    if unknown:
        raise ConfigError(_unknown(unknown, options, parser, root))
    options.cli_argv, options.cli_resumed, options.cli_page = tuple(argv), resumed, ""
    if options.version:
        from assay import __version__

        options.cli_page = f"assay {__version__}\n"
    elif options.completion:
        from assay.cli.complete import script

        options.cli_page = script(options.completion)
    return options


def _given(argv: Sequence[str], parser: Parser) -> frozenset[str]:
    """The flags of a command line, also those with their default value; `parser` has no defaults then."""
    for action in parser._actions:
        action.default = argparse.SUPPRESS
    parser._defaults.clear()
    with contextlib.redirect_stdout(sys.stderr):
        return frozenset(vars(parser.parse_known_args(argv)[0]))


def _page(options: argparse.Namespace, root: Path) -> str:
    """The help page of a subcommand, with the flags of the suites that are named."""
    name = options.cli_command or ("run" if options.suite else "")
    if not name:
        return overview()
    parser = make_parser(COMMANDS[name])
    if options.suite or options.cli_words or options.tier or options.test:
        add_suite_flags(options, parser, root)
    try:
        return parser.format_help()
    except (KeyError, TypeError, ValueError) as error:  # ours are tested
        raise ConfigError(f"the help of a suite's flag cannot be shown ({error}): write %% for a %") from None


def add_suite_flags(
    options: argparse.Namespace, parser: argparse.ArgumentParser, root: Path
) -> dict[str, Sequence[str]]:
    """The flags of the suites that were asked for; only these suites are imported. Returns the conditions of
    each."""
    from assay.cli.request import selection_of
    from assay.suites.selection import APPLIED, other_suites

    selection = selection_of(options, root)
    saved = options.cli_command in OF_SAVED.split()
    names = [name for name in selection.suite_names(saved) if name != APPLIED]
    found: dict[str, Sequence[str]] = {}
    if not names:
        return found
    from assay.config import near
    from assay.report.messages import say
    from assay.running.wiring import settings
    from assay.suites.blame import blame
    from assay.suites.flags import flags_of

    configured = settings(options.config, root).suites
    known = other_suites(selection.suite_folders())
    for name in sorted(configured.keys() - known):
        say(f"warning: config.json: suites.{name}: there is no such suite.{near(name, known, 1)}")
    for name in names:
        try:
            suite = selection.suite(name)
            flags_of(suite, {})  # apart from config.json, whose mistakes are the user's
        except ConfigError:
            if selection.is_named(name):
                raise
            continue  # one of all; the command tells of it
        flags = flags_of(suite, configured.get(name, {}))
        flags.check_free(name, vars(options))
        group = parser.add_argument_group(f"suite {name}", suite.description)
        with blame(name, suite.folder):
            suite.flags(group)
        for action in group._group_actions:
            if _shows_saved(options) and action.dest not in suite.conditions:
                action.help = argparse.SUPPRESS
        parser.set_defaults(**flags.defaults)
        found[name] = [each for each in suite.conditions if each in flags.defaults]
    return found


def _flags_of_suites(options: argparse.Namespace, root: Path) -> Iterator[tuple[str, list[str]]]:
    """Every suite that can be loaded, with its flags. Imports them all, which happens only after a
    mistake."""
    from assay.cli.request import selection_of
    from assay.suites.flags import flags_of
    from assay.suites.selection import other_suites

    selection = selection_of(options, root)
    for name in other_suites(selection.suite_folders()):
        try:
            declared = flags_of(selection.suite(name), {}).declared
        except AssayError:
            continue
        yield name, [f"--{flag.replace('_', '-')}" for flag in declared]


def _suite_of_flags(unknown: Sequence[str], options: argparse.Namespace, root: Path) -> str:
    """The only suite that has all of these flags, '' if there is none."""
    flags = {each.partition("=")[0] for each in unknown if each.startswith("--")}
    found = [name for name, its in _flags_of_suites(options, root) if flags and flags <= set(its)]
    return found[0] if len(found) == 1 else ""


def _unknown(unknown: Sequence[str], options: argparse.Namespace, parser: Parser, root: Path) -> str:
    """The message for unknown flags: which command or suite has them, or the closest match."""
    from assay.cli.request import selection_of
    from assay.config import near
    from assay.results.saved_suites import no_longer_here
    from assay.suites.selection import other_suites

    flag = next((each for each in unknown if each.startswith("-")), unknown[0])
    flag = flag.partition("=")[0]
    if takers := [name for each in FLAGS if flag in each.names for name in each.commands]:
        others = _listed(takers, "and")
        return f"{flag} is a flag of {others}, not of {options.cli_command} (see {parser.prog} --help)"
    known = [each for action in parser._actions for each in action.option_strings]
    installed = other_suites(selection_of(options, root).suite_folders())
    for name in getattr(options, "cli_words", ()):  # it may be a flag of a suite that is gone
        if name not in installed and (gone := no_longer_here(name, root / "results")):
            return gone
    for name, its in _flags_of_suites(options, root):
        if flag in its:
            return f"{flag} belongs to a suite: --suite {name} {flag} ... (its flags: --suite {name} --help)"
    hint = f" The command comes first: {program()} {flag} ..." if flag in COMMANDS else near(flag, known, 1)
    shown = f"{typed()}{parser.prog.removeprefix(program())} --help shows all flags"
    return f"unrecognized arguments: {' '.join(unknown)}.{hint} {shown}"


# ---------------------------------------------------------------- checking


def parse(argv: Sequence[str], root: Path | None = None) -> argparse.Namespace:
    """A command line read and checked. Raises ConfigError."""
    options = read(argv, root or Path.cwd())
    check(options)
    return options


def check(options: argparse.Namespace) -> None:
    """Raises ConfigError for flags that contradict each other or do nothing."""
    _check_action(options)
    command = COMMANDS[options.cli_command]
    number = len(options.cli_given)
    if not options.cli_old and not command.least <= number <= command.most:
        wanted = f"{program()} {command.name} {command.words}".rstrip()
        more = f", not {number} of them" if number else ""
        raise ConfigError(f"write {wanted}{more} (see {program()} {command.name} --help)")
    flags = {name: each for each in FLAGS for name in each.names}

    def given(name: str) -> bool:
        if name in flags:
            value = getattr(options, flags[name].dest)
            return value is not None and value is not False and value != flags[name].default
        return any(each.old == name and each.name == command.name for each in ACTIONS)

    for name, needed in NEEDS.items():
        if given(name) and not any(map(given, needed)):
            raise ConfigError(f"{name} goes with {_listed(needed, 'or')}")
    for name, each in flags.items() if options.cli_old else ():
        if given(name) and command.name not in each.commands and each.dest not in ANYWHERE:
            takers = [COMMANDS[taker].old for taker in each.commands if COMMANDS[taker].old]
            raise ConfigError(f"{name} goes with {_listed(takers, 'or')}")
    for (one, other), said in CLASHES.items():
        if given(one) and given(other):
            raise ConfigError(said)
    conditions = {name for its in options.cli_conditions.values() for name in its}
    if _shows_saved(options) and (idle := options.cli_flags - conditions):
        flag = f"--{min(idle).replace('_', '-')}"
        raise ConfigError(
            f"{flag} decides which tests run or how they are judged, not which results are shown. --test "
            f"chooses those; {typed()} rescore RUN --suite NAME {flag} ... judges them again"
        )


def _shows_saved(options: argparse.Namespace) -> bool:
    """Whether the command shows results as they were judged."""
    return options.cli_command in (*SAVED.split(), "compare")


def _check_action(options: argparse.Namespace) -> None:
    """Raises ConfigError unless exactly one action is asked for."""
    old = [each.old for each in options.cli_actions]
    if options.dry_run and options.cli_old and options.cli_command not in ("run", "show"):
        old.insert(0, "--dry-run")
    if len(old) > 1:
        raise ConfigError(f"{' and '.join(old)} do not go together; choose one")
    if options.dry_run and options.cli_command == "show":
        raise ConfigError("--dry-run shows what --run-tests would do; leave out --load-saved")
    if not options.cli_command:
        if options.resume:
            raise ConfigError(
                "--resume alone goes on with the last run; with flags that choose models, tests or trials, "
                f"write {typed()} run {shlex.join(options.cli_argv)}"
            )
        hint = "; the report of saved results: --load-saved --generate-report" * bool(options.generate_report)
        flags = _listed([*(each.old for each in ACTIONS), "--dry-run"], "or")
        raise ConfigError(
            f"say what to do, by a command ({_listed(COMMANDS, 'or')}) or a flag ({flags}){hint}"
        )


def _listed(words: Iterable[str], last: str) -> str:
    """'a, b or c'"""
    return f" {last} ".join(", ".join(words).rsplit(", ", 1))
