"""--fetch-euler: statements, data files, pictures, statistics and answers into tests/euler/fetched/.

What is there already is not asked for again, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from assay.errors import ConfigError

from .facts import problems
from .markup import Statement, answers_in, statement_in, statistics_in
from .site import Site, SiteError

OTHER_PAGE = re.compile(r"<(?:title|form|input|head)\b", re.IGNORECASE)  # a statement is a part of a page
PAGE = re.compile(rb"\s*<(?:!doctype|html|head|body)\b", re.IGNORECASE)


def write(path: Path, data: bytes) -> None:
    """Whole or not at all: a stopped run leaves no half file behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(data)
    beside.replace(path)


class Fetcher:
    """Fetches into `folder`: NNNN.md, documents/, images/, facts.json."""

    def __init__(self, site: Site, folder: Path, say: Callable[[str], None]) -> None:
        self.site, self.folder, self.say = site, folder, say
        self.facts: dict[int, dict[str, Any]] = {}
        path = folder / "facts.json"
        if path.is_file():
            rows = json.loads(path.read_text(encoding="utf-8"))["problems"]
            self.facts = {int(row["number"]): row for row in rows}

    def fetch(self, numbers: Sequence[int], answers: str | None = None) -> int:
        """Get all that is missing of these problems. 1 if something could not be had, else 0."""
        if answers is not None and not answers.startswith(("http://", "https://")):
            _readable(answers)  # before hours of requests
        wanted = sorted(set(numbers))
        here = [number for number in wanted if self._is_here(number)]
        if here:
            self.say(f"{len(here)} of {len(wanted)} problems are here already")
        failed = 0
        for number in wanted:
            if number in here:
                continue
            try:
                self._fetch(number)
            except SiteError as error:
                failed += 1
                self.say(f"problem {number}: skipped: {error}")
        failed += not self._statistics(wanted)
        if answers is not None:
            self._answers(answers, wanted)
        self._say_what_is_missing(wanted)
        got = len(wanted) - len(here) - min(failed, len(wanted) - len(here))
        self.say(f"{got} problems fetched into {self.folder}, with {self.site.requests} requests")
        return 1 if failed else 0

    # ------------------------------------------------------------ one problem

    def _is_here(self, number: int) -> bool:
        """The statement is written last, so all that it names is here too; unless what was taken for it was
        some other page."""
        name = self._data_file(number)
        data = not name or (self.folder / "documents" / name).is_file()
        return data and (self.folder / f"{number:04}.md").is_file()

    def _data_file(self, number: int) -> str:
        known = problems().get(number)
        return known.data_file if known else ""

    def _fetch(self, number: int) -> None:
        where = f"{self.site.base}minimal={number}"
        try:
            body = self.site.get(f"minimal={number}").decode("utf-8")
        except UnicodeDecodeError:
            raise SiteError(f"{where}: no text") from None
        if OTHER_PAGE.search(body):
            raise SiteError(f"{where}: a page of another kind (a login, a check of the browser?)")
        statement = statement_in(body)
        if not statement.text.strip():
            raise SiteError(f"{where}: an empty page; is there such a problem?")
        if (name := self._data_file(number)) and name not in statement.documents:
            raise SiteError(f"{where}: does not name {name}, so it is not the problem")
        self._files(number, statement)
        write(self.folder / f"{number:04}.md", statement.text.encode())
        self.say(
            f"problem {number}" + "".join(f", {name}" for name in (*statement.documents, *statement.images))
        )

    def _files(self, number: int, statement: Statement) -> None:
        for name, address in statement.documents.items():
            data = self.site.get(address)
            if PAGE.match(data):
                raise SiteError(f"{self.site.base}{address}: a page, and {name} is none")
            write(self.folder / "documents" / name, data)
        for name, address in statement.images.items():
            try:
                write(self.folder / "images" / name, self.site.get(address))
            except SiteError as error:  # the words are asked, the picture is only kept
                self.say(f"problem {number}: without its picture: {error}")
        if statement.documents:
            self._note(number, data_file=next(iter(statement.documents)))

    # ------------------------------------------------------------ facts

    def _note(self, number: int, **values: Any) -> None:
        self.facts.setdefault(number, {"number": number}).update(values)
        text = json.dumps({"problems": [row for _, row in sorted(self.facts.items())]}, indent=1)
        write(self.folder / "facts.json", text.encode() + b"\n")

    def _statistics(self, wanted: Sequence[int]) -> bool:
        """Titles and how many solved each, from as many pages of the archive as hold the problems."""
        missing = {number for number in wanted if "solved_by" not in self.facts.get(number, {})}
        seen: set[int] = set()
        page = 0
        while missing - seen:
            page += 1
            try:
                rows = statistics_in(self.site.get(f"archives;page={page}").decode("utf-8", errors="replace"))
            except SiteError as error:
                self.say(f"statistics: skipped: {error}")
                return False
            if not {number for number, _, _ in rows} - seen:
                break  # past the last page
            seen |= {number for number, _, _ in rows}
            for number, title, solved_by in rows:
                if number in missing:
                    self._note(number, title=title, solved_by=solved_by)
        return True

    def _answers(self, source: str, wanted: Sequence[int]) -> None:
        """From a list on the web or on the disk. Raises ConfigError if it cannot be read."""
        try:
            if source.startswith(("http://", "https://")):
                text = self.site.get(source, elsewhere=True).decode("utf-8", errors="replace")
            else:
                text = _readable(source)
        except SiteError as error:
            raise ConfigError(f"--fetch-euler-answers {source}: {error}") from None
        found = answers_in(text)
        if not found:
            raise ConfigError(f'--fetch-euler-answers {source}: has no line such as "1. 233168"')
        known = problems()
        for number in wanted:
            ours = known[number].answer if number in known else ""
            if number in found and ours and found[number] != ours:
                self.say(f"problem {number}: the list says {found[number]}, ours is {ours} and stays")
            elif number in found and not ours:
                self._note(number, answer=found[number])

    def _say_what_is_missing(self, wanted: Sequence[int]) -> None:
        known = problems()
        without = [
            number for number in wanted
            if not (number in known and known[number].answer) and not self.facts.get(number, {}).get("answer")
        ]  # fmt: skip
        if without:
            listed = ", ".join(map(str, without[:20])) + (", ..." if len(without) > 20 else "")
            self.say(f"no answer is known for {listed}; give a list: --fetch-euler-answers URL|FILE")


def _readable(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"--fetch-euler-answers {path}: {error.strerror or error}") from None
