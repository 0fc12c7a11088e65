"""Make text of models, programs and test authors safe to display.

This handles deceptive characters: terminal escapes, control characters, bidirectional overrides, invisible
ones, and lone surrogates. The templates escape HTML, and markup.py renders Markdown.
"""

from __future__ import annotations

import re

# CSI, OSC, DCS/SOS/PM/APC strings, and two-character escapes; also their 8-bit forms. A string's content
# ends where another one may begin, so that nothing is read twice.
_TERMINAL = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x90\x98\x9c-\x9f]{0,4096}+(?:\x07|\x1b\\|\x9c)"
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x90\x98\x9c-\x9f]{0,4096}+(?:\x1b\\|\x9c)"
    r"|\x1b[ -/]*+[0-Z\\^_`-~]"
)
_DECEIVING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)


def _name(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures: ␀ ␛ ...
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def visible(text: str) -> str:
    """`text` with every control, bidirectional, invisible or unpaired character shown by its name.

    >>> visible("a\\x00b\\u202ec")
    'a␀b⟨U+202E⟩c'
    """
    if text.isascii() and text.isprintable():
        return text
    return _DECEIVING.sub(_name, text.replace("\r\n", "\n"))


def strip_terminal(text: str) -> str:
    """`text` without terminal escape sequences (colours, cursor moves, titles).

    >>> strip_terminal("\\x1b[31mred\\x1b[0m")
    'red'
    """
    return _TERMINAL.sub("", text)


def one_line(text: str, width: int = 0) -> str:
    """`text` for one cell of a table: no escapes, no newlines, at most `width` characters (0: any number)."""
    plain = text.isascii() and text.isprintable()  # true for nearly all text of a large table
    flat = " ".join((text if plain else visible(strip_terminal(text))).split())
    return flat[: width - 1] + "…" if 0 < width < len(flat) else flat
