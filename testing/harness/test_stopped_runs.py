"""A run that was stopped at one commit, seen from another one."""

import json
import shlex
import subprocess

import pytest

import assay
from assay.cli.main import main
from assay.results import run_notes
from assay.results.since_stopped import Since
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

RED = "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n"
TWO = "TestTwo = 'say two' >> LLMRun() >> SubstringEvaluator('two')\n"


def commit(work):
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x", "--allow-empty"]):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=work.folder, check=True
        )


@pytest.fixture
def work(tmp_path, monkeypatch, capsys):
    """A run of `a` and `b`, stopped, and a commit of something else."""
    with ModelServer(replies={"say red": "red", "say two": "two"}) as server:
        made = Workspace(tmp_path, server)
        made.test_file("a", RED + TWO.replace("TestTwo", "TestSlow"))
        made.test_file("b", TWO)
        monkeypatch.chdir(tmp_path)
        (tmp_path / ".gitignore").write_text("results\ncache\n")
        commit(made)
        assert main([*RUN, "a", "b", "--times", "6", "--max-tokens", "30"], tmp_path) == 2
        commit(made)
        capsys.readouterr()
        yield made


PLACES = ["--tests", "t", "--config", "config.json"]
RUN = ["run", *PLACES, "--model", "local/m", "--max-connections", "1", "--no-cache"]
OTHER = ["run", *PLACES, "--model", "local/n"]
SHOW = ["show", "--fail-under", "2"]


def words_of(said):
    """The words of the command that is said last."""
    return shlex.split(said[said.rindex(" run ") :].splitlines()[0])


def test_its_trials_are_missing_after_a_small_run_until_the_command_that_is_said_has_run_them(work, capsys):
    for alone in ([], ["--model", "local/m"]):
        assert main(["run", "--resume", *alone], work.folder) == 1
        again = words_of(capsys.readouterr().err)
    assert main([*RUN, "b"], work.folder) == 0
    assert main([*OTHER, "b"], work.folder) == 0
    capsys.readouterr()
    assert main([*SHOW, "--format", "json"], work.folder) == 1
    shown = capsys.readouterr()
    (said,) = json.loads(shown.out)["unfinished"]
    (folder,) = {path.parent.parent.name for path in work.results.rglob("*.unfinished")}
    assert said.startswith(f"an earlier run of local/m at commit {folder} is not finished: ")
    assert said in shown.err and words_of(said) == again
    assert assay.load(work.results).unfinished == assay.load(work.results).problems[:1] == (said,)
    assert main(["compare", "local/m", "local/n"], work.folder) == 0
    assert said in capsys.readouterr().err
    assert main([*SHOW, "--model", "local/m", "--fail-if-worse-than", "local/n"], work.folder) == 1
    assert main([*again, "--max-tokens", "6"], work.folder) == 2, "stopped once more"
    assert main(SHOW, work.folder) == 1
    assert main([*again, "--max-tokens", "999"], work.folder) == 0
    capsys.readouterr()
    assert main(SHOW, work.folder) == 0
    assert "missing" not in capsys.readouterr().err
    assert len([each for each in work.lines() if each["model"] == "local/m"]) == 19, "18, and the small run"


def test_tests_that_are_added_to_a_run_are_missing_until_it_was_resumed(work, capsys):
    adding = [*RUN, "a", "--times", "6", "--resume", "--runid", "1"]
    assert main([*RUN, "b"], work.folder) == 0
    assert main([*adding, "--max-tokens", "12"], work.folder) == 2
    capsys.readouterr()
    assert main(SHOW, work.folder) == 1
    said = capsys.readouterr().err
    assert "8 of 13 trials are missing" in said and " run --resume" in said
    assert main(["run", "--resume", "--max-tokens", "999"], work.folder) == 0
    assert "resuming the last run" in (said := capsys.readouterr().err) and "8 trials to run" in said


def test_the_command_that_was_stopped_is_not_resumed_in_a_run_of_another_commit(work, capsys):
    stopped = [*RUN, "a", "b", "--times", "6", "--resume", "--runid", "1"]
    for _ in range(2):
        for dry in (["--dry-run"], []):
            assert main([*stopped, *dry], work.folder) == 1
            said = capsys.readouterr().err
            assert (
                "these tests was stopped at commit" in said and "--skip-existing instead of --resume" in said
            )
        assert main([*OTHER[:-1], "local/m", "b"], work.folder) == 0


