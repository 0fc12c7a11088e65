"""How a column of Rows is written in a text: `<column>`."""

from __future__ import annotations

import re

_WORD = r"\w(?:[\w -]*[\w-])?"
WORD = re.compile(f"<({_WORD})>")
ONLY_WORDS = re.compile(rf"\s*(?:<{_WORD}>\s*)+")
# <<word>> is the text <word>, but cin>>n and 1<<n>>2 in a program are not escapes: an operand is on each side
DOUBLED = rf"(?<![\w)\]])<<(?P<a>{_WORD})>>|<<(?P<b>{_WORD})>>(?![\w(])"
COLUMN = re.compile(rf"{DOUBLED}|<(?P<column>[^<>\n]+)>")
GROUP = re.compile(r"\(\?P?$")  # before a <name> in a regular expression
# usual elements of HTML, which a question may be about
HTML = re.compile(
    "a|abbr|article|aside|audio|b|blockquote|body|br|button|canvas|caption|code|dd|del|details|div|dl|dt|em|"
    "figure|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|"
    "nav|ol|option|p|pre|q|s|script|section|select|small|span|strong|style|sub|summary|sup|svg|table|tbody|"
    "td|template|textarea|tfoot|th|thead|title|tr|u|ul|var|video",
    re.IGNORECASE,
)


def columns_in(text: str) -> list[str]:
    """The names that stand in angle brackets, in order."""
    return [found["column"] for found in COLUMN.finditer(text) if found["column"]] if "<" in text else []


def may_be_a_column(found: re.Match[str]) -> bool:
    """Whether <word> in a longer text looks like a column: not like a group of a regular expression, nor a
    tag that the text closes."""
    text, word = found.string, found["column"]
    if WORD.fullmatch(found[0]) is None or GROUP.search(text[: found.start()]):
        return False
    return f"</{word}>" not in text


def placeholders(text: str) -> list[str]:
    """The names in angle brackets that cannot well be anything else than columns: not HTML, nor the int of
    vector<int>.

    >>> placeholders("Tell me: <prompt> in <b>, vector<int>, <i>x</i> or <<that>>")
    ['prompt']
    """
    return [
        found["column"]
        for found in COLUMN.finditer(text)
        if found["column"] and may_be_a_column(found) and not HTML.fullmatch(found["column"])
        if not text[: found.start()][-1:].isalnum()
    ]


def literally(word: str) -> str:
    return f"If the text <{word}> is meant, write <<{word}>>"
