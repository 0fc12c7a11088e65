"""What a run from Python returns: a table, a frame, rates, a comparison, a report."""

import csv
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas
import PIL.Image
import pytest

import assay
import assay.api
import evaluator
from assay.cli.arguments import read
from assay.errors import ConfigError
from assay.report.publish import said_of_unfinished
from testing.api.asking import question


def test_a_notebooks_own_names_for_what_it_showed_are_passed_over(place):
    kept = question()
    _2 = kept
    assert assay.run(kept, models="local/m").records[0].test == "notebook.kept"


def test_results_in_a_notebook_are_one_table_not_pieces(place, monkeypatch):
    shown = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *args: shown.append(args))
    results = assay.run({"a": question(), "b": question("Why?", "no")}, models=["local/m", "local/n"])
    assert "local/m" in repr(results)
    assert "local/n" in repr(results.compare("local/m", "local/n"))
    assert not shown
    assert "<table>" in results._repr_html_()
    assert "href" not in results._repr_html_()
    results.report("report")
    pages = re.findall('href="(.*?)"', results._repr_html_())
    assert len(pages) == 4
    assert all((place.folder / page).is_file() for page in pages)


def test_results_link_only_to_pages_that_show_them(place):
    def linked(results):
        return results._repr_html_().count("href=")

    old = assay.run({"a": question(), "b": question("Why?")}, "local/m", report=True, report_dir="all")
    assert linked(old) == 2 and linked(assay.load("results")) == 0, "its report is another folder"
    new = assay.run({"a": question("How many?", "no"), "b": question("Why?")}, "local/m", report_dir="all")
    assert linked(new) == 0, "its pages would show the older trials"
    more = assay.run({"b": question("Why?")}, "local/m", times=2, report=True, report_dir="all")
    assert linked(more) == 1 and linked(old) == 0, "these have been replaced"
    pages = re.findall('href="(.*?)"', more._repr_html_())
    Path(pages[0]).unlink()
    assert linked(more) == 0


def test_a_long_table_is_shown_in_part(place):
    results = assay.run(
        (question(f"number {n}") for n in range(120)), models=assay.model(lambda _: "42", "m")
    )
    assert "20 more" in repr(results)
    assert results._repr_html_().count("notebook.test") == 100
    assert len(results.df) == 120


def test_rows_print_as_the_expression_that_they_are():
    rows = assay.Rows("qa.csv", id="name") >> "What is <n>?" >> assay.LLMRun()
    assert repr(rows).startswith("Rows('")
    assert repr(rows).endswith("""qa.csv', id='name') >> 'What is <n>?' >> LLMRun()""")
    assert repr(assay.Rows([{"n": 1}], description="Sums")) == "Rows([{'n': 1}], description='Sums')"
    assert repr(assay.Rows([{"q": "x" * 80}], id="q")) == "Rows(<list of 1 row>, id='q')"
    assert repr(assay.Rows([{"n": 1}] * 2000)) == "Rows(<list of 2,000 rows>)"
    assert repr(assay.Rows(f"{'q' * 80}.csv")).endswith("qqq.csv')")


def test_what_is_not_an_expression_prints_in_words_too(tmp_path):
    PIL.Image.new("RGB", (1, 1)).save(tmp_path / "a.png")
    picture = assay.Image(str(tmp_path / "a.png"))
    assert repr(picture) == f"Image('{tmp_path}/a.png')" and eval(repr(picture), vars(assay)) == picture
    assert repr(assay.model(len, name="mine")) == "model(len, name='mine')"
    assert repr(evaluator.Env()) == "Env()"


