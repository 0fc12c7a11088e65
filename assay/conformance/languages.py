"""The checks of a language, in a sandbox that has its commands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any

from assay.config import Config
from assay.conformance.failures import Unmet
from assay.errors import AssayError
from assay.language.languages import Language, all_languages, language_row
from assay.language.printed import printed_by
from assay.records import Sandbox
from assay.report.markup import lexer_of
from assay.sandboxes.attacks.runner import NotTried
from assay.sandboxes.backends.registry import backend
from assay.sandboxes.backends.registry import names as sandboxes
from assay.sandboxes.client import closing
from assay.sandboxes.doctor import says_hello
from assay.sandboxes.image.contents import version_in
from assay.sandboxes.pool import Pool, open_pool

SHOWN = 200  # characters of what a command prints
PROGRAM_TIME_LIMIT_S = 30.0


def language_checks(name: str, config: Config, root: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    row = language_row(name)
    if config.sandbox != "auto":
        backend(config.sandbox)  # an unknown one is not the language's fault

    untried = ""

    def opened(sandbox: str) -> AbstractAsyncContextManager[Pool]:
        return open_pool(sandbox, limits=config.limits, blind_faith=config.blind_faith)

    def inside(work: Callable[[Pool], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            async with opened(config.sandbox) as pool:
                return await work(pool)

        if untried:
            raise NotTried(untried)
        return asyncio.run(main())

    async def with_it() -> list[str]:
        """The sandboxes of this machine that have its commands."""
        found = []
        for other in sandboxes():
            with suppress(AssayError):  # it does not work here
                async with opened(other) as pool:
                    found += [other] * (not await pool.missing(row.needs))
        return found

    async def hello(pool: Pool) -> str:
        return await says_hello(await pool.acquire(), row)

    async def unread(pool: Pool) -> str:
        for program in unreadable(row):
            async with closing(await pool.acquire()) as sandbox:
                if fault := await judged_message(sandbox, name, row, program):
                    return fault
        return ""

    async def version(pool: Pool) -> Any:
        return await (await pool.acquire()).run(["sh", "-c", row.version_command], time_limit_s=60)

    async def complete(pool: Pool) -> None:
        nonlocal untried
        if lacking := ", ".join(await pool.missing(row.needs)):
            found = " or ".join(f"--sandbox {each}" for each in await with_it())
            where = f"try {found}" if found else "no sandbox that works here has it; --sandbox names another"
            untried = f"the sandbox {pool.tier} lacks {lacking}; {where}"
            raise NotTried(untried)

    def needs(fine: bool, otherwise: str) -> None:
        if not fine:
            raise Unmet(otherwise)

    def has_a_lexer() -> None:
        told = "set lexer in its Language to Pygments' name for it, or to 'text'"
        for word in (name, *row.aliases):
            needs(lexer_of(word) is not None, f"Pygments does not know {row.lexer or name!r}: {told}")

    def has_a_version() -> None:
        told = inside(version)
        said = (told.output.strip() or "nothing").splitlines()[0][:SHOWN]
        there = told.returncode == 0 and version_in(told.output)
        needs(bool(there), f"`{row.version_command}` exits with {told.returncode} and prints {said}")

    def faultless(tried: Callable[[Pool], Awaitable[str]]) -> None:
        fault = inside(tried)
        needs(not fault, fault)

    def is_one_name() -> None:
        needs("/" not in row.filename, f"filename is {row.filename!r}; give a name without a folder")

    def is_alone() -> None:
        taken = {name, *row.aliases} & others
        needs(not taken, f"another language has {', '.join(sorted(taken))}")

    named = {other: {other, *each.aliases} for other, each in all_languages().items() if other != name}
    others: set[str] = set().union(*named.values())
    yield "its file is one name in the work directory", is_one_name
    yield "no other language has its name or an alias", is_alone
    yield "the report can colour its programs", has_a_lexer
    yield "its commands are in the sandbox", lambda: inside(complete)
    yield "its version is told", has_a_version
    yield "a program says hello", lambda: faultless(hello)
    yield "what is said of a program that cannot be read is not judged", lambda: faultless(unread)


def unreadable(row: Language) -> Iterator[str]:
    """Programs that few languages can read."""
    yield f")]}}\n{row.hello}"
    yield f"{row.hello[: len(row.hello) // 2]}\n"


async def judged_message(sandbox: Sandbox, name: str, row: Language, program: str) -> str:
    """What to change if the language's words on a program would be judged as the program's own; else ''."""
    files = {row.filename: program.encode()}
    if row.build:
        built = await sandbox.run(["sh", "-c", row.build], files=files, time_limit_s=PROGRAM_TIME_LIMIT_S)
        if built.returncode != 0:
            return ""
        files = {}
    ran = await sandbox.run(["sh", "-c", row.run], files=files, time_limit_s=PROGRAM_TIME_LIMIT_S)
    judged = printed_by(ran, name).streams
    end = f"for {program!r:.{SHOWN}} `run` ends with {ran.returncode}"
    if "error" in judged.stdout.lower():
        told = "let `run` write its messages to stderr"
        return f"{end} and prints on stdout, which is judged: {_shown(judged.stdout)}; {told}"
    if said := judged.stderr.strip():
        field = "remark" if ran.returncode == 0 else "report"
        return (
            f"{end}, and its message on stderr would be judged as the program's output: {_shown(said)}; "
            f"set {field} in its Language to a pattern for the beginning of such lines"
        )
    return ""


def _shown(text: str) -> str:
    return repr(text.strip()[:SHOWN])
