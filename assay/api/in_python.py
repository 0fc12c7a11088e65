"""Messages that name flags, in the words of a call from Python."""

from __future__ import annotations

import re
from dataclasses import fields

from assay.api.cell import say
from assay.errors import AssayError
from assay.home import typed
from assay.running.request import RunRequest

_FLAG = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?: (\d(?:[\w.+-]*\w)?))?")
_ENDS = re.compile(r"[.;:,)]\s")  # of a command in a sentence
_KINDS = {each.name: str(each.type) for each in fields(RunRequest)} | {"with_changed": "bool"}
_NAMES = {each: each for each in (*_KINDS, "test", "tag", "tier", "only_changed", "live", "export")}
_NAMES |= {"model": "models", "trial_time_limit": "trial_time_limit_s"}


def as_argument(text: str) -> str:
    """The message with arguments for flags, except in commands that are to be typed."""

    def told(flag: re.Match[str]) -> str:
        name = _NAMES.get(flag[1].replace("-", "_"), "")
        _, command, since = text[: flag.start()].rpartition(f"{typed()} ")
        if not name or (command and not _ENDS.search(since)):
            return flag[0]
        value = "True" if _KINDS.get(name) == "bool" else flag[2]
        return f"{name}={value}" if value else name

    return _FLAG.sub(told, text)


def say_in_python(text: str) -> None:
    """Write a message to stderr, as `as_argument`."""
    say(as_argument(text))


def in_python(error: AssayError) -> AssayError:
    """The error, with a message as `as_argument`."""
    error.args = (as_argument(str(error)),)
    return error