def test_models_and_tests_keep_the_order_in_which_they_were_given(place):
    sums = assay.Rows([{"n": n} for n in "zba"], id="n") >> "<n>?" >> assay.LLMRun()
    results = assay.run(sums >> assay.SubstringEvaluator("42"), models=["local/z", "local/a"])
    keys = [f"notebook.test1[{n}]" for n in "zba"]
    assert list(results.df.test.cat.categories) == keys
    assert list(results.df.groupby("model", observed=True).size().index) == ["local/z", "local/a"]
    rates = results.rates(dict.fromkeys(keys[:1], "Level 10") | dict.fromkeys(keys[1:], "level 9"))
    wide = rates.pivot(index="group", columns="model", values="rate")
    assert list(wide.columns) == ["local/z", "local/a"] and list(wide.index) == ["level 9", "Level 10"]
    assert list(results.rates().model) == ["local/z", "local/a"]
    (tests,) = (table for table in results.tables() if table.title == "Tests")
    assert [row[0] for row in tests.rows] == keys and tests.columns == ("test", "local/a", "local/z")
    assert list(assay.load("results").rates().model) == ["local/a", "local/z"], "nobody knows it any more"


def test_rows_are_columns_of_the_results(place):
    rows = [
        {"n": 1, "is": "42", "kind": "odd", "less": "-1", "code": "007"},
        {"n": 2, "is": "43", "kind": "=x", "less": "", "code": "8", "long": "l" * 301, "of": [1]},
    ]
    sums = assay.Rows(rows) >> "<n>?" >> assay.LLMRun() >> assay.SubstringEvaluator("<is>")
    results = assay.run([sums, question()], models="local/m", export=["csv=t.csv", "parquet=t.parquet"])
    frame = results.df.sort_values("row_n")
    assert frame.row_n.tolist()[:2] == [1, 2] and frame.row_kind.tolist()[:2] == ["odd", "=x"]
    assert frame[["row_n", "row_kind"]].isna().to_numpy().tolist()[2] == [True, True]
    assert not {"row_long", "row_of"} & {*frame.columns} and all("row" not in each for each in frame.extra)
    with (place.folder / "t.csv").open() as file:
        table = list(csv.DictReader(file))
    assert sorted((row["row_n"], row["row_kind"]) for row in table) == [("", ""), ("1", "odd"), ("2", "'=x")]
    assert sorted(row["row_less"] for row in table) == ["", "", "-1"]
    file = pandas.read_parquet(place.folder / "t.parquet")
    assert sorted(file.row_kind.fillna("")) == ["", "=x", "odd"]
    for its in (frame, file):
        assert (its.row_is.mean(), its.row_less.sum()) == (42.5, -1)
        assert sorted(its.row_code.dropna()) == ["007", "8"]
    assert (assay.load(place.folder / "results").df.row_kind == "odd").sum() == 1


def test_the_frame_has_a_row_for_each_trial(place):
    frame = assay.run({"a": question(), "b": question("Why?", "no")}, models=["local/m", "local/n"]).df
    assert len(frame) == 4
    asked = frame[(frame.test == "notebook.a") & (frame.model == "local/m")].iloc[0]
    assert (asked.outcome, asked.prompt, asked.reply) == ("pass", "How much?", "the answer is 42")
    assert asked.tokens > 0


def test_a_name_in_groups_that_no_test_has_is_told(place, capsys):
    rows = assay.Rows([{"id": "France"}, {"id": "Peru"}], id="id") >> "<id>?" >> assay.LLMRun()
    rows = rows >> assay.SubstringEvaluator("42")
    results = assay.run(rows, models="local/m")
    capsys.readouterr()
    results.rates({"France": "Europe", "Peru": "America"})
    assert capsys.readouterr().err == ""
    assert list(results.rates({"France": "Europe", "Pru": "America"}).group) == ["Europe"]
    assert "rates: no test or row here is called 'Pru'. Did you mean Peru?" in capsys.readouterr().err


