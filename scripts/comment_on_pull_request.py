"""Posts a run's grid as a comment on a pull request, one that is renewed, and as the job's summary.

python3 scripts/comment_on_pull_request.py grid.json, with GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL,
PULL_REQUEST, COMMIT and RESULT, as .github/workflows/evaluate.yml has them. `--print grid.json` prints the
comment instead. Needs nothing but Python.

The file is what `main.py --format json` printed in a job that ran the pull request's own code, so it may hold
anything: only numbers and names are taken from it, and names stand between backticks, where neither mentions
nor links nor HTML mean anything.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MARKER = "<!-- assay evaluate -->"  # by which the comment is found again
AUTHOR = "github-actions[bot]"  # anybody can write the marker
MODELS, TESTS, FILES, SAME, ERRORS = 8, 100, 15, 5, 5  # shown
NAME, LINE = 80, 350  # characters
NEEDED = ("GITHUB_REPOSITORY", "GITHUB_TOKEN", "PULL_REQUEST")
LARGEST = 8 << 20  # bytes of the file
UNFINISHED = re.compile(
    r"the last run of (.+) is not finished: ([0-9,]{1,15} of [0-9,]{1,15} trials? (?:is|are)) missing"
)
INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)


def code(text: object, limit: int = NAME) -> str:
    """A name as inline code of a table's cell."""
    flat = INVISIBLE.sub(" ", str(text)).replace("`", "'").strip()
    if len(flat) > limit:
        cut = flat[: limit - 1]
        flat = f"{cut.rpartition(' ')[0] or cut}…" if " " in cut[-NAME // 2 :] else f"{cut}…"
    return f"`{flat.replace(chr(92), '/').replace('|', chr(92) + '|')}`" if flat else "-"


def whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12 else 0


def number(value: object) -> float | None:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and -1e12 < value < 1e12
    return float(value) if fits else None  # type: ignore[arg-type]


def objects(value: object, kind: type = dict) -> list[Any]:
    return [each for each in value if isinstance(each, kind)] if isinstance(value, list) else []


def rate(tally: dict[str, Any]) -> str:
    """`4/5 (80%), 1 error`"""
    passed, counted = whole(tally.get("passed")), whole(tally.get("counted"))
    said = [f"{passed}/{counted} ({100 * passed / counted:.0f}%)"] if counted else []
    for name, word in (("errors", "error"), ("skipped", "skipped")):
        if some := whole(tally.get(name)):
            said.append(f"{some} {word}{'s' if word == 'error' and some > 1 else ''}")
    return ", ".join(said) or "-"


def interval(tally: dict[str, Any]) -> str:
    bounds = tally.get("interval")
    found = [number(each) for each in bounds] if isinstance(bounds, list) and len(bounds) == 2 else []
    return f"{100 * found[0]:.0f}-{100 * found[1]:.0f}%" if found and None not in found else "-"  # type: ignore[operator]


def cost(tally: dict[str, Any]) -> str:
    known = number(tally.get("cost"))
    if known is not None:
        return f"{known:.4f}"
    known = number(tally.get("known_cost"))
    return f"at least {known:.4f}" if known else "unknown"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]


def missing(data: dict[str, Any]) -> list[str]:
    """What a run that was stopped lacks, of what the command says in words: the model and the numbers."""
    said = [found for each in objects(data.get("unfinished"), str) if (found := UNFINISHED.match(each))]
    shown = [f"{code(each[1])}: {each[2]} missing" for each in said[:MODELS]]
    return shown + [f"and of {len(said) - MODELS} more models"] * (len(said) > MODELS)


def listed(title: str, texts: list[str]) -> list[str]:
    """A title and the first line of each text; nothing without any."""
    said = [f"**{title}:**", "", *(f"- {code(each.partition(chr(10))[0], LINE)}" for each in texts[:FILES])]
    said += [f"- and {len(texts) - FILES} more"] * (len(texts) > FILES)
    return [*said, ""] if texts else []


def files(data: dict[str, Any]) -> list[str]:
    """The files whose tests are not in the grid, and what is doubtful."""
    errors, warnings, deleted = (objects(data.get(each), str) for each in ("errors", "warnings", "deleted"))
    said = listed(f"Not run, because of {len(errors)} error{'s'[: len(errors) > 1]}", errors)
    said += listed("Warnings", warnings)
    if deleted:
        more = f" and {len(deleted) - FILES} more" if len(deleted) > FILES else ""
        said += [f"Deleted: {', '.join(map(code, deleted[:FILES]))}{more}", ""]
    return said


