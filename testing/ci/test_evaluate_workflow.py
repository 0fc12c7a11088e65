"""The workflow that evaluates pull requests: its file is valid and gives nothing away, and its steps run, for
real, in a clone of this repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml

from testing.ci.github_api import GitHub

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
WORKFLOW = WORKFLOWS / "evaluate.yml"
TEST = """from evaluator import *

DESCRIPTION = "Says {word}"
TAGS = ["word"]

TestSay = "say {word}" >> LLMRun() >> SubstringEvaluator("{word}")

if __name__ == "__main__":
    print(run_test(TestSay))
"""
REFERENCES = 'RIGHT = {{"TestSay": ["{word}"]}}\nWRONG = {{"TestSay": ["no", "never", ""]}}\n'


@pytest.fixture(scope="module")
def workflow():
    return yaml.safe_load(WORKFLOW.read_text("utf-8"))


def steps_of(workflow):
    return [(job, step) for job, its in workflow["jobs"].items() for step in its["steps"]]


# ---------------------------------------------------------------- the file


@pytest.mark.parametrize(
    "command",
    [
        ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
        ["zizmor", "--offline", "--no-progress", "--persona", "regular"],
    ],
    ids=["the schema of workflows", "the known ways to be robbed"],
)
@pytest.mark.parametrize("file", ["evaluate.yml", "checks.yml"])
def test_the_file_is_sound(command, file):
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run(
        [program, *command[1:], str(WORKFLOWS / file)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_checker_would_find_what_must_not_be(tmp_path):
    """Else a checker that finds nothing would prove nothing."""
    bad = WORKFLOW.read_text("utf-8").replace("  pull_request: #", "  pull_request_target: #")
    bad = bad.replace("run: scripts/evaluate_changes.sh", "run: echo ${{ github.event.pull_request.title }}")
    (tmp_path / "bad.yml").write_text(bad)
    program = Path(sys.executable).with_name("zizmor")
    done = subprocess.run(
        [program, "--offline", "--no-progress", str(tmp_path / "bad.yml")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode and "dangerous-triggers" in done.stdout and "template-injection" in done.stdout


def test_nothing_proposed_runs_where_something_may_be_written(workflow):
    assert workflow["permissions"] == {}
    rights = {job: its["permissions"] for job, its in workflow["jobs"].items()}
    assert rights == {
        "evaluate": {"contents": "read"},
        "comment": {"contents": "read", "pull-requests": "write"},
        "fork": {},
    }
    for step in workflow["jobs"]["comment"]["steps"]:
        assert "head" not in str(step.get("with", {}).get("ref", "")), (
            "the base's script posts, not the head's"
        )
        assert "inputs.commit" not in str(step.get("with", {}))


def test_only_the_step_that_asks_models_has_keys(workflow):
    with_keys = [(job, step.get("name")) for job, step in steps_of(workflow) if "secrets." in str(step)]
    assert (
        with_keys == [("evaluate", "Evaluate")] and workflow["jobs"]["evaluate"]["environment"] == "evaluate"
    )
    assert "secrets" not in str({key: value for key, value in workflow.items() if key != "jobs"})


def test_forks_are_left_out_until_somebody_starts_them(workflow):
    assert set(workflow[True]) == {"pull_request", "workflow_dispatch"}  # YAML reads `on` as true
    condition = " ".join(workflow["jobs"]["evaluate"]["if"].split())
    assert condition == (
        "vars.ASSAY_MODELS != '' && (github.event_name == 'workflow_dispatch' || "
        "github.event.pull_request.head.repo.full_name == github.repository)"
    )


@pytest.mark.parametrize("file", ["evaluate.yml", "checks.yml"])
def test_expressions_stand_nowhere_in_scripts(file):
    """Values come by the environment: what stands in a script would be run."""
    for _, step in steps_of(yaml.safe_load((WORKFLOWS / file).read_text("utf-8"))):
        assert "${{" not in step.get("run", "")
        assert "uses" not in step or re.search("@[0-9a-f]{40}$", step["uses"]), step["uses"]
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_the_checks_are_those_of_the_makefile_and_have_no_rights():
    checks = yaml.safe_load((WORKFLOWS / "checks.yml").read_text("utf-8"))
    commands = {line for _, step in steps_of(checks) for line in step.get("run", "").splitlines()}
    assert {"make check", "make test", "make site"} <= commands
    assert checks["permissions"] == {"contents": "read"} and "secrets" not in str(checks)
    assert set(checks[True]) == {"push", "pull_request"}


# ---------------------------------------------------------------- its steps, run


def git(folder, *arguments):
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    name = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "safe.directory=*")
    done = subprocess.run(
        ["git", *name, *arguments],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write_test(clone, name, word):
    (clone / "tests" / f"{name}.py").write_text(TEST.format(word=word), "utf-8")
    (clone / "tests" / "references" / f"{name}.py").write_text(REFERENCES.format(word=word), "utf-8")
    git(clone, "add", "tests")
    git(clone, "commit", "-q", "-m", f"{name} says {word}")


@pytest.fixture(scope="module")
def pull_request(tmp_path_factory):
    """(clone at the head of a pull request, base, head): a bare origin, whose main went on meanwhile."""
    folder = tmp_path_factory.mktemp("forge")
    git(folder, "clone", "-q", "--bare", str(ROOT), "origin.git")
    git(folder, "clone", "-q", "origin.git", "clone")
    clone = folder / "clone"
    git(clone, "checkout", "-q", "-B", "main")
    write_test(clone, "ci_old", "old")
    git(clone, "checkout", "-q", "-b", "feature")
    write_test(clone, "ci_first", "one")
    write_test(clone, "ci_second", "two")
    git(clone, "checkout", "-q", "main")
    write_test(clone, "ci_elsewhere", "three")
    base = git(clone, "rev-parse", "main")
    git(clone, "checkout", "-q", "feature")
    git(clone, "merge", "-q", "main", "-m", "Merge main")
    git(clone, "push", "-q", "origin", "main", "feature", "--force")
    (clone / ".venv").symlink_to(Path(sys.prefix))  # the step that installs takes a minute
    return clone, base, git(clone, "rev-parse", "HEAD")


def value_of(text, context):
    """`${{ a.b || c }}` in a context of dotted names."""

    def found(match):
        for name in match[1].split("||"):
            if value := context.get(name.strip(), ""):
                return str(value)
        return ""

    return re.sub(r"\$\{\{(.*?)\}\}", found, str(text))


def run_step(workflow, job, name, folder, context, **environ):
    step = next(each for each in workflow["jobs"][job]["steps"] if each.get("name") == name)
    given = {key: value_of(value, context) for key, value in step.get("env", {}).items()}
    kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder, env={**kept, "HOME": str(folder.parent), **given, **environ},
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip


def context_of(base, head, **variables):
    return {
        "github.event.pull_request.base.sha": base,
        "github.event.pull_request.head.sha": head,
        "github.event.pull_request.number": 7,
        "github.token": "token-of-the-job",
        "vars.ASSAY_MODELS": "oracle, saboteur",
        **{f"vars.{name}": value for name, value in variables.items()},
    }


@pytest.mark.slow(3)
def test_what_changed_is_run_and_the_grid_is_posted(workflow, pull_request):
    clone, base, head = pull_request
    context = context_of(base, head)
    assert (
        run_step(workflow, "evaluate", "The commit is named by its whole hash", clone, context).returncode
        == 0
    )
    done = run_step(workflow, "evaluate", "Evaluate", clone, context)
    assert done.returncode == 0, done.stderr
    data = json.loads((clone / "grid" / "grid.json").read_text())
    assert [test["test"] for test in data["tests"]] == ["ci_first.TestSay", "ci_second.TestSay"]
    assert {m["model"]: (m["passed"], m["counted"]) for m in data["models"]} == {
        "oracle": (2, 2),
        "saboteur": (0, 6),
    }
    assert ElementTree.parse(clone / "grid" / "junit.xml").getroot().get("failures") == "0"
    assert (clone / "evaluation_examples" / "index.html").exists()
    assert git(clone, "status", "--porcelain", "--untracked-files=no") == ""
    with GitHub() as github:
        told = {
            "GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "99",
            "GITHUB_SERVER_URL": "https://forge.example",
            "GITHUB_STEP_SUMMARY": str(clone.parent / "summary.md"),
        }  # fmt: skip
        for result in ("success", "failure"):
            posted = run_step(
                workflow,
                "comment",
                "Post the grid",
                clone,
                {**context, "needs.evaluate.result": result},
                **told,
            )
            assert posted.returncode == 0, posted.stderr
            (comment,) = github.comments
            assert ("did not end well" in comment["body"]) == (result == "failure")
        assert {authorization for _, _, authorization in github.requests} == {"Bearer token-of-the-job"}
    text = comment["body"]
    assert "| `ci_first.TestSay` | 1/1 (100%) | 0/3 (0%) |" in text and "| `oracle` | 2/2 (100%) |" in text
    assert f"Commit {head[:12]}" in text and "https://forge.example/o/r/actions/runs/99" in text
    assert (clone.parent / "summary.md").read_text().count("<!-- assay evaluate -->") == 2


@pytest.mark.slow(3)
def test_a_model_below_the_limit_fails_the_job(workflow, pull_request):
    clone, base, head = pull_request
    done = run_step(workflow, "evaluate", "Evaluate", clone, context_of(base, head, ASSAY_FAIL_UNDER="100"))
    assert done.returncode == 3 and "saboteur: passed 0.0%" in done.stderr
    assert (clone / "grid" / "code").read_text() == "3\n"


@pytest.mark.slow(6)
def test_nothing_changed_is_no_failure(workflow, pull_request, tmp_path):
    clone, _, head = pull_request
    (tmp_path / "junit.xml").write_text("of an earlier run")
    done = run_step(workflow, "evaluate", "Evaluate", clone, context_of(head, head), OUT=str(tmp_path))
    assert not (tmp_path / "junit.xml").exists()
    assert done.returncode == 0 and "nothing to run" in done.stderr, done.stderr
    from scripts.comment_on_pull_request import body, read

    assert "No changed test was found" in body(read(tmp_path / "grid.json"), head, "success", "")


@pytest.fixture
def own_repository(tmp_path):
    """One with tests and the script, but without Assay."""
    for folder in ("tests/references", "scripts"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "evaluate_changes.sh", tmp_path / "scripts")
    git(tmp_path, "init", "-q")
    write_test(tmp_path, "before", "old")
    write_test(tmp_path, "own", "mine")
    return tmp_path


def test_in_a_repository_of_ones_own(workflow, own_repository):
    told = {"PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    inside = own_repository / "tests" / "geo"
    inside.mkdir()
    (inside / "land.py").write_text(TEST.format(word="land"))
    (inside / "broken.py").write_text("x = (")
    git(own_repository, "add", "tests")
    git(own_repository, "commit", "-q", "--amend", "--no-edit")
    context = context_of("HEAD^", "HEAD")
    done = run_step(workflow, "evaluate", "Evaluate", own_repository, context, **told)
    assert done.returncode == 1, done.stderr
    data = json.loads((own_repository / "grid" / "grid.json").read_text())
    assert [test["test"] for test in data["tests"]] == ["land.TestSay", "own.TestSay"]
    (wrong,) = data["errors"]
    assert wrong.startswith("tests/geo/broken.py:1: '(' was never closed")
    assert (
        ElementTree.parse(own_repository / "grid" / "junit.xml").find(".//error").get("message")
        == wrong.splitlines()[0]
    )
    said = (
        r"^tests that changed since [0-9a-f]{12} run: the branch left .* \(messages call it [0-9a-f]{40}\)$"
    )
    assert re.search(said, done.stderr, re.M)
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    found = git(own_repository, "ls-files", "--others", "--directory").splitlines()
    wrote = {name for name in found if name != "scripts/" and "__pycache__" not in name}
    assert "grid/" in wrote and all(f"`{name}`" in page for name in wrote), wrote


def said_in_comment(repository):
    """Why a run failed, in the comment on it."""
    from scripts.comment_on_pull_request import body, last_errors, read

    grid = repository / "grid" / "grid.json"
    shown = body(read(grid), "", "failure", "", last_errors(grid.with_name("errors.txt")))
    lines = re.findall("^- `(.*)`$", shown.partition("**The run did not end well:**")[2], re.M)
    return "\n".join(lines) + "\n"


def test_the_script_takes_the_names_of_the_page(own_repository):
    given = {"MODELS": "oracle saboteur", "TIMES": "2", "FAIL_UNDER": "100", "MAX_COST": "none"}
    python = own_repository / "python"  # says what it is asked
    python.write_text('#!/bin/sh\n[ "$1" = -c ] || echo "$@"\n')
    python.chmod(0o755)
    for ours in ("ASSAY_", ""):
        named = {f"{ours}{name}": value for name, value in given.items()}
        done = subprocess.run(
            [own_repository / "scripts" / "evaluate_changes.sh"],
            env={"PATH": os.environ["PATH"], "PYTHON": str(python), "BASE": "HEAD^", **named},
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        asked = (own_repository / "grid" / "grid.json").read_text()
        assert asked.endswith("--model oracle --model saboteur --times 2 --fail-under 100\n")
        assert "ASSAY_MAX_COST=none" in done.stderr


def test_a_base_that_is_not_there_is_named(workflow, own_repository):
    told = {"PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    done = run_step(
        workflow, "evaluate", "Evaluate", own_repository, context_of("origin/mian", "HEAD"), **told
    )
    assert done.returncode == 1
    assert done.stderr == "there is no branch or commit origin/mian here; fetch it, or set BASE to another\n"
    assert said_in_comment(own_repository) == done.stderr


def test_a_python_without_assay_is_not_taken_for_trials_in_error(workflow, own_repository):
    python = own_repository / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    python.chmod(0o755)
    context = context_of("HEAD^", "HEAD")
    done = run_step(workflow, "evaluate", "Evaluate", own_repository, context, PYTHON=str(python))
    assert done.returncode == 1 and done.stderr.startswith(f"{python} has no Assay; install it there")
    assert done.stderr.endswith("(ModuleNotFoundError: No module named 'assay')\n")
    assert not (own_repository / "grid" / "code").exists()
    done = run_step(workflow, "evaluate", "Evaluate", own_repository, context, PYTHON="none/python")
    said = "there is no none/python here; set PYTHON to the Python that has Assay\n"
    assert done.returncode == 1 and done.stderr == said == said_in_comment(own_repository)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("echo 1 file >&2; echo 'error: no key key-12345' >&2; exit 2", "error: no key [key]\n"),
        ("printf 'a@b\\0c\\n' >&2; kill -9 $$", "a@bc\n"),
        ("exit 0", "error: the run ended without results, and without an error; does a test file call"),
        ("echo '{'", "error: the run ended without results, and without an error; does a test file call"),
    ],
)
def test_why_no_test_ran_is_in_the_comment(workflow, own_repository, run, said):
    python = own_repository / "python"
    python.write_text(f'#!/bin/sh\n[ "$2" = assay ] || exec {sys.executable} "$@"\n{run}\n')
    python.chmod(0o755)
    told = {"PYTHON": str(python), "PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "key-12345"}
    done = run_step(workflow, "evaluate", "Evaluate", own_repository, context_of("HEAD^", "HEAD"), **told)
    assert (own_repository / "grid" / "code").read_text() == f"{done.returncode}\n" != "0\n"
    assert said_in_comment(own_repository).startswith(said)
    junit = ElementTree.parse(own_repository / "grid" / "junit.xml").getroot()
    assert junit.get("errors") == "1" and junit.find(".//error").get("type") == "not run"


@pytest.mark.parametrize(
    ("base", "config", "said"),
    [
        ("mian", '{"model": "lab/a"}', "fatal: invalid object name 'mian'.\n"),
        ("HEAD", '{"models": ["lab/a"]}', 'config.json here is not JSON with a "model"\n'),
        ("HEAD", '{"model": "lab/a",}', 'config.json here is not JSON with a "model"\n'),
    ],
)
def test_the_step_of_the_page_ends_in_one_line_for_a_mistake(tmp_path, base, config, said):
    page = (ROOT / "docs" / "ci.md").read_text()
    script = page.partition("```sh\nset -eu")[2].partition("```")[0]
    (tmp_path / "config.json").write_text('{"model": "lab/a"}')
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a model")
    (tmp_path / "config.json").write_text(config)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-euc", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "BASE": base},
        capture_output=True,
        text=True,
    )
    assert done.returncode and (done.stdout, done.stderr) == ("", said)


@pytest.mark.parametrize("commit", ["main", "abc123", "", "$(touch pwned)" + "a" * 40, "a" * 40 + "\n--"])
def test_a_commit_must_be_a_whole_hash(workflow, pull_request, commit):
    clone, _, _ = pull_request
    context = {"inputs.commit": commit}
    done = run_step(workflow, "evaluate", "The commit is named by its whole hash", clone, context)
    assert done.returncode == 1 and "whole hash" in done.stdout and not (clone / "pwned").exists()
