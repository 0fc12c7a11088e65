"""The comment on a pull request: nothing in it that the run's own code wrote means anything."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from scripts import comment_on_pull_request as comment
from testing.ci.github_api import BOT, STRANGER, GitHub
from testing.report.injections import INJECTIONS

ROOT = Path(__file__).resolve().parents[2]
COMMIT = "0123456789" * 4
HOSTILE = (
    *INJECTIONS,
    "@everybody look", "fixes #1", "a|b|c", "`code` @me", "``x`` @me", "\\`@me\\`", "\\|@me",
    "trailing\\", "a\n\n@me",
    "https://evil.example/?a=b", "www.evil.example", "a@evil.example", "![x](https://evil.example/p.png)",
    "[click](https://evil.example)", "<details open><summary>@me</summary>", "-->", "~~~", "| --- | @me |",
)  # fmt: skip


def tally(**fields):
    return {
        "passed": 1,
        "counted": 2,
        "interval": [0.1, 0.9],
        "score": None,
        "errors": 0,
        "skipped": 0,
        **fields,
    }


def words_outside_code(text):
    """What stands outside inline code in the rendered page, and the tags that it has."""
    rendered = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table").render(text)
    outside = re.sub(r"<code>.*?</code>", "", rendered, flags=re.DOTALL)
    return outside, set(re.findall(r"<(/?[a-zA-Z!][\w-]*)", outside))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_is_a_name(text):
    data = {
        "models": [
            {"model": text, "cost": text, **tally(score=text, errors=text)},
            {"model": "b", **tally()},
        ],
        "tests": [{"test": text, "models": {text: tally(passed=text, skipped=[text]), "b": text}}],
        "errors": [text],
        "warnings": [text],
        "failed": [text],
        "same_tests": [[text, "b"]],
        "deleted": [text],
        text: text,
    }
    shown = comment.body(data, text, text, "https://forge.example/run", [text])
    outside, tags = words_outside_code(shown)
    assert "@" not in outside and "evil" not in outside and "pwned" not in outside and "#1" not in outside
    known = ("ul", "li", "h3", "table", "thead", "tbody", "tr", "th", "td", "p", "a", "strong")
    assert tags <= {"!--", *known, *(f"/{tag}" for tag in known)}
    assert outside.count("<a ") == 1 and 'href="https://forge.example/run"' in outside
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    assert len(rows) == 4 + 3 and outside.count("<td") == 2 * 5 + 3  # no cell and no row of its own


@pytest.mark.parametrize(
    "content",
    ["", "[]", "null", "{", '{"tests": {}}', '{"models": 3, "tests": [1, null, {}]}', "[" * 100_000],
)
def test_a_file_that_is_no_grid(tmp_path, content):
    (tmp_path / "grid.json").write_text(content)
    assert comment.MARKER in comment.body(comment.read(tmp_path / "grid.json"), COMMIT, "failure", "")
    assert comment.read(tmp_path / "none") is None


def test_a_large_run_fits_into_a_comment():
    names = [f"provider/model-{'x' * 200}-{n}" for n in range(50)]
    tests = [
        {"test": "y" * 500 + str(n), "models": dict.fromkeys(names, tally(errors=9))} for n in range(5000)
    ]
    texts = dict.fromkeys(("errors", "warnings", "failed", "deleted"), names * 2)
    texts["unfinished"] = [
        f"the last run of {each} is not finished: 1 of 2 trials is missing" for each in names
    ]
    data = {"models": [{"model": n, **tally()} for n in names], "same_tests": [names] * 50, **texts}
    shown = comment.body({**data, "tests": tests}, COMMIT, "", "")
    assert len(shown) < 65_536 and shown.count("- and 85 more") == 3
    more = ("4900 more tests", "42 more models", "of 42 more models", "45 more groups of such tests")
    assert all(f"\n\nand {each}\n" in shown or f"**and {each}**" in shown for each in more)


def post(github, tmp_path, **environ):
    (tmp_path / "grid.json").write_text(json.dumps({"models": [], "tests": []}))
    given = {
        "GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "secret-token",
        "PULL_REQUEST": "7", "COMMIT": COMMIT, "RESULT": "success", **environ,
    }  # fmt: skip
    command = [
        sys.executable,
        str(ROOT / "scripts" / "comment_on_pull_request.py"),
        str(tmp_path / "grid.json"),
    ]
    return subprocess.run(command, env=given, capture_output=True, text=True, timeout=60, check=False)


def test_its_own_comment_is_renewed_and_nobody_elses(tmp_path):
    """Anybody can write the marker; there may be hundreds of comments."""
    with GitHub() as github:
        forged = github.write(STRANGER, f"{comment.MARKER}\nforged")
        for number in range(150):
            github.write(BOT, f"another action {number}")
        for _ in range(2):
            done = post(github, tmp_path)
            assert done.returncode == 0, done.stderr
        ours = [each for each in github.comments if each["body"].startswith(comment.MARKER)]
        assert len(ours) == 2 and forged["body"].endswith("forged") and ours[1]["user"]["login"] == BOT


def test_a_refusal_says_what_is_missing(tmp_path):
    with GitHub() as github:
        github.status = 403
        done = post(github, tmp_path)
        assert (
            done.returncode == 1
            and "pull-requests: write" in done.stderr
            and "secret-token" not in done.stderr
        )


def test_the_token_goes_to_no_other_host(tmp_path):
    with GitHub() as github:
        github.status = 302
        assert post(github, tmp_path).returncode == 1
        assert [path for _, path, _ in github.requests] == [
            "/repos/o/r/issues/7/comments?per_page=100&page=1"
        ]


def test_a_run_that_was_stopped_says_what_is_missing():
    said = "the last run of lab/@me is not finished: 29 of 1,064 trials are missing"
    data = {"models": [{"model": "a", **tally()}], "tests": [{"test": "t"}], "unfinished": [said, 3, "@all"]}
    shown = comment.body(data, COMMIT, "success", "")
    assert "**`lab/@me`: 29 of 1,064 trials are missing**" in shown and "@all" not in shown
    one = "the last run of m is not finished: 1 of 1 trial is missing"
    assert "**`m`: 1 of 1 trial is missing**" in comment.body({"unfinished": [one]}, COMMIT, "", "")
    shown = comment.body({"unfinished": [said], "tests": []}, COMMIT, "failure", "")
    assert "**`lab/@me`: 29 of 1,064 trials are missing**" in shown and "nothing was run" not in shown


def test_files_that_were_not_run_come_first():
    data = {"errors": ["tests/a.py:3: '(' was never closed\n    x", 3], "deleted": ["geo/b.py"]}
    assert "**Warnings:**\n\n- `c.py: x`\n" in comment.body(data | {"warnings": ["c.py: x"]}, COMMIT, "", "")
    shown = comment.body(data, COMMIT, "failure", "")
    assert "because of 1 error:**\n\n- `tests/a.py:3: '(' was never closed`\n\nDeleted: `geo/b.py`\n" in shown
    assert "Nothing was run." in shown and "No changed test" not in shown
    data |= {"models": [{"model": "m", **tally()}], "tests": [{"test": "t"}]}
    shown = comment.body(data, COMMIT, "failure", "")
    assert shown.index("a.py") < shown.index("| `m` |")
    assert "No other changed test was found" in comment.body({"deleted": ["b.py"]}, COMMIT, "success", "")


def test_what_the_run_paid_is_said_beside_the_original_price():
    data = {
        "models": [{"model": "m", **tally(cost=0.074, known_cost=0.074)}],
        "tests": [{"test": "t"}],
        "paid": 0.022,
    }
    shown = comment.body(data, COMMIT, "success", "")
    assert "| 0.0740 |" in shown and "\nThis run paid 0.0220 US $ (" in shown
    for paid in (None, 0.074):
        assert "paid" not in comment.body(data | {"paid": paid}, COMMIT, "success", "")


def test_tests_that_are_the_same_are_named_since_the_total_has_them_once():
    data = {"models": [{"model": "m", **tally()}], "tests": [{"test": "a.T"}, {"test": "b.T"}]}
    shown = comment.body(data | {"same_tests": [["a.T", "b.T"], 3]}, COMMIT, "success", "")
    assert "\nThese ask and check the same and count as one test: `a.T`, `b.T`\n" in shown


def test_why_a_run_did_not_end_well_is_quoted():
    data = {"failed": ["m: passed 50.0% (1/2), below 80%", "error: @me\nmore"]}
    shown = comment.body(data, COMMIT, "failure", "")
    assert "**The run did not end well:**\n\n- `m: passed 50.0% (1/2), below 80%`\n- `error: @me`" in shown
    assert "log" not in shown and "log says why" in comment.body({}, COMMIT, "failure", "")


def test_the_last_error_on_stderr_is_quoted_if_the_results_do_not_say_why(tmp_path):
    file = tmp_path / "errors.txt"
    assert comment.last_errors(file) == []
    file.write_bytes(b"1 of 2\nerror: old\nerror: \xff @me\r\x1b[1mtry this\n\n")
    said = comment.last_errors(file)
    assert said == ["error: \ufffd @me", "\x1b[1mtry this"]
    shown = comment.body(None, COMMIT, "failure", "", said)
    assert "**The run did not end well:**\n\n- `error: \ufffd @me`\n- `[1mtry this`\n" in shown
    assert "log says" not in shown and "old" not in comment.body({"failed": ["new"]}, COMMIT, "", "", ["old"])
    file.write_text("\n".join("x" * 9000 + str(n) for n in range(20)))
    said = comment.last_errors(file)
    assert [each[-2:] for each in said] == ["15", "16", "17", "18", "19"]
    assert max(map(len, comment.body(None, COMMIT, "failure", "", said).splitlines())) < 400


def test_a_long_sentence_ends_at_a_word():
    assert (
        comment.code("a file of something else is named _capital.py", 40)
        == "`a file of something else is named…`"
    )
    assert comment.code("x" * 100) == f"`{'x' * 79}…`"


def test_what_it_needs_is_said(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["comment", "grid.json"])
    for name in comment.NEEDED:
        monkeypatch.delenv(name, raising=False)
    assert comment.main() == 1
    assert "set GITHUB_REPOSITORY, GITHUB_TOKEN, PULL_REQUEST" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["comment", "--print", "none/grid.json"])
    assert comment.main() == 0 and capsys.readouterr().out.startswith(comment.MARKER)


def test_a_number_is_a_number(tmp_path):
    with GitHub() as github:
        assert post(github, tmp_path, PULL_REQUEST="7/../../8").returncode == 1 and not github.requests


@pytest.mark.parametrize("huge", [10**400, -(10**400), 1e308], ids=["int", "minus", "float"])
def test_numbers_that_no_run_has_are_none(huge):
    whole = tally(score=huge, cost=huge, interval=[huge, 1])
    data = {"models": [{"model": "m", **whole}], "tests": [{"test": "t", "models": {"m": whole}}]}
    assert "| `m` | 1/2 (50%) | - | - | unknown |" in comment.body(data, COMMIT, "success", "run")