def grid(data: dict[str, Any]) -> list[str]:
    """The lines of the comment about a run's outcome."""
    models, tests = objects(data.get("models")), objects(data.get("tests"))
    if not tests:
        others = "other changed test" if data.get("deleted") else "changed test"
        none = f"No {others} was found, so nothing was run."
        lacking = [line for each in missing(data) for line in (f"**{each}**", "")]
        return [*files(data), *(lacking or ["Nothing was run." if data.get("errors") else none])]
    names = [str(model.get("model")) for model in models]
    lines = files(data) + table(
        ["model", "passed", "95% interval", "score", "cost (US $)"],
        [
            [
                code(model.get("model")),
                rate(model),
                interval(model),
                "-" if (score := number(model.get("score"))) is None else f"{score:.3g}",
                cost(model),
            ]
            for model in models[:MODELS]
        ],
    )
    paid, total = number(data.get("paid")), sum(number(model.get("known_cost")) or 0 for model in models)
    if paid is not None and f"{paid:.4f}" != f"{total:.4f}":
        cached = "replies from the cache cost nothing, and the table has their original price"
        lines += ["", f"This run paid {paid:.4f} US $ ({cached})."]
    for each in missing(data):
        lines += ["", f"**{each}**"]
    same = objects(data.get("same_tests"), list)
    for each in same[:SAME]:
        more = f" and {len(each) - SAME} more" if len(each) > SAME else ""
        named = ", ".join(map(code, each[:SAME]))
        lines += ["", f"These ask and check the same and count as one test: {named}{more}"]
    lines += ["", f"and {len(same) - SAME} more groups of such tests"] * (len(same) > SAME)
    rows = []
    for test in tests[:TESTS]:
        its = test.get("models")
        cells = [its.get(name) if isinstance(its, dict) else None for name in names[:MODELS]]
        rows.append(
            [code(test.get("test")), *(rate(cell) if isinstance(cell, dict) else "-" for cell in cells)]
        )
    lines += ["", *table(["test", *map(code, names[:MODELS])], rows)]
    if len(tests) > TESTS:
        lines += ["", f"and {len(tests) - TESTS} more tests"]
    if len(models) > MODELS:
        lines += ["", f"and {len(models) - MODELS} more models"]
    return lines


ENDINGS = {
    "success": "",
    "failure": "The run did not end well; the job's log says why.",
    "cancelled": "The run was cancelled.",
}


def read(path: Path) -> dict[str, Any] | None:
    """What the run printed; None if it is not there or is something else."""
    try:
        if path.stat().st_size > LARGEST:
            return None
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def last_errors(path: Path) -> list[str]:
    """The last lines that a run wrote on stderr, as scripts/evaluate_changes.sh keeps them, from its last
    error on; none if it did not fail."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return []
    lines = [line for line in re.split("[\r\n]+", text) if line.strip()]
    at = max((n for n, line in enumerate(lines) if line.startswith("error:")), default=-ERRORS)
    return lines[at:][:ERRORS]


def body(data: dict[str, Any] | None, commit: str, result: str, run: str, said: Sequence[str] = ()) -> str:
    """The comment. `said`: why the run failed, if its own file does not say it."""
    lines = [MARKER, "### Evaluation of what changed", ""]
    lines += grid(data) if data is not None else ["The run wrote no grid, or one that cannot be read."]
    failed = objects((data or {}).get("failed"), str) or [*said]
    if failed:
        lines += ["", *listed("The run did not end well", failed)[:-1]]
    if said := "" if failed and result == "failure" else ENDINGS.get(result, ""):
        lines += ["", f"**{said}**"]
    shown = commit[:12] if re.fullmatch("[0-9a-f]{40}", commit) else "?"
    lines += ["", f"Commit {shown}. Report and JUnit file: [artifacts of the run]({run})."]
    return "\n".join(lines) + "\n"


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """The token goes to one host only."""

    def redirect_request(self, *args: Any) -> None:
        return None


def ask(method: str, url: str, token: str, data: dict[str, Any] | None = None) -> Any:
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
        "Content-Type": "application/json",
        "User-Agent": "assay",
    }
    content = json.dumps(data).encode() if data is not None else None
    request = urllib.request.Request(url, content, headers, method=method)
    with urllib.request.build_opener(NoRedirects).open(request, timeout=30) as answer:
        return json.load(answer)


def earlier(comments: str, token: str) -> int | None:
    """The id of the comment that this script wrote before."""
    for page in range(1, 31):
        found = ask("GET", f"{comments}?per_page=100&page={page}", token)
        for each in found:
            written_by = each.get("user") or {}
            if written_by.get("login") == AUTHOR and str(each.get("body", "")).startswith(MARKER):
                return int(each["id"])
        if len(found) < 100:
            break
    return None


def main() -> int:
    environ = os.environ
    api = environ.get("GITHUB_API_URL", "https://api.github.com")
    server = environ.get("GITHUB_SERVER_URL", "https://github.com")
    arguments = sys.argv[1:]
    if shown := arguments[:1] == ["--print"]:
        del arguments[0]
    lacking = [name for name in NEEDED if not environ.get(name) and not shown]
    if len(arguments) != 1 or lacking:
        said = f"set {', '.join(lacking)}" if len(arguments) == 1 else "name one file, grid.json"
        print(f"{said}, as .github/workflows/evaluate.yml does", file=sys.stderr)
        return 1
    repository, token, pull = (environ.get(name, "") for name in NEEDED)
    if not (pull.isdecimal() or shown):
        print(f"PULL_REQUEST is not a number: {pull!r}", file=sys.stderr)
        return 1
    run = f"{server}/{repository}/actions/runs/{environ.get('GITHUB_RUN_ID', '')}"
    grid_file = Path(arguments[0])
    said = last_errors(grid_file.with_name("errors.txt"))
    text = body(read(grid_file), environ.get("COMMIT", ""), environ.get("RESULT", ""), run, said)
    if shown:
        print(text, end="")
        return 0
    if summary := environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(text)
    issues = f"{api}/repos/{repository}/issues"
    try:
        before = earlier(f"{issues}/{pull}/comments", token)
        if before is None:
            ask("POST", f"{issues}/{pull}/comments", token, {"body": text})
        else:
            ask("PATCH", f"{issues}/comments/{before}", token, {"body": text})
    except urllib.error.HTTPError as error:
        print(
            f"the comment could not be posted: HTTP {error.code}; does the job have pull-requests: write?",
            file=sys.stderr,
        )
        return 1
    except (urllib.error.URLError, TimeoutError, ValueError) as error:
        print(f"the comment could not be posted: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
