"""The suite from the command line: the flags, a local Ollama, stored answers, the leaderboard of a file."""

import json
import shutil

import pytest

from testing.euler.trials import has_languages
from testing.harness.commanding import ROOT, Workspace
from testing.model_server import ModelServer

SUITE = ("--suite", "euler")
PYTHON = "Sure.\n```python\nprint(sum(n for n in range(1000) if n % 3 * (n % 5) == 0))\n```"
WRONG = "```python\nprint(1)\n```"


def reply(asked):
    """Problem 1 is solved in Python by the models of 8 billion parameters, and nothing else is."""
    return PYTHON if "sum" in str(asked.body).lower() and "1000" in str(asked.body) else WRONG


@pytest.fixture
def work(tmp_path):
    """The suite as it is shipped: a copy, without what somebody has fetched."""
    made = Workspace(tmp_path / "work", sandbox="bubblewrap")
    shutil.copytree(ROOT / "tests" / "euler", made.tests / "euler", ignore=shutil.ignore_patterns("fetched"))
    return made


def configure(work, **config):
    path = work.folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **config}))


@pytest.mark.slow(17)
def test_oracle_and_saboteur(work):
    """The saboteur's slow programs included, under a limit of their own."""
    has_languages("python", "clojure")
    run = (*SUITE, "--problem", "1,2", "--language", "python,clojure", "--run-tests")
    work.main(*run, "--model", "oracle", "--fail-under", "100")
    work.main(*run, "--model", "saboteur", "--run-limit", "3")
    lines = work.lines()
    right = [line for line in lines if line["model"] == "oracle"]
    wrong = [line for line in lines if line["model"] == "saboteur"]
    assert [line["outcome"] for line in right] == ["pass"] * 4
    assert {line["outcome"] for line in wrong} == {"fail"} and len(wrong) == 2 * (13 + 2)
    assert all(line["conditions"] == {"run_limit": 60.0} for line in right)
    assert all(line["conditions"] == {"run_limit": 3.0} for line in wrong)
    assert {line["extra"]["problem"] for line in lines} == {1, 2}
    assert all(line["metrics"]["run_s"] > 0 and line["metrics"]["points"] > 1 for line in right)


@pytest.mark.slow(6)
def test_what_was_compiled_before_comes_from_the_cache_and_the_record_says_so(work):
    has_languages("java", "rust", "python")
    run = (*SUITE, "--problem", "1", "--language", "java,rust,python", "--run-tests", "--model", "oracle")
    for flags in ((), (), ("--no-cache",)):
        work.main(*run, *flags, "--fail-under", "100")
    said = {"java": [], "rust": [], "python": []}
    for line in work.lines():
        said[line["extra"]["language"]].append(
            (line["extra"].get("compiled"), "compile_s" in line["metrics"])
        )
    cached, anew = ("before, taken from the cache", True), (None, True)
    assert sorted(said["java"], key=str) == sorted(said["rust"], key=str) == [cached, anew, anew]
    assert said["python"] == [(None, False)] * 3


def test_a_problem_without_its_data_is_skipped_with_the_command(work):
    out, said = work.main(
        *SUITE, "--problem", "1,22,150", "--language", "python", "--run-tests", "--model", "oracle"
    )
    assert "0022_names.txt; get it: main.py --fetch-euler --problem 22" in out + said
    outcomes = {line["test"]: line["outcome"] for line in work.lines()}
    assert outcomes == {"euler001.python": "pass", "euler022.python": "skipped", "euler150.python": "skipped"}
    assert "(1/100)" in out, "the score says over how many problems it is"


