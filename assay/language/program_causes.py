"""How a program ended, where that explains a FAIL: a mark with the deciding fact (records.Block.cause)."""

from __future__ import annotations

import re
import signal

from assay.language.languages import LINE_HEAD, find_language
from assay.records import Block, Cause, ExecResult, joined

LONGEST = 240  # characters of what a compiler or a traceback said
LINES = 2_000  # of it that are looked at
# A compiler's line with a mistake, as gcc, rustc, javac, go and tsc write it
_MISTAKE = re.compile(r"\b(?:fatal )?error(?:\[\w+\])?\b\s?:?", re.IGNORECASE)
_UNLINKED = re.compile(
    r"undefined reference to |multiple definition of "
)  # the linker's, which writes no "error"
# What an interpreter says of a program that it cannot read at all
_UNREADABLE = re.compile(
    r"(?:SyntaxError|IndentationError|TabError)\b|Syntax error |error: compilation failed"
    r"|(?:Parse error|Error:) near line \d{1,9}: "
    r"(?:near .*: syntax error|incomplete input|unrecognized token)"
)
# node reads a program with these; a SyntaxError of anything else is JSON.parse's, say
_NODE_READS = re.compile(r"\s+at (?:\w+ \()?(?:node:internal/|(?:wrapSafe|compileSourceTextModule)\b)")
_NODE_FRAME = re.compile(r"\s+at \S")
# bash runs a script up to the line that it cannot read
_SHELL_UNREADABLE = re.compile(
    r"(?:\S*main\.sh|(?:ba)?sh: -c): line \d{1,9}: (?:syntax error|unexpected EOF while looking for)"
)
_SHELL_LAST = 3  # lines of stderr
_RAISED = re.compile(
    r"[A-Za-z_.]?[\w.]{0,80}(?:Error|Exception|Exit|Interrupt|Warning)\b|.{0,80} panicked at "
)
_TRACEBACK = "Traceback (most recent call last)"
_GROUP = re.compile(r"\s{1,40}\| (?=\S)")  # before the exception in the traceback of an ExceptionGroup
_PLACE = re.compile(r"\S+:\d+$")  # node's first line: where; then that line of the program, a caret, and what
_CARET = re.compile(r"\s*\^+\s*$")
# Reports whose next line has the fact
_CONTINUED = re.compile(r".{0,80} panicked at |Execution error|Syntax error |terminate called ")
_SIGNALS = {int(each): each.name for each in signal.Signals}
# Those that end a program, to which a shell adds 128 for its child's; other such statuses may be its own
_KILLING = frozenset((4, 6, 7, 8, 9, 11, 15))


def of_build(built: ExecResult) -> tuple[Block, ...]:
    """Of a build that failed."""
    if built.timed_out:
        limit = f"the compiler was stopped at its time limit of {built.time_limit_s:g} s"
        return _mark(Cause.TIMED_OUT, limit)
    lines = _lines(joined(*built.texts))
    mistake = next((line for line in lines if _MISTAKE.search(line[:LINE_HEAD])), lines[-1] if lines else "")
    if mistake.startswith("collect2: "):
        mistake = next((line for line in lines if _UNLINKED.search(line[:LINE_HEAD])), mistake)
    said = f": {mistake[:LONGEST]}" if mistake else f" (exit {built.returncode})"
    return _mark(Cause.DOES_NOT_BUILD, f"the program does not build{said}")


