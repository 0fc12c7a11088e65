"""Completion in real shells: what the tab key makes of a command line."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.cli.arguments import add_suite_flags, make_parser
from assay.cli.complete import complete
from assay.results.store import Results

ROOT = Path(__file__).resolve().parents[2]
KNOWN = dict.fromkeys(("oracle", "saboteur", "human", "openai/gpt-4o", "a;b"), "")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][A-Z0-9]?|\x1b\][^\x07]*\x07|[\x07\x0f\x0e]")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """What a user sees of a checkout: main.py, tests, results; and a stranger's main.py beside it."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "main.py").write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + (ROOT / "main.py").read_text("utf-8"), "utf-8"
    )
    (folder / "tests").mkdir()
    tests = (
        "from evaluator import *\nTAGS = ['zany']\nTestHello = 'q' >> LLMRun() >> SubstringEvaluator('a')\n"
    )
    (folder / "tests" / "zebra.py").write_text(f"DESCRIPTION = 'Stripes'\n{tests}", "utf-8")
    (folder / "results" / "abc").mkdir(parents=True)
    run = Results(folder / "results").run_file("abc", "zoo/zebra:7b", "1")
    run.parent.mkdir()
    run.write_text("")
    evil = folder / "results" / "abc" / "zoo__$(touch pwned)"
    evil.mkdir()
    (evil / "run-1.jsonl").write_text("")
    (folder / "conf_here.json").write_text("{}")
    (folder / "stranger").mkdir()
    (folder / "stranger" / "main.py").write_text("open('ran', 'w')\n", "utf-8")
    (folder / "bin").mkdir()
    program = folder / "bin" / "assay"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "{folder}/main.py" "$@"\n')
    program.chmod(0o755)
    python = folder / "bin" / "python"  # no link: that would be a Python without its environment
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return folder


