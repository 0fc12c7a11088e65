"""The site's HTML as Markdown: statements with their LaTeX, tables, pictures and files; the statistics."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
BLOCKS = ("p", "div", "blockquote", "center", "ul", "ol", "h1", "h2", "h3", "h4", "dl", "dd", "dt", "hr")
MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "var": "*", "dfn": "*"}
HIDDEN = ("script", "style", "head", "title")


@dataclass
class Statement:
    """A problem as Markdown. `documents`, `images`: file name -> address relative to the site."""

    text: str = ""
    documents: dict[str, str] = field(default_factory=dict)
    images: dict[str, str] = field(default_factory=dict)


def file_name(address: str) -> str:
    """The last part of an address, '' if it would be no harmless file name.

    >>> file_name("resources/documents/0022_names.txt?16"), file_name("x/..")
    ('0022_names.txt', '')
    """
    name = urlsplit(address).path.rpartition("/")[2]
    return name if FILE_NAME.fullmatch(name) else ""


class _Reader(HTMLParser):
    """Collects Markdown. Text between dollar signs is LaTeX and stays as it is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.statement = Statement()
        self.parts: list[str] = []
        self.lists: list[str] = []  # "-" or the next number, of each open list
        self.rows: list[list[str]] | None = None  # of the open table
        self.raised: list[tuple[str, int]] = []  # open <sup> and <sub>, and where they began
        self.verbatim = 0  # open elements whose lines must stay: digits, grids
        self.hidden = 0
        self.open_verbatim: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in HIDDEN:
            self.hidden += 1
        elif tag == "br":
            self.parts.append("\n" if self.verbatim or self.rows is not None else "  \n")
        elif tag == "img":
            self._image(given)
        elif tag == "a" and "resources/documents/" in given.get("href", ""):
            if name := file_name(given["href"]):
                self.statement.documents[name] = given["href"]
        elif tag in ("sup", "sub"):
            self.raised.append((tag, len(self.parts)))
        elif tag in MARKS and not self.verbatim:
            self.parts.append(MARKS[tag])
        elif tag == "table":
            self._break()
            self.rows = []
        elif tag == "tr" and self.rows is not None:
            self.rows.append([])
        elif tag in ("td", "th") and self.rows is not None:
            if not self.rows:
                self.rows.append([])
            self.parts.append("\x00")  # where the cell begins
        elif tag == "li":
            mark = self.lists[-1] if self.lists else "-"
            if mark != "-":
                self.lists[-1] = str(int(mark) + 1)
                mark += "."
            self.parts.append(f"\n{'  ' * max(0, len(self.lists) - 1)}{mark} ")
        elif tag in BLOCKS or tag == "pre":
            self._open_block(tag, given)

    def _open_block(self, tag: str, given: dict[str, str]) -> None:
        self._break()
        if tag in ("ul", "ol"):
            self.lists.append("-" if tag == "ul" else "1")
        if tag in ("p", "div", "pre"):
            verbatim = tag == "pre" or "monospace" in given.get("class", "").split()
            self.open_verbatim.append(verbatim)
            if verbatim:
                self.parts.append("" if self.verbatim else "```\n")
                self.verbatim += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        elif tag in ("sup", "sub") and self.raised:
            kind, at = self.raised.pop()
            inner = "".join(self.parts[at:]).strip()
            del self.parts[at:]
            mark = "^" if kind == "sup" else "_"
            self.parts.append(f"{mark}{inner}" if len(inner) < 2 else f"{mark}({inner})")
        elif tag in MARKS and not self.verbatim:
            self.parts.append(MARKS[tag])
        elif tag in ("td", "th") and self.rows:
            self._close_cell()
        elif tag == "table" and self.rows is not None:
            rows, self.rows = self.rows, None
            self.parts.append(f"\n\n{table_text(rows)}\n\n")
        elif tag in BLOCKS or tag == "pre":
            if tag in ("p", "div", "pre") and self.open_verbatim and self.open_verbatim.pop():
                self.verbatim -= 1
                self.parts.append("" if self.verbatim else "\n```")
            if tag in ("ul", "ol") and self.lists:
                self.lists.pop()
            self._break()

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        self.parts.append(data if self.verbatim else re.sub(r"\s+", " ", data))

    def _break(self) -> None:
        if not self.verbatim:
            self.parts.append(" " if self.rows is not None else "\n\n")

    def _image(self, given: dict[str, str]) -> None:
        if name := file_name(given.get("src", "")):
            self.statement.images[name] = given["src"]
            self.parts.append(f"![{given.get('alt', '') or 'picture'}]({name})")

    def _close_cell(self) -> None:
        assert self.rows is not None
        text = "".join(self.parts)
        before, mark, cell = text.rpartition("\x00")
        if mark:
            self.parts = [before]
            self.rows[-1].append(" ".join(cell.split()).replace("|", "\\|"))

    def finish(self) -> Statement:
        self.close()
        if self.verbatim:
            self.parts.append("\n```")
        self.statement.text = tidy("".join(self.parts).replace("\x00", " "))
        return self.statement


def table_text(rows: list[list[str]]) -> str:
    """Rows of a table as Markdown, the first as its head."""
    rows = [row for row in rows if row]
    width = max((len(row) for row in rows), default=0)
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]]) if lines else ""


def tidy(text: str) -> str:
    """Without blanks at the ends of lines and without more than one empty line, code blocks aside."""
    out: list[str] = []
    inside = False
    for line in text.split("\n"):
        fence = line.strip() == "```"
        if not inside or fence:
            broken = line.endswith("  ") and line.strip()
            line = line.strip() if not line.lstrip().startswith(("- ", *"0123456789")) else line.rstrip()
            line += "  " if broken and not fence else ""
        if fence:
            inside = not inside
        elif inside and not line.strip():
            continue
        if line or (out and out[-1]):
            out.append(line)
    return "\n".join(out).strip() + "\n"


def statement_in(html: str) -> Statement:
    """What /minimal=N answers, as Markdown."""
    reader = _Reader()
    reader.feed(html)
    return reader.finish()


class _Table(HTMLParser):
    """The cells of the rows of the table problems_table."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.depth = 0
        self.rows: list[list[str]] = []
        self.in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table" and (self.depth or ("id", "problems_table") in attrs):
            self.depth += 1
        elif self.depth and tag == "tr":
            self.rows.append([])
        elif self.depth and tag == "td" and self.rows:
            self.rows[-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self.depth:
            self.depth -= 1
        elif tag == "td":
            self.in_cell = False

    def handle_data(self, data: str) -> None:
        if self.in_cell and self.depth and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def statistics_in(html: str) -> list[tuple[int, str, int]]:
    """(number, title, solved by) of every row of an archive page."""
    reader = _Table()
    reader.feed(html)
    found = []
    for cells in ([" ".join(cell.split()) for cell in row] for row in reader.rows):
        if len(cells) >= 3 and cells[0].isdecimal():
            solved = re.sub(r"[\s,.']", "", cells[2])
            found.append((int(cells[0]), cells[1], int(solved) if solved.isdecimal() else 0))
    return found


def answers_in(text: str) -> dict[int, str]:
    """Number -> answer, of lines such as "17. 21124".

    >>> answers_in("1. 233168\\n\\n2.  4613732 \\nnote")
    {1: '233168', 2: '4613732'}
    """
    lines = re.finditer(r"^[ \t]*(\d{1,4})\.[ \t]+(\S[^\r\n]*?)[ \t]*$", text, re.MULTILINE)
    return {int(found[1]): found[2] for found in lines}
