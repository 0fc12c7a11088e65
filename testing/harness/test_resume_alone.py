"""--resume by itself goes on with exactly the last run, or says why not."""

import json
import os
import re
import signal
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace

import pytest

from assay.cli.arguments import parse
from assay.cli.main import main
from assay.cli.resume import last_run
from assay.errors import ConfigError
from assay.results.saved_command import SavedCommand, last_command, load_command, save_command
from assay.results.store import Results
from testing.harness.commanding import ROOT, Workspace, stop, wait_until
from testing.model_server import ModelServer


@pytest.fixture
def server():
    with ModelServer(replies={"say red": "red", "say two": "two"}) as made:
        yield made


@pytest.fixture
def work(tmp_path, server):
    made = Workspace(tmp_path, server, model="local/of-the-config", judge="local/j")
    made.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n")
    made.test_file("b", "TestTwo = 'say two' >> LLMRun() >> SubstringEvaluator('two')\n")
    return made


def resume(work, *flags, code=0):
    """Nothing but --resume, in the run's folder."""
    command = [*work.command("--tests", "x")[:2], "--logdir", "results", "--resume", *flags]
    done = subprocess.run(
        command, cwd=work.folder, env=work.environment, capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stderr


def tried(work):
    return sorted((line["test"], line["model"], line["epoch"]) for line in work.lines())


def test_a_run_that_is_named_must_be_there(work, server):
    work.main("--run-tests", "--model", "local/m", "--test", "a")
    asked = server.stats()["requests"]
    named = ("--run-tests", "--model", "local/m", "--test", "a", "--runid", "99")
    _, err = work.main(*named, "--resume", code=1)
    assert "--resume: there is no run 99 of local/m, so there is nothing to resume; saved runs are 1." in err
    assert server.stats()["requests"] == asked and len(work.lines()) == 1
    work.main(*named)
    _, err = work.main(*named, "--model", "local/n", "--resume")  # joins a run that another model has
    assert "local/m: 0 trials to run, 1 done before" in err and len(work.lines()) == 3


@pytest.mark.slow(7)
def test_with_a_model_or_a_run_it_is_the_last_run_of_that(work, server):
    work.main("--run-tests", "--model", "local/m", "--model", "local/n", "--test", "a")
    work.main("--run-tests", "--model", "local/o", "--test", "b", "--runid", "mine")
    for named in (["--model", "local/n"], ["--runid", "mine"], ["--model", "local/o", "--runid", "mine"]):
        (path,) = work.results.glob(f"*/local__{'n' if 'local/n' in named else 'o'}/run-*.jsonl")
        kept = path.read_text()
        path.write_text("")  # the trial is missing
        said = resume(work, *named)
        assert "resuming the last run of local/" in said and "1 trial to run" in said
        (line,) = path.read_text().splitlines()
        assert json.loads(line)["test"] == json.loads(kept)["test"]
    assert len(tried(work)) == 3


def test_a_run_that_is_not_there_is_told_and_begins_nothing(work, server):
    work.main("--run-tests", "--model", "local/m", "--test", "a")
    asked, lines = server.stats()["requests"], work.lines()
    said = resume(work, "--runid", "99", code=1)
    assert "no run 99 was started here" in said and "saved runs are 1" in said
    said = resume(work, "--model", "local/mm", code=1)
    assert "there is nothing to resume. Did you mean local/m? To go on with saved results, name" in said
    assert (server.stats()["requests"], work.lines()) == (asked, lines)
    assert "0 trials to run" in resume(work), "it is not the last run"


@pytest.mark.slow(3)
def test_with_tests_it_is_the_newest_run_that_has_one_of_them(work, server):
    run = ("--run-tests", "--model", "local/m")
    server.desk.key = "another"
    work.main(*run, "--test", "a", code=2)
    server.desk.key = None
    work.main(*run, "--test", "b")
    _, err = work.main(*run, "--test", "a", "--resume", "--dry-run")
    assert "a new one begins" not in err
    _, err = work.main(*run, "--test", "a", "--resume")
    assert "run-1.jsonl" in err and "1 trial" in err
    files = sorted(work.results.glob("*/*/*.jsonl"))
    assert [{json.loads(line)["test"] for line in path.read_text().splitlines()} for path in files] == [
        {"a.TestRed"},
        {"b.TestTwo"},
    ]
    work.test_file("c", "TestThree = 'say two' >> LLMRun() >> SubstringEvaluator('two')\n")
    _, err = work.main(*run, "--test", "c", "--resume", "--dry-run")
    assert "no run of local/m has any of these tests; to add them to a run, give its --runid: saved" in err
    _, err = work.main(*run, "--test", "c", "--resume", "--runid", "2")
    assert "run-2.jsonl" in err


def test_it_is_the_last_runs_models_tests_and_times(work, server):
    server.desk.key = "another"
    work.main("--run-tests", "--model", "local/first", code=2)
    work.main(
        "--run-tests", "--model", "local/m", "--model", "local/n", "--test", "a", "--times", "2", code=2
    )
    server.desk.key = None
    config = work.folder / "config.json"
    config.write_text(config.read_text().replace("of-the-config", "of-another-config"))
    before = len(work.lines())
    err = resume(work)
    assert f"resuming the last run: {sys.executable} {ROOT}/main.py run " in err
    assert "--model local/m --model local/n --test a --times 2 --logdir results --resume --runid 1\n" in err
    passed = [line for line in work.lines() if line["outcome"] == "pass"]
    wanted = [("a.TestRed", f"local/{model}", epoch) for model in "mn" for epoch in (1, 2)]
    assert sorted((line["test"], line["model"], line["epoch"]) for line in passed) == wanted
    assert len(work.lines()) == before + 4


def test_flags_beside_it_change_the_last_run_in_that(work, server):
    work.main("--run-tests", "--test", "b")
    err = resume(work, "--format", "json", "--dry-run")
    assert "--model local/of-the-config" in err and err.count("trials") <= 2
    assert "--format json --dry-run --resume" in err
    err = resume(work, "--max-tokens", "3000")
    assert "--max-tokens 3000" in err and "0 trials to run, 1 done before" in err
    assert tried(work) == [("b.TestTwo", "local/of-the-config", 1)]
    assert "--times 2 --resume --runid 1\n" in resume(work, "--times", "2")
    assert "0 trials to run, 2 done before" in resume(work), "it is the run as it was gone on with"
    assert tried(work) == [("b.TestTwo", "local/of-the-config", epoch) for epoch in (1, 2)]


def test_a_command_that_is_gone_is_not_known(work):
    work.main("--run-tests", "--model", "local/m", "--test", "b")
    (path,) = work.results.glob("*/*/run-1.request")
    path.unlink()
    for flags in ([], ["--model", "local/m"]):
        said = resume(work, *flags, code=1)
        assert "is not known. It is gone or somebody else's, or the run was started from Python" in said
        assert "name the tests too" in said


def test_a_stopped_run_says_above_its_tables_what_it_lacks(work, capsys):
    flags = ["--logdir", str(work.results), "--config", str(work.folder / "config.json")]
    models = ["--model", "local/a", "--model", "local/b", "--max-connections", "1"]
    run = ["run", str(work.tests), *models, "--times", "9", "--max-tokens", "20", "--no-cache", *flags]
    said = r"(the last run of local/\w is not finished: \d+ of 18 trials (?:is|are) missing)"
    assert main(run, work.folder) == 2
    out = capsys.readouterr().out
    lacking = re.findall(f"^{said}$", out.partition("Models")[0], re.M)
    assert len(lacking) == 2, "also of a model that was not asked at all"
    assert main([*run, "--format", "markdown"], work.folder) == 2
    assert len(re.findall(f"^{said}\n\n", capsys.readouterr().out, re.M)) == 2
    assert main([*run, "--format", "json"], work.folder) == 2
    data = json.loads(capsys.readouterr().out)
    assert len([each for each in data["unfinished"] if re.fullmatch(said, each)]) == 2


def test_a_stopped_run_lacks_its_trials_until_a_later_run_had_all_of_them(work, capsys):
    flags = ["--logdir", str(work.results), "--config", str(work.folder / "config.json")]
    flags += ["--tests", str(work.tests)]
    run = ["run", "--model", "local/m", "--max-connections", "1", "--no-cache", *flags]
    show = ["show", "--fail-under", "2", *flags[:2], *flags[4:]]

    def said():
        capsys.readouterr()
        return main(show, work.folder), capsys.readouterr().out

    assert main([*run, "a", "b", "--times", "9", "--max-tokens", "20"], work.folder) == 2
    assert "the last run of local/m is not finished" in said()[1]
    parts = ["a", "--times", "20"], ["a", "b", "--times", "2"], ["b"]
    for part in parts:
        assert main([*run, *part], work.folder) == 0
        code, out = said()
        lacks = re.search(r"an earlier run of local/m is not finished: \d+ of 18 trials are missing.*", out)
        assert code == 1 and lacks and " run --resume --model local/m --runid 1" in lacks[0], part
    assert main([*run, "a", "b", "--times", "9"], work.folder) == 0
    assert said()[0] == 0
    assert main([*run, "a", "b", "--times", "30", "--max-tokens", "100"], work.folder) == 2
    assert main([*run, "a", "--runid", "small"], work.folder) == 0
    assert said()[0] == 1
    assert main([*run, "a", "b", "--times", "30", "--skip-existing"], work.folder) == 0
    assert said()[0] == 0, "the verdicts of all its trials are there"


@pytest.mark.parametrize("again", [["--resume"], ["a", "b", "--model", "local/m", "--resume"]])
def test_rows_that_are_gone_since_a_run_was_stopped_are_not_missing(work, capsys, again):
    table = work.folder / "rows.csv"
    table.write_text("say,wanted\n" + "say red,red\n" * 9)
    work.test_file(
        "a", f"TestRed = Rows({str(table)!r}) >> '<say>' >> LLMRun() >> SubstringEvaluator('<wanted>')\n"
    )
    flags = ["--logdir", str(work.results), "--tests", str(work.tests)]
    flags += ["--config", str(work.folder / "config.json"), "--max-connections", "1", "--no-cache"]
    assert main(["run", "a", "b", "--model", "local/m", "--max-tokens", "20", *flags], work.folder) == 2
    table.write_text("say,wanted\n" + "say red,red\n" * 5)
    part = ["run", "b", "--model", "local/m", "--resume", "--runid", "1", *flags]
    assert main(part, work.folder) == 0
    assert main(["show", "--fail-under", "2", *flags[:2]], work.folder) == 1
    assert "of 10 trials are missing" in capsys.readouterr().out, "which another selection does not know"
    again = again if len(again) == 1 else [*again, *flags]
    assert main(["run", *again, *flags[:2], "--max-tokens", "999"], work.folder) == 0
    assert main(["show", "--fail-under", "2", *flags[:2]], work.folder) == 0
    assert not list(work.results.rglob("*.unfinished"))


def test_a_stopped_rescoring_says_what_it_lacks(work, capsys):
    flags = ["--logdir", str(work.results), "--config", str(work.folder / "config.json")]
    assert main(["run", str(work.tests), "--model", "local/m", *flags], work.folder) == 0
    stops = "time.sleep(0.2), os.kill(os.getpid(), signal.SIGINT), time.sleep(0.2)"  # after the other trial
    two = f"'say two' >> LLMRun() >> PyFunc(lambda text: ({stops})) >> SubstringEvaluator('two')\n"
    work.test_file("b", f"import os, signal, time\nTestTwo = {two}")
    capsys.readouterr()
    rescore = ["rescore", "local/m", *flags]
    assert main(rescore, work.folder) == 130
    said = "the last run of local/m is not finished: 1 of 2 trials is missing; if it was stopped, the same "
    assert f"{said}rescore with --resume goes on" in capsys.readouterr().out
    work.test_file("b", "TestTwo = 'say two' >> LLMRun() >> SubstringEvaluator('two')\n")
    assert main([*rescore, "--resume"], work.folder) == 0
    assert "1/1 trials" in capsys.readouterr().err and not list(work.results.rglob("*.unfinished"))


def test_with_a_selection_it_means_what_it_always_did(work):
    work.main("--run-tests", "--test", "b")
    _, err = work.main("--run-tests", "--model", "local/of-the-config", "--resume")
    assert "goes on with the last run" not in err and "1 trial to run, 1 done before" in err


def test_it_says_why_not(work, tmp_path):
    said = resume(work, "--test", "b", code=1)
    assert "run --logdir results --resume --test b" in said and "conformance" not in said
    for flags in ([], ["--run-tests"], ["--times", "3"]):
        with pytest.raises(
            ConfigError, match=r"was started on this machine .*name the tests too: .* run TESTS"
        ):
            parse(["--logdir", str(work.results), "--resume", *flags], work.folder)
    for flags in ([], ["--times", "3"]):
        with pytest.raises(
            ConfigError, match=r"no run of local/m was started here .* --model local/m --resume"
        ):
            parse(["--logdir", str(work.results), "--resume", "--model", "local/m", *flags], work.folder)
    work.main("--run-tests", "--test", "b")
    (path,) = work.results.glob("*/*/run-1.request")
    request = load_command(path)
    path.unlink()
    save_command(replace(request, commit="abc"), path)
    err = resume(work, code=1)
    assert (
        "the last run was made at commit abc, but this is no-commit" in err
        and f"this runs what it lacks: {sys.executable} " in err
    )
    path.unlink()
    save_command(replace(request, cwd="/elsewhere"), path)
    assert "was started in /elsewhere" in resume(work, code=1)


def test_a_kill_leaves_the_request_whole_and_the_run_goes_on(tmp_path):
    with ModelServer(latency=0.05) as server:
        work = Workspace(tmp_path, server)
        work.many_tests(40, wanted="")
        process = work.start("--run-tests", "--model", "local/m", "--max-connections", "2")
        wait_until(lambda: list(work.results.glob("*/*/run-*.jsonl")) and work.lines(torn=1))
        stop(process, signal.SIGKILL)
        resume(work)
    assert sorted({test for test, _, _ in tried(work)}) == [f"many.Test{i:03}" for i in range(40)]


def test_half_a_request_is_none_and_the_one_before_counts(tmp_path):
    first = SavedCommand(("--model", "m"), "/", "c", {"m": "1"})
    for number, request in ((1, first), (2, SavedCommand(("--model", "n"), "/", "c", {"n": "2"}))):
        (tmp_path / "c" / "m").mkdir(parents=True, exist_ok=True)
        save_command(request, tmp_path / "c" / "m" / f"run-{number}.jsonl")
        os.utime(tmp_path / "c" / "m" / f"run-{number}.request", (number, number))
    assert last_command(tmp_path).argv == ("--model", "n")
    newest = tmp_path / "c" / "m" / "run-2.request"
    newest.write_bytes(newest.read_bytes()[:20])
    assert load_command(newest) is None and last_command(tmp_path) == first
    save_command(SavedCommand(("--other",), "/", "c", {}), tmp_path / "c" / "m" / "run-1.jsonl")
    assert last_command(tmp_path) == first  # gone on with, it is what it was
    assert not list((tmp_path / "c" / "m").glob(".*"))


def test_a_command_that_somebody_else_left_is_not_taken(tmp_path):
    """A stranger's results folder could name files to run, or no sandbox."""
    request = SavedCommand(("--model", "oracle"), "/", "c", {"m": "1"})
    path = tmp_path / "c" / "m" / "run-1.request"
    path.parent.mkdir(parents=True)
    save_command(request, path.with_suffix(".jsonl"))
    assert last_command(tmp_path) == request
    theirs = json.loads(path.read_text())
    path.write_text(json.dumps({**theirs, "argv": ["--tests", "evil"]}))
    assert last_command(tmp_path) is None
    path.write_text(json.dumps({name: value for name, value in theirs.items() if name != "signed"}))
    assert last_command(tmp_path) is None


@pytest.mark.parametrize(
    ("before", "now", "whole"),
    [
        (["--max-cost", "0.002", "--no-cache"], ["--max-cost", "1"], "--no-cache --max-cost 1"),
        (["--max-cost=1", "a", "--no-cache"], ["--no-cache", "--max-cost=2"], "a --no-cache --max-cost=2"),
        (
            ["--live", "8000", "--report", "--live"],
            ["--live", "--generate-report"],
            "--live --generate-report",
        ),
        (["--think", "a"], ["--no-think"], "a --no-think"),
        (["--tag", "x", "--model", "local/m"], ["--tag", "y"], "--tag x --model local/m --tag y"),
    ],
)
def test_a_flag_that_is_given_again_replaces_the_old_one(tmp_path, monkeypatch, capsys, before, now, whole):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "no git"))
    file = Results(tmp_path / "results").run_file("no-commit", "local/m", "1")
    file.parent.mkdir(parents=True)
    save_command(SavedCommand(tuple(before), str(tmp_path), "no-commit", {"local/m": "1"}), file)
    last_run(Namespace(logdir=None, actions=()), [*now, "--resume"], tmp_path)
    assert capsys.readouterr().err.endswith(f" run {whole} --resume --runid 1\n")