@pytest.mark.slow(3)
def test_every_model_of_a_local_ollama_and_none_twice(work):
    with ModelServer(reply=reply, models=("small:8b", "other:8b")) as server:
        configure(work, llms={"ollama": {"base_url": server.url}})
        flags = (
            *SUITE,
            "--problem",
            "1,2",
            "--language",
            "python",
            "--run-tests",
            "--all-models",
            "--no-cache",
        )
        out, _ = work.main(*flags, "--no-think")
        assert {body["model"] for body in server.bodies()} == {"small:8b", "other:8b"}
        assert all(body["think"] is False for body in server.bodies())
        assert "ollama/small:8b" in out and "131072" not in out
        lines = work.lines()
        assert len(lines) == 4 and {line["about"]["parameter_size"] for line in lines} == {"8.0B"}
        assert lines[0]["about"]["quantization"] == "Q4_K_M" and lines[0]["parameters"] == {"think": False}
        asked = server.stats()["requests"]
        _, said = work.main(*flags, "--no-think", "--skip-existing")
        assert server.stats()["requests"] == asked and said.count("nothing left to run") == 2
        assert len(list(work.results.glob("*/*/run-*.jsonl"))) == 2, "no empty run is left behind"
        _, said = work.main(*flags, "--no-think", "--skip-existing", "--problem", "1-3")
        assert server.stats()["requests"] == asked + 2, "only what is new"
        work.main(*flags, "--skip-existing", "--problem", "1")
        assert server.stats()["requests"] == asked + 4, "thinking is another question"
    out, _ = work.main(*SUITE, "--load-saved", "--format", "json")
    (board,) = (table for table in json.loads(out)["tables"] if table["title"] == "Leaderboard")
    first = board["rows"][0]
    assert (first["parameters (10⁹)"], first["bits"], first["context (K)"]) == (8.0, 4.0, 128.0)
    assert first["Best model for size (GB)"] == 4.0 and first["Eco-Score"] > 0


def test_no_models_at_all_is_said_in_one_line(work):
    configure(work, llms={"ollama": {"base_url": "http://127.0.0.1:9"}})
    _, said = work.main(*SUITE, "--problem", "1", "--run-tests", "--all-models", code=1)
    assert '"models" of config.json' in said and "is `ollama serve` running?" in said


def test_an_endpoint_file_is_a_model(work):
    with ModelServer(reply=reply, key="k-secret-123") as server:
        endpoint = {
            "store_name": "mine",
            "model_name": "m-70b",
            "key": "k-secret-123",
            "url": server.url + "/v1",
        }
        more = {"_parameter_size": "70B", "_quantization_level": "Q8_0", "_context_size": 32768}
        (work.folder / "mine.json").write_text(json.dumps({**endpoint, **more}))
        flags = (*SUITE, "--problem", "1", "--language", "python", "--run-tests")
        out, _ = work.main(*flags, "--endpoint", "mine.json")
    (line,) = work.lines()
    assert line["model"] == "mine" and line["outcome"] == "pass" and line["about"]["parameter_size"] == "70B"
    assert "70.00" in out and "k-secret" not in out


@pytest.mark.slow(4)
def test_stored_answers_are_run_again_without_a_model(work):
    with ModelServer(reply=reply) as server:
        configure(work, llms={"local": {"base_url": server.url + "/v1"}})
        work.main(*SUITE, "--problem", "1,2", "--language", "python", "--run-tests", "--model", "local/m")
        asked = server.stats()["requests"]
        (run,) = work.results.glob("*/*/run-*.jsonl")
        out, _ = work.main("--rescore", str(run), "--format", "json")
        assert server.stats()["requests"] == asked == 2
    (facts,) = json.loads(out)
    assert facts["model"] == "local/m" and facts["trials"] == 2
    assert facts["python"] == {"solved": 1, "problems": 2, "of": 100, "score": 0.65}
    (judged,) = work.results.glob("rescored/*/*/run-*.jsonl")
    again = [json.loads(line) for line in judged.read_text().splitlines()]
    assert all(line["usage"][1] > 0 for line in again), "the tokens it took then"


