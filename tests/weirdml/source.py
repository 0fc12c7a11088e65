"""The script in a reply, and what can be said of it without running it."""

from __future__ import annotations

import io
import tokenize

from assay.language.fences import drop_thinking, fenced_blocks

MAX_BYTES = 64 << 10


def script_in(reply: str) -> str:
    """The longest fenced block of a reply, "" if there is none. A fence that is not closed runs to the end."""
    blocks = [block.code for block in fenced_blocks(drop_thinking(reply)) if block.code.strip()]
    return max(blocks, key=len, default="")


def code_lines(source: str) -> int:
    """Lines that are neither empty nor a comment alone."""
    return sum(1 for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def literal_bytes(source: str) -> int:
    """Bytes of strings and numbers in a script, docstrings included: weights or answers could be pasted there."""
    counted = {tokenize.STRING, tokenize.NUMBER, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    found = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.ERRORTOKEN and not token.string.isspace():
                break  # a string that is not closed, say: each quote in it would be tried anew
            if token.type in counted:
                found += len(token.string.encode("utf-8", "surrogatepass"))
    except (tokenize.TokenError, SyntaxError):  # IndentationError is one; what was read counts
        pass
    return found
