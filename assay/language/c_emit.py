"""The file that sends the values of make_c_test's checks. It is the same for every test, so it is compiled
once for each kind of sandbox, in one where no program is."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import ModelFault, SandboxError
from assay.language.dsl import Context, no_second_sandbox
from assay.language.inside import file_text
from assay.language.languages import LANGUAGES
from assay.records import builder

BUILD_S = 60.0
OBJECT = "assay_emit.o"


@dataclass(frozen=True)
class Sender:
    """A file that is built into the program."""

    name: str
    content: bytes

    def build(self, language: str) -> str:
        """How the program is built with it."""
        row = LANGUAGES[language]
        return row.build.replace(row.filename, f"{row.filename} {self.name}")


def as_source(language: str) -> Sender:
    return Sender("assay_emit.c" if language == "c" else "assay_emit.cpp", file_text("emit.c").encode())


_compiled: dict[tuple[str, str], Sender] = {}  # by language and kind of sandbox, while this process lives
_busy: set[tuple[str, str]] = set()


async def sender(language: str, tier: str, ctx: Context) -> Sender:
    """As an object file; as source where that cannot be had, or while another trial makes it."""
    key = (language, tier)
    if key in _compiled:
        return _compiled[key]
    if key in _busy or ctx.beside is no_second_sandbox:
        return as_source(language)
    _busy.add(key)
    try:
        _compiled[key] = await _made(language, ctx)
    except (SandboxError, ModelFault, FileNotFoundError):
        return as_source(language)
    finally:
        _busy.discard(key)
    return _compiled[key]


async def _made(language: str, ctx: Context) -> Sender:
    source, row = as_source(language), LANGUAGES[language]
    build = row.build.replace(f"-o main {row.filename}", f"-c -o {OBJECT} {source.name}")
    async with ctx.beside() as sandbox:
        files = {source.name: source.content}
        built = await builder(sandbox)(["sh", "-c", build], files=files, time_limit_s=BUILD_S)
        if built.returncode != 0:  # no compiler, say: the program's own build will tell
            return source
        return Sender(OBJECT, await sandbox.read_file(OBJECT))