def test_trials_of_tests_that_are_gone_or_have_changed_are_not_missing(work, capsys):
    def missing():
        code = main(SHOW, work.folder)
        out = capsys.readouterr().out
        assert code == (" missing" in out)
        return int(out.split(" is not finished: ")[1].split()[0]) if code else 0

    before = missing()
    (work.tests / "b.py").unlink()
    without_b = missing()
    assert 0 < without_b < before
    assert main([*SHOW, "--logdir", "results"], work.folder.parent) == 1
    lacking = f"is not finished: {before} of 18 trials are missing"
    assert lacking in capsys.readouterr().err, "seen from elsewhere, no file is known to be gone"
    work.test_file("a", RED)
    commit(work)
    assert missing() == without_b, "nothing shows yet that it is another version"
    assert main([*OTHER, "a"], work.folder) == 0
    assert missing() == 0
    work.test_file("a", TWO + RED)
    assert main([*RUN, "a", "--times", "6", "--max-tokens", "3"], work.folder) == 2
    assert missing() > 9, "though the newest verdict of one is of an earlier version"


def test_a_test_that_is_gone_from_a_file_is_not_missing_once_the_others_are_done(work, capsys):
    assert main([*RUN, "a.TestRed", "b", "--times", "6"], work.folder) == 0
    work.test_file("a", RED)
    assert main(SHOW, work.folder) == 1
    again = words_of(capsys.readouterr().err)
    assert main(again, work.folder) == 0
    assert "nothing left to run, all 12 trials were done before" in capsys.readouterr().err
    assert main(SHOW, work.folder) == 0
    (note,) = work.results.rglob("*.unfinished")
    assert assay.load(note.parent).unfinished, "where only its own commit is shown"


def test_the_source_that_a_suite_names_need_be_no_file(tmp_path):
    since, one, run = Since(tmp_path, [], "abc"), {b"trial": b"mark"}, tmp_path / "abc/m/run-1.jsonl"
    assert not since.counted(run, "", run_notes.Tests("applied", "t/gone.py"), one)
    assert since.counted(run, "", run_notes.Tests("own", "rows, line 3"), one) == one


def test_as_many_are_missing_as_resume_runs_once_another_model_had_the_rows(tmp_path, monkeypatch, capsys):
    """Of an edited row, trials that had ended run again if others of it are missing."""
    monkeypatch.chdir(tmp_path)
    flags = [*PLACES, "rows", "--times", "2", "--max-connections", "1", "--no-cache"]

    def rows(texts):
        lines = [f"{key},{text}\n" for key, text in texts.items()]
        (tmp_path / "t/rows.csv").write_text("".join(["id,say\n", *lines]))

    def run(model, *more):
        """The trials to run, and how many the stopped run lacks after it."""
        main(["run", *flags, "--model", model, *more], tmp_path)
        ran = int(capsys.readouterr().err.split(f"{model}: ")[1].split()[0])
        main(["show", "--format", "json"], tmp_path)
        said = [each for each in json.loads(capsys.readouterr().out)["unfinished"] if " local/m " in each]
        return ran, sum(int(each.split(" is not finished: ")[1].split()[0]) for each in said)

    with ModelServer(replies={"say": "red"}) as server:
        work = Workspace(tmp_path, server)
        work.test_file("rows", RED.replace("'say red'", "Rows('rows.csv', id='id') >> '<say>'"))
        texts = {number: f"say {number}" for number in range(9)}
        rows(texts)
        stop = ["--max-tokens", "30"]
        _, missing = run("local/m", *stop)
        assert 0 < missing < 9
        rows(texts | {0: "say red", 8: "say red"})
        _, all_edited = run("local/n")
        assert all_edited == 2 * missing, "their first trials are of an earlier version of the file"
        del texts[8]
        rows(texts | {10: "say more", 11: "say more"})
        _, expected = run("local/n", "--resume")
        assert expected == all_edited + 2
        for more in (stop, []):
            ran, left = run("local/m", "--resume", *more)
            assert ran == expected
            expected = left
        assert not left


@pytest.mark.parametrize("rest", ["", '\n[[[["applied","t/a.py","1f","some"],"AAAAAAAAAAA="]],"","",false]'])
def test_a_note_of_an_earlier_form_says_how_many_trials_there_will_be(tmp_path, rest):
    (tmp_path / "run-1.unfinished").write_text(f"30 abc{rest}")
    assert run_notes.note_of(tmp_path / "run-1.jsonl") == run_notes.Note(30, "abc")
