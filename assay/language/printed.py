"""What a program printed, as it goes from the node that ran it to those that judge it.

Three readings of the same run: what the program itself said, which is judged; that and what the language's
own tools added (a compiler's messages, a traceback), which may quote the program's source; and all that
with Assay's notes, which a model in a dialogue is told and nobody judges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from assay.language import program_causes
from assay.language.languages import LINE_HEAD, Language, find_language
from assay.records import Block, Cause, ExecResult, joined


@dataclass(frozen=True)
class Streams:
    """What a run left. `reported`: stderr with the tools' words; `stderr`: without them. `notes`: Assay's.

    `built`: false where the program did not compile, so that nothing ran. `broke`: why, or how it crashed or
    was stopped, or that its output was cut: it might have printed more; None if it ended by itself. `ok`: it
    ran, to its end, and that was status 0.
    """

    stdout: str = ""
    stderr: str = ""
    reported: str = ""
    notes: tuple[str, ...] = ()
    built: bool = True
    broke: Block | None = None
    ok: bool = True

    @property
    def everything(self) -> str:
        """stdout followed by the whole of stderr."""
        return joined(self.stdout, self.reported)

    @property
    def told(self) -> str:
        """Everything and the notes."""
        return joined(self.everything, "\n".join(self.notes))

    @property
    def whole(self) -> bool:
        """Whether it is known all that the program would print."""
        return self.built and not self.broke


class Printed(str):
    """A program's output as text: what the program itself printed, stdout followed by stderr."""

    streams: Streams

    def __new__(cls, text: str, streams: Streams | None = None) -> Printed:
        printed = super().__new__(cls, text)
        printed.streams = streams if streams is not None else Streams(stdout=text)
        return printed

    @classmethod
    def of(cls, streams: Streams) -> Printed:
        return cls(joined(streams.stdout, streams.stderr), streams)


class PrintedBytes(bytes):
    """The bytes of a program's stdout, and the streams that they are from."""

    streams: Streams

    def __new__(cls, data: bytes, streams: Streams = Streams()) -> PrintedBytes:
        printed = super().__new__(cls, data)
        printed.streams = streams
        return printed

    @classmethod
    def of(cls, printed: Printed) -> PrintedBytes:
        return cls(printed.streams.stdout.encode("utf-8", errors="replace"), printed.streams)


def told(value: Any) -> Any:
    """`value` as a model in a dialogue is told it: with tracebacks, compilers' messages and notes."""
    if isinstance(value, PrintedBytes) and value.streams.ok:
        return value
    return value.streams.told if isinstance(value, (Printed, PrintedBytes)) else value


def with_reports(value: Any) -> Any:
    """`value` so that the tools' words are judged too: for what must not be there, and for a judge."""
    if not isinstance(value, Printed):
        return value
    return Printed.of(replace(value.streams, stderr=value.streams.reported))


def judged_texts(value: Any) -> tuple[Any, ...]:
    """What an evaluator of the whole text must hold for: of a run that went wrong also what the tools said.

    So a crash does not equal the output that was printed before it, and is not an empty output.
    """
    if isinstance(value, Printed) and not value.streams.ok:
        return (value, value.streams.everything)
    return (value,)


def printed_by(
    result: ExecResult, language: str = "", *, errors: bool = False, built: bool = True
) -> Printed:
    """What a command printed. `language`: whose tools' words on stderr are not the program's own; with
    `errors` they are judged all the same. Of a failed build (`built` false) nothing is the program's."""
    stdout, stderr = result.texts
    ok = built and result.returncode == 0 and not result.notes
    causes = program_causes.of_run(result, language) if built else program_causes.of_build(result)
    broke = next(iter(causes), None)
    if broke is None and result.notes:
        broke = Block("text", body=result.notes[0], cause=Cause.CRASHED)
    own = stderr if errors else own_words(stderr, language, ended_well=result.returncode == 0)
    if not built and not errors:
        return Printed.of(Streams("", "", joined(stdout, stderr), result.notes, False, broke, ok=False))
    return Printed.of(Streams(stdout, own, stderr, result.notes, built, broke, ok))


@cache
def _pattern(text: str) -> re.Pattern[str] | None:
    return re.compile(text) if text else None


def own_words(stderr: str, language: str, ended_well: bool) -> str:
    """`stderr` without what the language's tools said: at a crash from the first such line to the end,
    otherwise the line and the indented ones below it. Of a language whose tools' words nobody has told,
    nothing is the program's if it ended badly.

    >>> own_words("mine\\nTraceback (most recent call last):\\n  File ...\\nKeyError: 1\\n", "python", False)
    'mine\\n'
    """
    row: Language | None = find_language(language)
    if row is None or not stderr:
        return stderr
    if not (ended_well or row.report or row.remark):  # any of it may be the interpreter's
        return ""
    report, remark = _pattern("" if ended_well else row.report), _pattern(row.remark)
    kept: list[str] = []
    within = ""  # the first line of the remark that we are in
    for line in stderr.splitlines(keepends=True):
        head = line[:LINE_HEAD]
        if report and report.match(head):
            break
        if remark and remark.match(head):
            within = head.lstrip()
        elif within and head[0] in " \t":
            continue
        else:
            if not within.startswith(("Traceback", "File")):  # else this line is the exception
                kept.append(line)
            within = ""
    return "".join(kept)