def of_run(result: ExecResult, language: str) -> tuple[Block, ...]:
    """Of a program that ran; nothing if it ended by itself and its language's tools reported nothing. An exit
    status by itself says nothing: a program may tell by it what it found."""
    if result.timed_out:
        limit = f"the program was stopped at its time limit of {result.time_limit_s:g} s"
        return _mark(Cause.TIMED_OUT, limit)
    if result.out_of_memory:
        return _mark(Cause.OUT_OF_MEMORY, "the program was killed at its memory limit")
    code = result.returncode or 0
    if code and (report := _report(result.texts[1], language)):
        return _of_report(report, code)
    if code and language == "bash":
        last = _lines(result.texts[1])[-_SHELL_LAST:]
        said = next((line for line in last if _SHELL_UNREADABLE.match(line[:LINE_HEAD])), "")
        if said:
            return _mark(Cause.DOES_NOT_BUILD, f"the program cannot be read: {said.strip()[:LONGEST]}")
    number = -code if code < 0 else code - 128 if code - 128 in _KILLING else 0
    if number in _SIGNALS:
        return _mark(Cause.CRASHED, f"the program was killed by signal {number} ({_SIGNALS[number]})")
    if result.truncated:
        return _mark(Cause.OUTPUT_CUT, "the program printed more than is kept: the middle was not judged")
    return ()


def _report(stderr: str, language: str) -> list[str]:
    """The lines of a traceback or its like, from its first line on."""
    row = find_language(language)
    if row is None or not row.report:
        return []
    pattern, lines = re.compile(row.report), _lines(stderr)
    start = next((at for at, line in enumerate(lines) if pattern.match(line[:LINE_HEAD])), None)
    return [] if start is None else lines[start:]


def _of_report(report: list[str], code: int) -> tuple[Block, ...]:
    traceback = _TRACEBACK in report[0]
    unreadable = next(
        (at for at, line in enumerate(report) if _UNREADABLE.match(line.lstrip()[:LINE_HEAD])), -1
    )
    if unreadable >= 0 and not traceback and not _thrown_by_node(report[unreadable:]):
        mistake = next((line for line in report if ": error: " in line), _continued(report, unreadable))
        return _mark(Cause.DOES_NOT_BUILD, f"the program cannot be read: {mistake.strip()[:LONGEST]}")
    said = _raised(report) if traceback else _thrown(report)
    if said.startswith("AssertionError"):
        return _mark(Cause.WRONG, f"a check of the program failed: {said[:LONGEST]}")
    return _mark(Cause.CRASHED, f"the program crashed (exit {code}): {said.strip()[:LONGEST]}")


def _thrown_by_node(report: list[str]) -> bool:
    """Whether a SyntaxError of node's was thrown while the program ran, by what reads other text."""
    frame = next((line for line in report if _NODE_FRAME.match(line[:LINE_HEAD])), "")
    return frame != "" and not _NODE_READS.match(frame[:LINE_HEAD])


def _raised(report: list[str]) -> str:
    """Of Python's tracebacks, one following from the other, what the last one raised: its first line that
    stands as far left as itself. Its message may have more lines."""
    start = max(at for at, line in enumerate(report) if _TRACEBACK in line)
    if report[start].lstrip().startswith("+"):
        found = (_GROUP.sub("", line, count=1) for line in report[start:] if _GROUP.match(line[:LINE_HEAD]))
    else:
        found = (line for line in report[start + 1 :] if not line[0].isspace())
    return next(found, report[-1])


def _thrown(report: list[str]) -> str:
    """Of any other report the line that tells what happened."""
    if _PLACE.match(report[0][:LINE_HEAD]):
        carets = (at for at, line in enumerate(report[:-1]) if _CARET.match(line[:LINE_HEAD]))
        if (caret := next(carets, -1)) >= 0:
            return report[caret + 1].removeprefix("Uncaught ")
    words = (
        at for at, line in enumerate(report) if _RAISED.match(line.removeprefix("Uncaught ")[:LINE_HEAD])
    )
    return _continued(report, next(words, 0))


def _continued(report: list[str], at: int) -> str:
    """A line of it, and the next one if that has the fact."""
    more = at + 1 < len(report) and _CONTINUED.match(report[at][:LINE_HEAD])
    return f"{report[at]} {report[at + 1].strip()}" if more else report[at]


def _lines(text: str) -> list[str]:
    """Not all of a flood: its beginning and its end."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines if len(lines) <= LINES else lines[: LINES // 2] + lines[-LINES // 2 :]


def _mark(cause: Cause, said: str) -> tuple[Block, ...]:
    return (Block("text", body=said, cause=cause),)