def test_rates_by_a_column_of_the_rows_are_those_of_the_tables(place):
    rows = [
        {"id": n, "kind": kind, "is": wanted}
        for n, kind, wanted in (
            ("a", "easy", "42"),
            ("b", "easy", "42"),
            ("c", "hard", "43"),
            ("d", "hard", "42"),
        )
    ]
    sums = assay.Rows(rows, id="id") >> "<id>?" >> assay.LLMRun() >> assay.SubstringEvaluator("<is>")
    results = assay.run(sums, models=["local/m", "local/n"], times=3)
    found = results.rates(sums.column("kind")).set_index(["group", "model"])
    assert list(found.index.get_level_values(0)) == ["easy", "easy", "hard", "hard"]
    assert results.rates("kind").set_index(["group", "model"]).equals(found)
    assert assay.load("results").rates("row_kind").set_index(["group", "model"]).loc["easy"].rate.min() == 1
    with pytest.raises(ConfigError, match=r"the columns of the rows are id, kind, is\. Did you mean kind\?"):
        results.rates("kinds")
    easy, hard = found.loc[("easy", "local/m")], found.loc[("hard", "local/m")]
    assert (easy.tests, easy.passed, easy.counted, easy.rate, easy.high) == (2, 6, 6, 1, 1)
    assert (hard.passed, hard.counted, hard.rate) == (3, 6, 0.5) and hard.low < 0.2
    (whole,) = results.rates().query("model == 'local/m'").itertuples()
    total = results._grid.totals["local/m"]
    assert (whole.tests, whole.rate, whole.low, whole.high) == (4, total.rate, *total.interval)
    assert len(results.rates({"notebook.sums[c]": "one"})) == 2
    assert [*results.rates({"a": "Zug", "b": "Łódź", "c": ""}).group[::2]] == ["(empty)", "Łódź", "Zug"]
    with pytest.raises(ConfigError, match="no test is in a group"):
        results.rates({"e": "easy"})


def test_two_models_are_compared_and_reported(place):
    models = ["local/m", "local/n", "local/p"]
    results = assay.run({"a": question(), "b": question("Why?")}, models=models)
    found = results.compare("local/m", "local/n")
    assert found.data
    assert "local/n" in repr(found)
    assert "local/p" not in repr(found)
    with pytest.raises(ConfigError, match="local/o"):
        results.compare("local/m", "local/o")
    index = results.report("report")
    assert index.is_absolute() and "notebook" in index.read_text()


def test_a_comparison_has_its_numbers_as_attributes(place):
    tests = {f"t{number}": question(f"number {number}") for number in range(8)}
    right, wrong = (assay.model(lambda messages, word=word: word, word) for word in ("42", "no"))
    results = assay.run(tests, models=[right, wrong])
    found = results.compare("42", "no")
    assert (found.verdict, found.difference) == ("better", 1.0)
    assert found.p == found.p_holm == pytest.approx(2 / 2**8)
    low, high = found.interval
    assert 0 < low < high == 1.0
    assert results.compare("no", "42").verdict == "worse"


def test_a_broken_line_of_results_is_told_of(place, capsys):
    assay.run({"a": question(), "b": question("Why?")}, "local/m")
    assert assay.load("results").problems == ()
    (file,) = (place.folder / "results").glob("*/*/run-1.jsonl")
    file.write_bytes(file.read_bytes()[:-40] + b"\n")
    results = assay.load("results")
    assert len(results.records) == 1
    err = capsys.readouterr().err
    assert (
        "run-1.jsonl:2: unreadable line left out: it is cut off in the middle (to run its trial" in err
        and err.count("--resume --runid 1") == 1
    )
    (problem,) = results.problems
    assert problem in err and len(results) == 1
    good = file.read_bytes().splitlines(keepends=True)[0]
    file.write_bytes(good[:-40] + b"\nhello\n" + good)
    cut_off, not_json = assay.load("results").problems
    assert not_json.endswith(
        ":2: unreadable line left out: not JSON: Expecting value (column 1) "
        "(to end this message, delete the line)"
    )
    assert cut_off.endswith(
        ":1: unreadable line left out: it is cut off in the middle (to end this message, delete the line)"
    ), "its trial was run again"