def script(shell, folder):
    done = subprocess.run(
        [sys.executable, "main.py", "--completion", shell],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    path = folder / f"script.{shell}"
    path.write_text(done.stdout)
    return path


class Shell:
    """An interactive shell on a terminal of its own."""

    def __init__(self, argv, folder):
        environ = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "TERM": "xterm"}
        environ |= {"PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "200", "PS1": "$ "}
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.chdir(folder)
            os.execvpe(argv[0], argv, environ)
        self.seen = ""

    def read(self, wanted, timeout=60.0):
        """All until `wanted` is seen."""
        deadline = time.monotonic() + timeout
        while not re.search(wanted, self.seen):
            assert time.monotonic() < deadline, f"waited in vain for {wanted!r}: {self.seen[-2000:]!r}"
            if select.select([self.terminal], [], [], 0.2)[0]:
                self.seen += ESCAPES.sub("", os.read(self.terminal, 65536).decode("utf-8", "replace"))
        found, self.seen = self.seen, ""
        return found

    def type(self, text):
        os.write(self.terminal, text.encode())

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


# What is typed -> what the line is then. The programs by all their names.
LINES = [
    ("assay --load-s", "assay --load-saved "),
    ("python main.py --load-s", "python main.py --load-saved "),
    ("python main.py --load-saved --format mark", "python main.py --load-saved --format markdown "),
    ("assay --run-tests --test zebra.", "assay --run-tests --test zebra.TestHello "),
    ("assay --run-tests --tag zan", "assay --run-tests --tag zany "),
    ("assay --run-tests --model zoo/", "assay --run-tests --model zoo/zebra:7b "),
    ("assay --run-tests --model zoo/zebra:", "assay --run-tests --model zoo/zebra:7b "),
    ("assay --suite weird", "assay --suite weirdml "),
    ("assay --suite weirdml --run-tests --iter", "assay --suite weirdml --run-tests --iterations "),
    ("assay --load-saved --export juni", "assay --load-saved --export junit="),
    ("assay --load-saved --config conf_h", "assay --load-saved --config conf_here.json "),
    ("assay --load-saved --logdir resul", "assay --load-saved --logdir results/"),
    ("assay --run-tests --format=js", "assay --run-tests --format=json "),
    ("python -m assay --load-s", "python -m assay --load-saved "),
    ("assay resc", "assay rescore "),
    ("python main.py expl", "python main.py explain "),
    ("assay run zebra.", "assay run zebra.TestHello "),
    ("assay run zebra --mod", "assay run zebra --model "),
    ("assay run weirdml --iter", "assay run weirdml --iterations "),
    ("assay show zoo/", "assay show zoo/zebra:7b "),
    ("assay export juni", "assay export junit="),
    ("assay explain tests/zeb", "assay explain tests/zebra.py "),
]


@pytest.fixture(scope="module")
def bash(checkout):
    path = script("bash", checkout)
    shell = Shell(["bash", "--norc", "--noprofile", "-i"], checkout)
    shell.type(f"bind 'set enable-bracketed-paste off'; PS1='> '; export PYTHONPATH={ROOT}\n")
    shell.type(f"source {path}; echo READ''Y\n")
    shell.read("READY\r\n")
    yield shell
    shell.close()


@pytest.fixture(scope="module")
def zsh(checkout):
    assert shutil.which("zsh"), "apt-get install zsh (scripts/system_tools.sh test does)"
    path = script("zsh", checkout)
    shell = Shell(["zsh", "-f", "-i"], checkout)
    shell.type(f"PS1='> '; export PYTHONPATH={ROOT}; unsetopt BEEP; autoload -Uz compinit; compinit -D -u\n")
    shell.type(f"source {path}; echo READ''Y\n")
    shell.read("READY\r\n")
    yield shell
    shell.close()


def typed(shell, text):
    """The line after the tab key: put between quotes behind an echo, whose output is read."""
    shell.type(f"\x15{text}\t\x01echo 'LINE:\x05|'\n")
    return re.findall(r"\nLINE:(.*)\|\r?\n", shell.read(r"\nLINE:.*\|\r?\n"))[-1]


@pytest.mark.parametrize(("text", "line"), LINES, ids=[text for text, _ in LINES])
def test_bash(bash, text, line):
    assert typed(bash, text) == line


@pytest.mark.parametrize(("text", "line"), LINES, ids=[text for text, _ in LINES])
def test_zsh(zsh, text, line):
    # zsh takes the space or slash that it adds away again when the next key is not part of a word
    assert typed(zsh, text).rstrip(" /") == line.rstrip(" /")


@pytest.fixture(scope="module")
def fish(checkout):
    assert shutil.which("fish"), "apt-get install fish (scripts/system_tools.sh test does)"
    path = script("fish", checkout)

    def candidates(line):
        code = f"source {path}; complete -C '{line}'"
        environ = {
            "PATH": f"{checkout}/bin:{os.environ['PATH']}",
            "HOME": str(checkout),
            "PYTHONPATH": str(ROOT),
        }
        done = subprocess.run(
            ["fish", "--no-config", "-c", code],
            cwd=checkout,
            env=environ,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    return candidates


@pytest.mark.parametrize(("text", "line"), LINES, ids=[text for text, _ in LINES])
def test_fish(fish, text, line):
    before, _, _ = text.rpartition(" ")
    assert fish(text) == [line.removeprefix(before).strip()]


def test_fish_shows_what_values_mean(fish, checkout):
    assert "zebra.TestHello" in fish("assay --test ") and "--generate-report" in fish("assay --")


@pytest.mark.parametrize("which", ["bash", "zsh"])
def test_a_strangers_main_py_is_not_run(which, request, checkout):
    shell = request.getfixturevalue(which)
    assert typed(shell, "python stranger/main.py --load-s") == "python stranger/main.py --load-s"
    assert not list(checkout.rglob("ran"))


def test_fish_runs_no_strangers_main_py(fish, checkout):
    assert "--load-saved" not in fish("python stranger/main.py --load-s") and not list(checkout.rglob("ran"))


def test_python_completes_files_as_before(bash, fish):
    assert typed(bash, "python conf_h") == "python conf_here.json "
    assert "conf_here.json" in fish("python conf_h")


def test_what_completed_python_before_still_does(checkout):
    path = script("bash", checkout)
    code = (
        "_mine() { COMPREPLY=(from_mine); }; complete -F _mine python3; "
        f"source {path}; source {path}; "
        "COMP_WORDS=(python3 fr) COMP_CWORD=1 COMP_LINE='python3 fr' COMP_POINT=10; "
        "_assay_python python3 fr python3; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "from_mine\n", done.stderr


def said(*words, root):
    return complete(words, root, add_suite_flags, lambda: KNOWN)


def test_models_recorded_configured_and_known(checkout):
    """Names that a shell would take for more than a name are not offered."""
    (checkout / "config.json").write_text('{"model": "my/own", "models": ["my/other"]}')
    answer = said("--run-tests", "--model", "", root=checkout)
    offered = [line.partition("\t")[0] for line in answer.text().splitlines()[1:]]
    assert offered == ["zoo/zebra:7b", "my/own", "my/other", "oracle", "saboteur", "human", "openai/gpt-4o"]
    assert "recorded" in answer.values["zoo/zebra:7b"] and "zoo/$(touch pwned)" in answer.values


def test_both_sides_of_a_comparison_are_recorded_models(checkout):
    for words in (["--compare", "z"], ["--compare", "zoo/zebra:7b", "z"]):
        found = complete(words, checkout, add_suite_flags, lambda: {"zoo/unused": ""})
        assert "zoo/zebra:7b" in found.values and "zoo/unused" not in found.values
    assert "zoo/zebra:7b" in complete(["--fail-if-worse-than", ""], checkout, add_suite_flags, list).values


def test_flags_are_offered_once_unless_they_repeat(checkout):
    flags = said("--run-tests", "--model", "m", "", root=checkout).values
    assert "--model" in flags and "--run-tests" not in flags and "--load-saved" in flags
    assert all("\n" not in line.partition("\t")[2] for line in said("", root=checkout).text().splitlines())


def test_every_flag_with_a_value_is_answered(checkout):
    """Also one that is new and that nobody has thought of here: with nothing, not with a traceback."""
    answers = {
        a.dest: said(a.option_strings[-1], "", root=checkout) for a in make_parser()._actions if a.nargs != 0
    }
    known = (
        "model",
        "judge",
        "suite",
        "test",
        "cli_words",
        "tag",
        "runid",
        "sandbox",
        "format",
        "export",
        "completion",
    )
    assert [name for name in known if not answers[name].values] == []
    kinds = {
        name: answers[name].kind
        for name in ("config", "endpoint", "rescore", "logdir", "report_dir", "tests")
    }
    assert list(kinds.values()) == ["files"] * 3 + ["dirs"] * 3
    assert answers["export"].kind == "nospace"


def test_a_suite_with_its_flags_and_tests():
    assert "--iterations" in said("--suite", "weirdml", "--it", root=ROOT).values
    tests = said("--suite", "euler", "--test", "euler001.", root=ROOT).values
    assert tests and all(name.startswith("euler001.") for name in tests)
    assert said("--suite", "nonsense", "--it", root=ROOT).values == {}
    assert [*said("show", "--suite", "euler", "--run-l", root=ROOT).values] == ["--run-limit"], "a condition"
    assert said("show", "--suite", "euler", "--prob", root=ROOT).values == {}
    assert "--trials" not in said("run", "--suite", "arithmetic", "--trial", root=ROOT).values, "it is hidden"
