"""What branches and later agents find of an agent's files."""

import json

import pytest

from assay.records import Completion, Outcome, ToolCall
from evaluator import (
    AgentRun,
    EqualEvaluator,
    ExtractJSON,
    Files,
    MakeFile,
    PyEvaluator,
    SendStdoutReceiveStdin,
    Shell,
    StartDockerJob,
    SubstringEvaluator,
    TerminalRun,
)
from testing.language.pipeline import Emit, trial


def sh(command):
    call = ToolCall("1", "shell", json.dumps({"command": command}))
    return Completion("", calls=(call,), finish_reason="tool_calls")


def passes(test, *replies, sandbox="bubblewrap"):
    record = trial(test, *replies, sandbox=sandbox)
    assert record.outcome is Outcome.PASS, record.error or record.why


AGENT = "x" >> AgentRun([Shell()])
MADE = (sh("echo made > made"), "done")
NO = SubstringEvaluator("no such text")


def does(command):
    return command >> TerminalRun()


SPOILS = does("echo spoilt > made; touch more; ls") >> NO


@pytest.mark.parametrize("sandbox", ["bubblewrap", pytest.param("podman", marks=pytest.mark.slow(3))])
def test_both_sides_of_or_begin_with_the_files_that_were_handed_over(sandbox):
    look = does("cat made; ls") >> EqualEvaluator("made\nmade\n")
    passes(AGENT >> (SPOILS | look), *MADE, sandbox=sandbox)


def test_so_do_several_branches():
    adds = does("echo more >> made; wc -l < made")
    three = Emit((1, 2, 3)) >> adds >> EqualEvaluator("4\n")
    record = trial(AGENT >> three, *MADE)
    assert record.outcome is Outcome.FAIL and str(record.reason).count("'2\\n'") >= 3, record.reason
    values = AGENT >> ExtractJSON() >> adds >> SubstringEvaluator("3")
    assert trial(values, MADE[0], "[1] [2] [3]").outcome is Outcome.FAIL


def test_a_step_before_they_part_is_not_undone():
    builds = does("cat made made > built")
    look = does("cat built; ls") >> EqualEvaluator("made\nmade\nbuilt\nmade\n")
    passes(AGENT >> builds >> (SPOILS | look), *MADE)
    passes(AGENT >> MakeFile("note") >> (SPOILS | does("cat note") >> EqualEvaluator("done")), *MADE)


def test_what_is_tried_and_negated_is_not_undone_before_what_follows_it():
    """`a & b` is a sequel: b finds what a did."""
    first = ~(does("echo built > built; ls") >> NO)
    passes(AGENT >> (first & does("cat built") >> EqualEvaluator("built\n")), *MADE)


def test_two_agents_that_are_two_tries_begin_alike():
    tries = ("a" >> AgentRun([Shell()]) >> NO) | (
        "b" >> AgentRun([Shell()]) >> does("ls") >> EqualEvaluator("a\nb\n")
    )
    passes(Files({"a": "1"}) >> tries, sh("touch c; rm a"), "done", sh("touch b"), "done")


def test_a_program_in_a_terminal_goes_on_and_so_do_its_files():
    """To go back would end it."""
    starts = StartDockerJob("python3 -i -q", eos_string=">>> ")
    says = "print(6 * 7)" >> SendStdoutReceiveStdin() >> SubstringEvaluator("42")
    passes(AGENT >> starts >> (SPOILS | says), *MADE)


def test_without_agents_nothing_is_packed(monkeypatch):
    monkeypatch.setattr("assay.running.meter.MeteredSandbox.pack", None)
    passes(does("echo made > made") >> (SPOILS | does("ls") >> EqualEvaluator("made\nmore\n")))


def test_what_cannot_be_packed_is_told_where_another_branch_needs_it():
    big = does("head -c 200000000 /dev/zero > /tmp/x; for i in $(seq 70); do mkdir d; cd d; done; echo ok")
    passes(AGENT >> big >> (SubstringEvaluator("ok") | SPOILS), *MADE)
    record = trial(AGENT >> big >> (NO | SPOILS), *MADE)
    assert record.outcome is Outcome.FAIL and "the work directory" in record.why


WORKS = sh("mkdir -p ~/bin; echo 'echo kept' > ~/bin/tool; chmod +x ~/bin/tool; echo 1 > a; ln -s a link")


@pytest.mark.parametrize("sandbox", ["bubblewrap", pytest.param("podman", marks=pytest.mark.slow(3))])
def test_a_second_agent_goes_on_with_all_files(sandbox):
    second = "now more" >> AgentRun([Shell()])
    uses = sh("~/bin/tool > b; cat link >> b; ls -l link >> b")
    look = does("cat b; ls; ls ~/bin") >> SubstringEvaluator("kept\n1\nlrwxrwxrwx")
    passes(
        AGENT >> second >> (look & does("ls; ls ~") >> EqualEvaluator("a\nb\n")),
        WORKS,
        "done",
        uses,
        "done",
        sandbox=sandbox,
    )


def forged():
    from pathlib import Path

    return Path("~/bin").expanduser().exists() or Path("link").is_symlink()


@pytest.mark.parametrize("second", [("done",), (sh("true"), "done")])
def test_no_judge_gets_them_whatever_the_second_agent_does(second):
    test = AGENT >> ~PyEvaluator(forged)
    passes(AGENT >> "now more" >> test, WORKS, "done", *second)
    passes(AGENT >> (~PyEvaluator(forged) & "now" >> test), WORKS, "done", *second)


def test_after_a_change_in_between_the_second_agent_finds_that():
    change = does("echo changed > a")
    passes(
        AGENT >> change >> "more" >> AgentRun([Shell()]) >> does("cat b") >> EqualEvaluator("changed\n"),
        WORKS,
        "done",
        sh("cat a > b; ls ~/bin link"),
        "done",
    )