def test_two_prompts_are_compared_as_two_runs_of_one_model(place):
    old = assay.run({f"t{n}": question(f"old {n}", wanted="43") for n in range(8)}, "local/m")
    new = assay.run({f"t{n}": question(f"new {n}") for n in range(8)}, "local/m")
    found = assay.compare(new, old, labels=("new", "old"))
    assert (found.verdict, found.difference) == ("better", 1.0)
    assert "new is better than old" in repr(found)
    assert assay.compare("local/m@no-commit/run-2", "local/m@no-commit/run-1").verdict == "better"
    assert assay.compare(old, "local/m@no-commit/run-2").verdict == "worse"
    with pytest.raises(ConfigError, match="no test in common that was not changed"):
        assay.compare(new, old, with_changed=False)
    for one, other in ((new, new), ("local/m", "local/m")):
        with pytest.raises(ConfigError, match="two different"):
            assay.compare(one, other, labels=("a", "a"))
    both = assay.run({"t": question()}, ["local/m", "local/n"])
    with pytest.raises(ConfigError, match="one model's results, not those of local/m, local/n"):
        assay.compare(both, new)
    again = assay.run({"t": question("new", "no")}, ["local/m", "local/n"])
    found = [assay.compare(*files) for files in zip(both.files, again.files, strict=True)]
    assert [each.difference for each in found] == [1.0, 1.0]
    assert re.search(r"^local/n \(run-\d\.jsonl\) and local/n \(run-\d\.jsonl\): ", repr(found[1]), re.M)
    assert "local/m and local/n: " in repr(assay.compare(*both.files))
    with pytest.raises(ConfigError, match=r"compared by assay\.compare"):
        both.compare("old", "new")
    with pytest.raises(ConfigError, match="two different models"):
        both.compare("local/m", "local/m")


def test_a_comparison_is_corrected_for_all_pairs_of_the_results_like_their_table(place):
    tests = {f"t{number}": question(f"number {number}") for number in range(6)}
    models = [assay.model(lambda messages, word=word: word, word) for word in ("42", "no", "none")]
    results = assay.run(tests, models=models)
    found = results.compare("no", "42")
    assert found.verdict == "tie" and found.difference == -1.0
    assert found.p_holm == pytest.approx(3 * found.p) == pytest.approx(3 * 2 / 2**6)
    assert "Holm's correction for 3 pairs" in repr(found)
    assert "p (Holm) is for the 3 pairs of the models that were compared together" in repr(found)


