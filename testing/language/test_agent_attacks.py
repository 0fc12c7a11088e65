"""An agent that wants a verdict that it has not earned: what it leaves behind reaches no judge."""

import asyncio
import itertools
import re
from pathlib import Path

import pytest

from assay.errors import ModelFault
from assay.language.agents.handover import unpacked, work_files
from assay.records import Cause, Outcome
from assay.running.trial import run_trial
from assay.sandboxes.agent.trees import packed
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import (
    AgentCommand,
    AgentRun,
    BashRun,
    EqualEvaluator,
    Files,
    PyEvaluator,
    Python,
    PythonRun,
    RegexEvaluator,
    Shell,
    SubstringEvaluator,
    TerminalRun,
    make_python_test,
)
from testing.language.pipeline import ScriptedModel, trial
from testing.language.test_agent_run import call, says, sh
from testing.sandboxes.conftest import probed

WRONG = Files({"add.py": "def add(a, b):\n    return a - b\n"})
AGENT = WRONG >> "Mend add" >> AgentRun([Shell()])
DONE = "cat done" >> TerminalRun() >> EqualEvaluator("5\n")
MEND = "sed -i s/-/+/ add.py"


def adds():
    import subprocess

    found = subprocess.run(
        ["python3", "-I", "-c", "import sys; sys.path.append('.'); import add; print(add.add(2, 3))"],
        capture_output=True,
        text=True,
    )
    return found.stdout == "5\n", found.stdout + found.stderr


CALL = "from add import add\nprint(add(2, 3))"
JUDGES = {
    "PyEvaluator": PyEvaluator(adds),
    "PythonRun": CALL >> PythonRun() >> EqualEvaluator("5\n"),
    "checks": CALL
    >> PythonRun(make_python_test([("add(2, 3)", 5)])[0])
    >> RegexEvaluator("all tests passed"),
    "TerminalRun": f"python3 -c '{CALL.replace(chr(10), ';')}'" >> TerminalRun() >> EqualEvaluator("5\n"),
}
EVIL = "import posix; posix.write(1, bytes([53, 10])); posix._exit(0)"
_PARTS = re.split(r"^## (.*)\n", Path(__file__).with_name("agent_attacks.sh").read_text("utf-8"), flags=re.M)
ATTACKS = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))


async def found(pool, test, *replies):
    model = ScriptedModel(*replies)
    record = await run_trial(Sample("t.Test", test), model, model, model, pool)
    return record.outcome, record.error or record.why


def piped(vehicle, judge, script):
    """A pipeline and the model's replies, by which an agent runs the script."""
    if vehicle == "AgentRun":
        return AGENT >> judge, sh(script), "Done."
    return (WRONG >> "Mend add" >> AgentCommand(script, time_limit_s=20) >> judge,)


@pytest.mark.slow(60)
@pytest.mark.parametrize("vehicle", ["AgentRun", "AgentCommand"])
@pytest.mark.parametrize("backend", ["bubblewrap", "podman"])
def test_the_work_is_judged_whatever_is_left_behind(backend, vehicle):
    probed("bubblewrap+image" if backend == "bubblewrap" else backend)

    async def work():
        judges, outcomes = itertools.cycle(JUDGES.values()), {}
        async with open_pool(backend, ahead=0) as pool:
            for name, attack in ATTACKS.items():
                judge = next(judges)
                right = await found(pool, *piped(vehicle, judge, f"{MEND}\n{attack}"))
                wrong = await found(pool, *piped(vehicle, judge, attack))
                if (right[0], wrong[0]) != (Outcome.PASS, Outcome.FAIL):
                    outcomes[name] = right, wrong
        return outcomes

    assert asyncio.run(work()) == {}


def test_a_daemon_dies_with_the_sandbox():
    look = "sleep 0.3; ls; ps ax | grep -c '[s]leep 0.02'"
    test = AGENT >> look >> TerminalRun() >> EqualEvaluator("add.py\n0\n")
    record = trial(test, sh("(setsid sh -c 'while sleep 0.02; do touch late; done' &) ; rm -f late"), "Done.")
    assert "late" in record.why or record.outcome is Outcome.PASS, record.why


DEEP = "for i in $(seq 70); do mkdir d; cd d; done"
MANY = "mkdir m; cd m; touch $(seq 60000)"
LARGE = "for i in 1 2 3; do truncate -s 60M big$i; done"


@pytest.mark.slow(5)
@pytest.mark.parametrize("left", [DEEP, LARGE, MANY], ids=["deep", "large", "many"])
def test_what_is_too_much_is_the_agents_failure_unless_the_test_names_files(left):
    all_files, named = ("x" >> AgentRun([Shell()], files=files) >> DONE for files in ([], ["done"]))
    record = trial(all_files, sh(f"echo 5 > done; {left}"), "Done.")
    assert record.outcome is Outcome.FAIL and "cannot" in record.why
    assert trial(named, sh(f"echo 5 > done; {left}"), "Done.").outcome is Outcome.PASS


