"""Names, files and tags that fit no test, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from assay.config import near
from assay.errors import ConfigError
from assay.home import typed
from assay.suites.listing import inner_folders, list_tests, matches, names_of

if TYPE_CHECKING:
    from assay.suites.selection import Selection
    from assay.suites.suite import Suite

TABLES = (".csv", ".tsv", ".jsonl", ".json", ".parquet")
ALIKE = 0.6  # of difflib's measure: from here on a file may be meant
NO_TAGS = 'None of these tests has a tag; TAGS = ["vision"] in a test file gives them'
NO_EXPRESSION = (
    '. A text is the name of a test or a suite, or the path of a test file or a folder; a test itself is an '
    'expression, such as "What is 2 + 2?" >> LLMRun() >> SubstringEvaluator("4")'
)  # fmt: skip


def check_names(
    selection: Selection,
    ids: Iterable[str],
    tags: Iterable[str],
    broken: Iterable[str] = (),
) -> None:
    """Raise ConfigError for a name or tag that fits nothing. `broken`: files that cannot be read, and so may
    contain what is asked for."""
    ids, unread = list(ids), [f"{stem}.{stem}" for stem in broken]
    for pattern in selection.tests:
        if any(matches(test_id, pattern.partition(".")[0]) for test_id in unread):
            continue
        if not any(matches(test_id, pattern) for test_id in ids):
            raise ConfigError(_unknown(pattern, selection, ids))
        if said := _elsewhere(pattern, selection):
            raise ConfigError(said)
    known_tags = sorted(set(tags))
    for tag in selection.tags:
        if tag not in known_tags:
            suites = ", ".join(selection.own_suites())
            theirs = f". The suites {suites} have tags of their own: {typed()} list SUITE --tag {tag}"
            raise ConfigError(
                f"no test has the tag {tag!r}.{near(tag, known_tags)} "
                + (f"Tags: {', '.join(known_tags)}" if known_tags else NO_TAGS)
                + (theirs if suites else "")
            )


def check_names_of(suite: Suite, selection: Selection) -> None:
    """Raise ConfigError for a name that begins with that of the suite and fits none of its tests."""
    patterns = [each for each in selection.tests if selection.suite_meant(each) == suite.name]
    if not patterns:
        return
    ids = [each.id for each in suite.owned(selection.options)]
    for pattern in patterns:
        if not any(matches(test_id, pattern) for test_id in ids):
            shows = f"{typed()} list {suite.name} shows all"
            raise ConfigError(
                f"no test of suite {suite.name} is named {pattern!r}.{near(pattern, ids)} {shows}"
            )


def _unknown(pattern: str, selection: Selection, ids: Sequence[str]) -> str:
    """What to say of a name that fits none of the tests with these ids."""
    from assay.results.saved_suites import no_longer_here

    suites = selection.own_suites()
    if pattern in suites:
        return f"no applied test is named {pattern!r}; to choose the suite, use --suite {pattern}"
    if gone := no_longer_here(pattern, selection.root / "results"):
        return gone
    if pattern.endswith(TABLES):
        return (
            f"{pattern!r} is not a test. A test of its rows is a line of a test file: TestRow = "
            f'Rows("{Path(pattern).name}") >> "<question>" >> LLMRun() >> EqualEvaluator("<answer>")'
        )
    if found := _in_inner_folders(pattern, selection):
        return f"no test named {pattern!r} is among these{found}"
    known = dict.fromkeys(name for test_id in ids for name in names_of(test_id))
    meant = near(pattern, [*known, *suites])
    said = "no test, suite, file or folder is named"
    if any(char.isspace() for char in pattern) and not (meant or pattern.endswith(".py")):
        return f"{said} {pattern!r:.60}{NO_EXPRESSION}"
    shows = f"{typed()} list shows all tests"
    file, colons, variable = pattern.partition("::")
    if file.endswith(".py"):
        return f"there is no test file {file!r}.{_near_path(file, selection, colons + variable)} {shows}"
    if "/" in pattern and not any("/" in each for each in ids):
        if near_path := _near_path(pattern, selection):
            return f"there is no file or folder {pattern!r}.{near_path} {shows}"
        if not pattern.startswith((".", "/")):
            return f"no test named {pattern!r}. If it is a model, write --model {pattern}; {shows}"
    for suite in suites:
        meant = re.sub(rf" {re.escape(suite)}(?= or |\?)", f" the suite {suite}", meant)
    return f"{said} {pattern!r}.{meant} {shows}"


def _elsewhere(pattern: str, selection: Selection) -> str:
    """What to say of a path that names no file, though a test file in another folder has its name; or ''."""
    from assay.suites.diagnostics import shown_path

    path = Path(pattern.partition("[")[0])
    folder, name = path.parent, path.name.removesuffix(".py")
    if folder == Path() or not name or any(_is_there(each / path) for each in (Path(), selection.root)):
        return ""
    named = (each for where in selection.test_folders() for each in sorted(where.glob(f"{name}.py")))
    found = next(named, None)  # None: of a suite's test that has a slash in its name
    if found and (folder == Path("tests") or found.parent.parts[-len(folder.parts) :] == folder.parts):
        return ""  # it is seen from another folder; the pages call any folder of tests tests/
    return f"there is no file {path}; {shown_path(found)} has that name" if found else ""


def _is_there(path: Path) -> bool:
    """Whether a path, or a pattern, with or without .py, is that of a file."""
    name = path.name.removesuffix(".py")
    return path.is_file() or next(path.parent.glob(f"{name}.py"), None) is not None


def _near_path(path: str, selection: Selection, ending: str = "") -> str:
    """' Did you mean ...?' for a file or a folder of a like name, or ''. `ending` follows it."""
    from assay.suites.diagnostics import shown_path  # not at the top: list must be quick

    asked = Path(path)
    near = [
        each
        for folder in (asked.parent, *selection.test_folders())
        for each in (folder.glob("*.py") if asked.suffix == ".py" else folder.glob("*/"))
        if each.name not in ("__pycache__", "references")
    ]
    names = {each.stem: each for each in reversed(near)}
    close = get_close_matches(asked.stem, names, 1, ALIKE)
    return f" Did you mean {shown_path(names[close[0]])}{ending}?" if close else ""


def _in_inner_folders(pattern: str, selection: Selection) -> str:
    """Where a test of this name is in a folder below those of the tests; or ''."""
    from assay.suites.diagnostics import shown_path

    for inner in inner_folders(selection.places()):
        for file in list_tests([inner]):
            if any(matches(test.id, pattern) for test in file.tests):
                path = shown_path(file.path)
                return f"; {path} has one, in a folder of its own: {typed()} run {path}"
    return ""