def test_printed_results_are_plain_text_unless_stdout_is_a_terminal(place, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    right, wrong = (assay.model(lambda messages, word=word: word, f"my/{word * 12}") for word in ("42", "no"))
    found = assay.run(question(), models=[right, wrong]).compare(right.name, wrong.name)
    assert "\x1b" not in repr(found) and "continued" not in repr(found)
    assert "could show" in next(line for line in repr(found).splitlines() if "against" in line)


def test_what_a_model_is_called_is_no_markup(place):
    given = assay.model(lambda messages: "<b>42</b>", name="<script>x</script>")
    shown = assay.run(question(), models=given)._repr_html_()
    assert "&lt;script&gt;" in shown and "<script>" not in shown


def test_the_report_of_all_results_is_a_flag(place):
    assay.run(question(), models="local/m")
    assay.run({"other": question()}, models="local/m", report=True, report_dir="all")
    shown = (place.folder / "all" / "index.html").read_text()
    assert "notebook" in shown


def test_results_are_exported(place):
    assay.run(question(), models="local/m", export="csv=all.csv")
    assert "notebook.test1" in (place.folder / "all.csv").read_text()
    with pytest.raises(ConfigError, match="export made_up=x"):
        assay.run(question(), models="local/m", export=["made_up=x"])


def test_a_budget_stands_in_the_results_and_in_what_is_shown_of_them(place):
    tests = {f"t{number}": question(f"number {number}") for number in range(40)}
    results = assay.run(tests, models="local/m", max_tokens=20, max_connections=1)
    assert results.failure is not None
    assert len(results) < 40
    lacking = (
        f"the last run of local/m is not finished: {40 - len(results)} of 40 trials are missing; if it was "
    )
    out, err = place.main("--load-saved", "--generate-report")
    assert (out + err).count(lacking) == out.count(lacking) == 1
    assert "stopped, the same command with --resume goes on, or the same call of assay.run with resume" in out
    for flags in (("--model", "local/m"), ("--runid", "1"), ()):
        with pytest.raises(ConfigError, match=r"not known\. .* from Python, where the same call"):
            read(["run", "--resume", "--logdir", "results", *flags], place.folder)
    assert lacking in (place.folder / "report/index.html").read_text()
    some = {name: tests[name] for name in ("t0", "t39")}
    assay.run(some, models="local/m", resume=True)
    out, _ = place.main("--load-saved")
    assert f"{39 - len(results)} of 40 trials are missing" in out
    assert len(assay.run(tests, models="local/m", resume=True).records) == 40
    assert not list(place.folder.rglob("*.unfinished"))


def test_what_was_said_below_a_cell_is_not_repeated_by_its_view(place, capsys, monkeypatch):
    cell = SimpleNamespace(execution_count=1)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: cell))
    tests = {f"t{number}": question(f"number {number}") for number in range(9)}
    budget = {"max_tokens": 20, "max_connections": 1}
    assay.run(tests, "local/m", **budget)
    stopped = "the last run of local/m is not finished"
    shows = (
        (lambda: assay.run(tests, "local/n", **budget), "max_tokens=20 reached"),
        (lambda: assay.load("results"), stopped),
        (lambda: assay.load("results").compare("local/m", "local/n"), stopped),
        (lambda: assay.compare("local/m", "local/n"), stopped),
    )
    capsys.readouterr()
    for call, note in shows:
        cell.execution_count += 1
        shown = call()
        html, text, err = shown._repr_html_(), repr(shown), capsys.readouterr().err
        assert (html.count(note), text.count(note), err.count(note)) == (0, 0, 1)
        assert "--resume" not in err or note == stopped, "in the words of Python"
        cell.execution_count += 1
        assert shown._repr_html_().count(note) == repr(shown).count(note) == 1, "of another cell"


def test_rows_that_are_gone_when_a_call_goes_on_are_not_missing(place):
    table = [{"id": str(number), "n": number} for number in range(40)]
    test = "number <n>" >> assay.LLMRun() >> assay.SubstringEvaluator("42")
    rows = {"rows": assay.Rows(table, id="id") >> test}
    assert assay.run(rows, models="local/m", max_tokens=20, max_connections=1).unfinished
    rows = {"rows": assay.Rows(table[:9], id="id") >> test}
    assert assay.run(rows, models="local/m", resume=True).unfinished == ()


def test_as_many_rows_are_missing_as_the_call_that_goes_on_runs(place, capsys):
    """Each row that is given from Python is a version of its own."""

    def run(model, changed, **flags):
        rows = [{"n": f"{n}", "word": "word" if n in changed else "number"} for n in range(20)]
        test = assay.Rows(rows, id="n") >> "<word> <n>" >> assay.LLMRun() >> assay.SubstringEvaluator("42")
        capsys.readouterr()
        said = said_of_unfinished(assay.run({"rows": test}, models=model, **flags).workspace)
        missing = int(said[0].split(" is not finished: ")[1].split()[0]) if said else 0
        return missing, int(capsys.readouterr().err.split(" trials to run")[0].split()[-1])

    budget = {"max_tokens": 30, "max_connections": 1}
    missing, _ = run("local/m", (), **budget)
    assert 10 < missing < 18
    assert run("local/n", range(12, 20))[0] == missing, "those that changed, too"
    changed = (0, 1, *range(12, 20))
    more, _ = run("local/n", changed)
    assert more == missing + 2, "and those that had ended, which are other tests by now"
    for flags in (budget, {}):
        left, ran = run("local/m", changed, resume=True, **flags)
        assert ran == more
        more = left
    assert not left