@pytest.mark.slow(4)
def test_a_full_folder_is_a_failure_and_no_output():
    test = "x" >> AgentRun([Shell()]) >> "print(1)" >> PythonRun() >> ~SubstringEvaluator("3")
    record = trial(test, sh("head -c 90000000 /dev/zero > big"), "Done.")
    assert record.outcome is Outcome.FAIL and "cannot write main.py: No space left" in record.why


SHADOWS = f"""
mkdir -p json numpy
echo '{EVIL}' | tee json/__init__.py numpy/__init__.py re.py os.py linecache.py traceback.py ast.py
"""
PYC = f"""
echo '{EVIL}' > json.py
python3 -I -c 'import py_compile; py_compile.compile("json.py", "json.pyc")'
rm json.py
"""
READS = "import json, numpy\nwith open('done') as file:\n    print(json.load(file))"
READERS = {
    "PythonRun": READS >> PythonRun() >> EqualEvaluator("5\n"),
    "checks": READS
    >> PythonRun(make_python_test([("json.load(open('done'))", 5)])[0])
    >> RegexEvaluator("all tests"),
    "TerminalRun": "python3 -c 'import json; print(json.load(open(\"done\")))'"
    >> TerminalRun(files=["done"])
    >> EqualEvaluator("5\n"),
    "BashRun": "python3 -m json.tool < done" >> BashRun(files=["done"]) >> EqualEvaluator("5\n"),
}


@pytest.mark.parametrize("shadow", [SHADOWS, PYC], ids=["source", "compiled"])
@pytest.mark.parametrize("reader", READERS)
def test_files_of_the_agent_stand_in_for_no_module(reader, shadow):
    test = "x" >> AgentRun([Shell()]) >> READERS[reader]
    requires = ("python:numpy",) if reader in ("PythonRun", "checks") else ()  # else the agent's may be one
    right = trial(test, sh(f"echo 5 > done; {shadow}"), "Done.", requires=requires)
    assert right.outcome is Outcome.PASS, right.why
    wrong = trial(test, sh(f"echo 6 > done; {shadow}"), "Done.", requires=requires)
    assert wrong.outcome is Outcome.FAIL, wrong.why


def test_a_second_agent_can_use_its_tools_whatever_the_first_has_left():
    left = sh(f"{SHADOWS}\ncp json/__init__.py base64.py; cp json/__init__.py queue.py")
    again = "again" >> AgentRun([Python()]) >> EqualEvaluator("Done.")
    record, model = trial(
        "x" >> AgentRun([Shell()]) >> again,
        left,
        "Done.",
        says(call("python", code="6 * 7")),
        "Done.",
        model=True,
    )
    assert record.outcome is Outcome.PASS and model.asked[-1][-1].content == "42\n"
    command = "again" >> AgentCommand("echo $OPENAI_BASE_URL") >> RegexEvaluator("http://127")
    assert trial("x" >> AgentRun([Shell()]) >> command, left, "Done.").outcome is Outcome.PASS


def test_megabytes_in_a_call_and_hundreds_of_calls_are_refused():
    calls = [call("shell", command=f"echo {number} >> log") for number in range(100)]
    look = "wc -l < log" >> TerminalRun() >> EqualEvaluator("32\n")
    record = trial(AGENT >> look, says(*calls), sh("x" * (1 << 20)), "Done.")
    assert record.outcome is Outcome.PASS, record.why


def test_only_what_was_packed_is_unpacked():
    tree = packed(b"f", 0o644, 1, "work/a", b"1") + packed(b"l", 0o777, 1, "work/b", b"/etc/passwd")
    tree += packed(b"f", 0o644, 1, "home/.bashrc", b"evil") + packed(b"d", 0o755, 1, "work/d", b"")
    files, rest = work_files(tree)
    assert files == packed(b"f", 0o644, 1, "work/a", b"1") + packed(b"d", 0o755, 1, "work/d", b"")
    assert sorted([*files, *rest]) == sorted(tree)
    with pytest.raises(ModelFault):
        work_files(b"f 1 1 1 9\nx")


@pytest.mark.parametrize("kept", [b"", b"x", b"\x78\x01" + b"\0" * 10])
def test_a_stranger_s_file_is_no_agents(kept):
    with pytest.raises(ValueError, match="not the files"):
        unpacked(kept)


def test_an_agent_at_its_limit_with_a_wrong_answer_is_out_of_turns():
    test = WRONG >> "Mend add" >> AgentRun([Shell()], max_turns=1) >> PyEvaluator(adds)
    record = trial(test, sh("true"))
    assert record.cause == Cause.OUT_OF_TURNS


def test_a_trial_is_bounded_in_memory():
    """Of 60 turns with 30 kB of output each the record keeps what a reader needs."""
    test = "x" >> AgentRun([Shell()], max_turns=200) >> EqualEvaluator("Done.")
    record = trial(test, *(sh("yes | head -c 100000") for _ in range(60)), "Done.")
    assert record.outcome is Outcome.PASS
    assert sum(len(each) for each in _bodies(record.reason)) < 700_000


def _bodies(block):
    yield block.body
    for child in block.children:
        yield from _bodies(child)
