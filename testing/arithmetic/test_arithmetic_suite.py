"""The suite from the command line: proven by its references, resumed, judged anew from stored replies."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import pytest

from assay.suites.finding import load_suite
from testing.harness.commanding import ROOT, Workspace
from testing.model_server import ModelServer
from tests.arithmetic.dressings import DRESSINGS
from tests.arithmetic.problems import Cell
from tests.arithmetic.references import WRONG, answer_to

SUITE = ("--tests", str(ROOT / "tests"), "--suite", "arithmetic")


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


@pytest.mark.slow(3)
def test_oracle_and_saboteur_prove_every_cell(work: Workspace) -> None:
    work.main(*SUITE, "--run-tests", "--model", "oracle", "--model", "saboteur", "--no-cache")
    found = Counter((line["model"], line["outcome"]) for line in work.lines())
    assert found == {("oracle", "pass"): 72 * len(DRESSINGS), ("saboteur", "fail"): 72 * len(WRONG)}


def test_a_run_of_two_models_on_the_same_problems(tmp_path: Path) -> None:
    """One server answers rightly in one dressing; the other model gets every product wrong."""

    def reply(asked):
        question = asked.prompt[asked.prompt.rindex("Compute") :]
        right = answer_to(question)
        return f"**{right}**" if asked.model == "good" or "×" not in question else f"{right + 1}"

    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path, server)
        flags = (
            "--run-tests",
            "--model",
            "local/good",
            "--model",
            "local/poor",
            "--depths",
            "3,5",
            "--trials",
            "2",
        )
        out, _ = work.main(*SUITE, *flags, "--seed", "7", "--format", "json")
        assert server.stats()["requests"] == 2 * 8 * 2 * 2
        work.main(*SUITE, *flags, "--seed", "7", "--resume")  # nothing is left: no second line of sums
    tables = {table["title"]: table for table in json.loads(out)["tables"]}
    good, poor = tables["Arithmetic"]["rows"]
    assert (good["model"], good["trials"], good["correct %"], good["strict %"]) == (
        "local/good",
        32,
        1.0,
        0.0,
    )
    assert (poor["correct %"], poor["dev %"], poor["cost"]) == (0.75, 0.25, None)
    for name, right in (("good", 32), ("poor", 24)):
        (line,) = next(work.results.glob(f"*/local__{name}/aggregate.jsonl")).read_text().splitlines()
        found = json.loads(line)
        assert (found["model"], found["run"], found["trials"]) == (f"local/{name}", "1", 32)
        assert found["lenient"] == {"Correct": right, "Deviate": 32 - right, "NaN": 0, "Error": 0}
        assert found["cells"]["int_mul/5"]["lenient"]["Correct"] == 2 * (name == "good")
        assert found["rates"]["correct"] == right / 32 and found["conditions"]["seed"] == 7
        assert found["mean_error"] == (1.0 if name == "poor" else None) and found["cost"] is None
        assert found["tokens"]["completion_tokens"] > 0
    problems = {model: set() for model in ("local/good", "local/poor")}
    for line in work.lines():
        extra = line["extra"]
        problems[line["model"]].add((extra["variant"], extra["depth"], line["epoch"], *extra["operands"]))
        assert line["conditions"] == {"seed": 7, "extra_context": "", "system_prompt": None}
    assert problems["local/good"] == problems["local/poor"] and len(problems["local/good"]) == 32
    expected = Cell("int_mul", 5, 7).problem(2)
    assert ("int_mul", 5, 2, *expected.operands) in problems["local/good"]


def test_resuming_asks_what_is_missing_or_broke_and_refuses_other_problems(tmp_path: Path) -> None:
    with ModelServer(reply=lambda asked: "1") as server:
        work = Workspace(tmp_path, server)
        flags = (*SUITE, "--run-tests", "--model", "local/m", "--depths", "2", "--no-cache")
        work.main(*flags, "--trials", "1", "--retries", "0", "--runid", "a")
        (file,) = work.results.glob("*/*/run-a.jsonl")
        lines = file.read_text().splitlines()
        broken = {**json.loads(lines[1]), "outcome": "error", "error": "503"}
        file.write_text("\n".join([json.dumps(broken), '{"half', *lines[2:]]) + "\n")
        server.reset()
        _, err = work.main(*flags, "--trials", "2", "--runid", "a", "--resume")
        assert server.stats()["requests"] == 2 + 8, "one was lost, one an error, one of each cell is new"
        assert f"{file.relative_to(tmp_path)}:2: unreadable line left out" in err
        for flag, value in (("--seed", "8"), ("--extra-context", "1k"), ("--system-prompt", "Hi.")):
            _, err = work.main(*flags, "--runid", "a", "--resume", flag, value, code=1)
            assert flag in err and value in err and "start a new run" in err


def test_failed_calls_are_tried_again_so_often(tmp_path: Path) -> None:
    with ModelServer(reply=lambda asked: "1") as server:
        work = Workspace(tmp_path, server)
        flags = (*SUITE, "--run-tests", "--model", "local/bad-503", "--depths", "1", "--trials", "1")
        for retries in ("0", "1"):
            server.reset()
            out, _ = work.main(
                *flags, "--test", "*int_add*", "--retries", retries, "--format", "json", code=2
            )
            assert server.stats()["requests"] == 1 + int(retries)
        (row,) = json.loads(out)["tables"][0]["rows"]
        assert (row["trials"], row["errors"], row["NaN %"], row["correct %"]) == (1, 1, None, None)


def test_the_flags_about_asking_reach_the_model_and_the_record(tmp_path: Path) -> None:
    with ModelServer(reply=lambda asked: "1") as server:
        work = Workspace(tmp_path, server, hparams={"temperature": 0.0})
        (tmp_path / "prompt.txt").write_text("You are an abacus.\n")
        flags = ("--run-tests", "--model", "local/m", "--depths", "1", "--trials", "1", "--test", "*int_add*")
        given = ("--system-prompt", "@prompt.txt", "--reasoning-effort", "low", "--thinking-budget", "500")
        work.main(*SUITE, *flags, *given, "--params", '{"temperature": 0.5, "min_p": 0.1}')
        (body,) = server.bodies()
        assert body["messages"][0] == {"role": "system", "content": "You are an abacus."}
        assert (body["reasoning_effort"], body["temperature"], body["min_p"]) == ("low", 0.5, 0.1)
        (line,) = work.lines()
        assert line["parameters"]["system_prompt"] == "You are an abacus."
        assert line["parameters"]["thinking_budget"] == 500
        work.main(*SUITE, *flags, *given, "--params", '{"temperature": 0.5, "min_p": 0.1}')
        assert server.stats()["requests"] == 1, "it is in the cache"
        for flag, value, said in (
            ("--system-prompt", "@none.txt", "cannot read none.txt"),
            ("--params", "[1]", "not a JSON object"),
            ("--params", '{"temprature": 1}', "Did you mean temperature?"),
            ("--params", '{"temperature": "hot"}', "temperature must be a number"),
            ("--retries", "-1", "0 or more"),
        ):
            _, err = work.main(*SUITE, *flags, flag, value, code=1)
            assert said in err
        _, err = work.main("--load-saved", "--system-prompt", "x", code=1)
        assert "--system-prompt goes with --run-tests" in err


def test_stored_replies_are_judged_anew(work: Workspace) -> None:
    def line(variant: str, operands: list, correct: object, raw: str | None, **more: object) -> str:
        facts = {"model": "acme-1", "variant": variant, "depth": 2, "operands": operands, "correct": correct}
        return json.dumps({**facts, "raw_response": raw, **more})

    old = work.folder / "old.jsonl"
    lines = [
        line("int_add", [40, 2], 42, "42", timestamp="2025-01-02T03:04:05Z", tokens={"completion_tokens": 7}),
        line("int_add", [40, 2], 42, "It is **42**"),
        line("int_add", [40, 2], 42, "41"),
        line("float_mul", ["1.00", "2.00"], "2.0000", "two"),
        line("float_mul", ["1.00", "2.00"], "2.0000", "", failed_to_get_reply=True),
        '{"model": "acme-1"',
    ]
    old.write_text("\n".join(lines))
    out, err = work.main("--tests", str(ROOT / "tests"), "--rescore", "old.jsonl", "--format", "json")
    (found,) = json.loads(out)
    assert found == {
        "file": "old.jsonl", "model": "acme-1", "trials": 5,
        "lenient": {"Correct": 2, "Deviate": 1, "NaN": 1, "Error": 1},
        "strict": {"Correct": 1, "Deviate": 1, "NaN": 2, "Error": 1},
    }  # fmt: skip
    assert "old.jsonl:6: line skipped" in err
    out, _ = work.main("--tests", str(ROOT / "tests"), "--rescore", "old.jsonl")
    row = next(each for each in out.splitlines() if "2025-01-02" in each)
    assert "50.0 [15.0-85.0]" in row and "unknown" in row


def test_our_own_runs_are_judged_anew(work: Workspace) -> None:
    work.main(*SUITE, "--run-tests", "--model", "saboteur", "--depths", "4", "--no-cache")
    (file,) = work.results.glob("*/*/run-*.jsonl")
    out, _ = work.main("--tests", str(ROOT / "tests"), "--rescore", str(file), "--format", "json")
    (found,) = json.loads(out)
    assert (found["model"], found["trials"]) == ("saboteur", 8 * len(WRONG))
    assert found["lenient"]["Correct"] == found["lenient"]["Error"] == 0
    kinds = Counter(line["extra"]["classification"]["lenient"] for line in work.lines())
    assert {kind: found["lenient"][kind] for kind in kinds} == kinds


def test_flags_that_make_no_sense(work: Workspace) -> None:
    for flag, value, said in (
        ("--depths", "5-2", "depths go from 1 to 100"),
        ("--depths", "x", "write e.g. 2-10"),
        ("--trials", "0", "whole number above 0"),
        ("--extra-context", "3k", "invalid choice"),
    ):
        _, err = work.main(*SUITE, "--run-tests", "--model", "oracle", flag, value, code=1)
        assert said in err
    parser = argparse.ArgumentParser()
    load_suite("arithmetic", ROOT / "tests").flags(parser.add_argument_group("arithmetic"))
    given = vars(parser.parse_args([]))
    assert (given["retries"], given["trials"], given["depths"]) == (3, 10, tuple(range(2, 11)))
    out, _ = work.main(*SUITE, "--help")
    assert all(flag in out for flag in ("--times", "--depths", "--seed", "--extra-context"))
    assert "--trials" not in out, "the same as --times, by its old name"
    out, _ = work.main(*SUITE, "--list", "--format", "json")
    assert len(json.loads(out)) == 72