@pytest.mark.slow(3)
def test_folders_of_raw_answers(work):
    for model, language, number, text in (
        ("deep/seek:7b", "python", "0001", PYTHON),
        ("deep/seek:7b", "JavaScript", "0002", "```javascript\nconsole.log(4613732)\n```"),
        ("other", "python", "0001", WRONG),
        ("other", "cobol", "0001", "DISPLAY 233168."),
        ("other", "python", "notes", "233168"),
    ):  # fmt: skip
        folder = work.folder / "raw" / model / language
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.md").write_text(text)
    out, err = work.main("--rescore", "raw", "--format", "json")
    assert (
        "left out, being no <language>/NNNN.md of a known problem: other/cobol/0001.md, other/python/notes.md"
        in err
    )
    assert "other: judging 1 stored answer again -> results/rescored/" in err
    facts = {fact["model"]: fact for fact in json.loads(out)}
    assert facts["deep/seek:7b"]["python"]["solved"] == facts["deep/seek:7b"]["javascript"]["solved"] == 1
    assert facts["other"]["trials"] == 1 and facts["other"]["python"]["solved"] == 0
    out, _ = work.main("--rescore", "raw/other", "--format", "json")
    assert [fact["model"] for fact in json.loads(out)] == ["other"]
    out, _ = work.main("--rescore", "raw/other/python", "--format", "json")
    assert [(fact["model"], fact["trials"]) for fact in json.loads(out)] == [("other", 1)]
    out, _ = work.main(*SUITE, "--rescore", "raw", "--language", "javascript", "--format", "json")
    assert [fact["trials"] for fact in json.loads(out)] == [1, 0]


ROWS = [
    {"model": "small", "params": 8, "bits": 4, "context": 128, "python": 3.0, "java": 2.0, "rust": None},
    {
        "model": "large\x1b[31m",
        "params": 70,
        "bits": 8,
        "context": None,
        "python": 9.0,
        "java": 6.0,
        "rust": 3.0,
    },
]


@pytest.mark.slow(5)
def test_the_leaderboard_of_a_file(work):
    (work.folder / "rows.json").write_text(json.dumps(ROWS))
    out, _ = work.main("--leaderboard", "rows.json", "--format", "json")
    first, second = json.loads(out)
    assert (first["model"], first["W"], first["eco"], first["best"]) == (ROWS[1]["model"], 6.6, "9", "70.00")
    assert (second["model"], second["W"], second["eco"], second["best"]) == ("small", 2.5, "62", "4.00")
    out, _ = work.main("--leaderboard", "rows.json", "--format", "markdown")
    assert "| 2 | small | 2.50 | 3.00 | 2.00 | - | - | 4.00 | 62 | 8 | 4 | 128 |" in out
    assert "\x1b" not in out and "By the newer formula" in out
    out, _ = work.main("--leaderboard", "rows.json")
    assert "small" in out and "Mem-Score" in out
    _, said = work.main("--leaderboard", "none.json", code=1)
    assert "--leaderboard none.json" in said


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--language", "cobol"), "unknown language 'cobol'"),
        (("--language", ","), "no language given"),
        (("--problem", "0"), "numbered from 1"),
        (("--problem", "1-"), "neither a problem number nor a range"),
        (("--problem", "one"), "neither a problem number nor a range"),
        (("--n", "300"), "--n"),
        (("--run-limit", "0"), "seconds between 0 and 3600"),
    ],
)
def test_mistakes_in_the_flags_are_named(work, flags, said):
    assert said in work.main(*SUITE, "--list", *flags, code=1)[1]


def test_the_list_is_of_what_was_asked_for(work):
    out, _ = work.main(*SUITE, "--list", "--format", "json")
    rows = json.loads(out)
    assert len(rows) == 400 and rows[0]["test"] == "euler001.python"
    out, _ = work.main(*SUITE, "--list", "--n", "200", "--language", "all", "--format", "json")
    assert len(json.loads(out)) == 1400
    out, _ = work.main(*SUITE, "--list", "--test", "euler007", "--format", "json")
    assert [row["test"] for row in json.loads(out)] == [
        f"euler007.{x}" for x in ("python", "java", "rust", "clojure")
    ]


def test_its_flags_go_with_those_of_the_other_suites(work):
    out, _ = work.main("--tests", str(ROOT / "tests"), "--suite", "all", "--help")
    assert "--run-limit" in out and "suite arithmetic" in out
