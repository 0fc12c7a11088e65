"""Rows of data, and lists and dicts, as tests."""

import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import pytest

from assay.errors import TestFileError
from assay.git import git
from assay.language.pictures import Image
from assay.results.test_versions import is_other
from assay.suites.changed import ChangedTests
from assay.suites.choice import choose
from assay.suites.fingerprint import Fingerprints
from assay.suites.listing import list_tests, matches
from assay.suites.loading import load_tests
from assay.suites.rows import Rows
from assay.suites.selection import Selection
from evaluator import (
    ContainsIntEvaluator,
    CRun,
    EqualEvaluator,
    JSONSubsetEvaluator,
    LLMRun,
    RegexEvaluator,
    SubstringEvaluator,
)
from testing.harness.commanding import HEAD, Workspace
from testing.language.pipeline import trial
from testing.language.test_content_hash import PNG

CAPITALS = "name,country,capital\nfr,France,Paris\npe,Peru,Lima\n"
TEST = (
    'TestCapital = Rows("capitals.csv", id="name") >> "What is the capital of <country>?" >> LLMRun() '
    '>> EqualEvaluator("<capital>")\n'
)


def capitals(tmp_path, text=CAPITALS):
    (tmp_path / "capitals.csv").write_text(text)
    return Rows(tmp_path / "capitals.csv", id="name")


def write(folder, text, name="qa"):
    (folder / f"{name}.py").write_text(HEAD + text)
    return load_tests(list_tests([folder]), root=folder)


def test_each_row_is_a_test_with_an_id_and_a_description_of_its_own(tmp_path):
    rows = capitals(tmp_path) >> "The capital of <country>? <b>One</b> word." >> LLMRun() >> (
        EqualEvaluator("<capital>") | SubstringEvaluator("<capital>, <country>")
    )  # fmt: skip
    first, second = rows
    assert (first.key, first.description) == ("fr", "The capital of France? <b>One</b> word.")
    assert second.test == "The capital of Peru? <b>One</b> word." >> LLMRun() >> (
        EqualEvaluator("Lima") | SubstringEvaluator("Lima, Peru")
    )
    assert [each.description for each in rows.describes("Of <country>")] == ["Of France", "Of Peru"]
    assert rows.column("capital") == {"fr": "Paris", "pe": "Lima"}


def test_a_file_elsewhere_is_part_of_its_tests_versions(tmp_path):
    """Row by row: the trials of the others are what they were."""
    (tmp_path / "tests").mkdir()
    text = TEST.replace("capitals.csv", "../capitals.csv")

    def versions(data):
        (tmp_path / "capitals.csv").write_text(data)
        (rows,) = write(tmp_path / "tests", text).rows
        return {sample.id: replace(sample, fingerprint="test:abc").version for sample in rows()}

    before, after = versions(CAPITALS), versions(CAPITALS.replace("Lima", "Cusco"))
    assert {key for key in before if is_other(before[key], after[key])} == {"qa.TestCapital[pe]"}


def test_a_row_names_its_picture_and_has_it_in_its_version(tmp_path):
    """Relative to the file of the rows."""
    for name in ("fr", "pe"):
        (tmp_path / f"pics/{name}.png").parent.mkdir(exist_ok=True)
        (tmp_path / f"pics/{name}.png").write_bytes(PNG + b"1234")
    (tmp_path / "cities.csv").write_text("name,picture\nfr,pics/fr.png\npe,pics/pe.png\n")
    (tmp_path / "tests").mkdir()

    def samples(path="<picture>"):
        rows = f'Rows("../cities.csv", id="name") >> Image("{path}") >> LLMVisionRun("Where?", llm=LLM)'
        loaded = write(tmp_path / "tests", f"TestCity = {rows} >> SubstringEvaluator('<name>')\n")
        assert not loaded.warnings and not loaded.errors
        return [*loaded.rows[0]()]

    def versions():
        return [replace(each, fingerprint="test:abc").version for each in samples()]

    before = versions()
    (tmp_path / "pics/pe.png").write_bytes(PNG + b"5678")
    assert [*map(is_other, before, versions())] == [False, True]
    assert [each.test for each in samples("pics/<name>.png")] == [each.test for each in samples()]
    (tmp_path / "pics/pe.png").unlink()
    with pytest.raises(TestFileError, match=r"cities\.csv: row 2: Image: .*/pe\.png cannot be read: No such"):
        samples()


def test_a_cell_that_names_no_picture_file_is_told():
    rows = Rows([{"picture": {"bytes": PNG}}]) >> Image("<picture>") >> EqualEvaluator("a")
    with pytest.raises(TestFileError, match=r"row 1: Image: path must be the name of a file or .*, not dict"):
        list(rows)


def test_a_picture_of_rows_that_are_not_there_is_told(tmp_path):
    (said,) = write(
        tmp_path, "TestA = Image('<p>') >> LLMVisionRun('?', llm=LLM) >> EqualEvaluator('a')\n"
    ).warnings
    assert (
        """shows <p>, a place for a column of Rows, and has no Rows: write Rows("FILE.csv") >> Image('<p>')"""
        in said
    )
    record = trial(Image("<p>") >> EqualEvaluator("a"))
    assert record.error.startswith(
        "NodeError: Image('<p>') names a column, and there are no Rows: write Rows("
    )


def test_every_source_gives_the_same_tests(tmp_path):
    table = [{"n": 1, "word": "one"}, {"n": 2, "word": "two"}]
    (tmp_path / "a.csv").write_text("n,word\n1,one\n2,two\n")
    (tmp_path / "a.tsv").write_text("n\tword\n1\tone\n2\ttwo\n")
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, table)) + "\n\n")
    (tmp_path / "a.json").write_text(json.dumps(table))
    sources = [*tmp_path.iterdir(), table, lambda: iter(table), iter(table)]
    sources.append(pytest.importorskip("pandas").DataFrame(table))
    if pa := pytest.importorskip("pyarrow"):
        import pyarrow.parquet

        pyarrow.parquet.write_table(pa.Table.from_pylist(table), tmp_path / "a.parquet")
        sources.append(tmp_path / "a.parquet")
    for source in sources:
        rows = Rows(source) >> "<word>?" >> LLMRun() >> ContainsIntEvaluator("<n>")
        for _ in range(2):
            assert [each.test for each in rows] == [
                "one?" >> LLMRun() >> ContainsIntEvaluator(1),
                "two?" >> LLMRun() >> ContainsIntEvaluator(2),
            ]
            assert [each.key for each in rows] == ["1", "2"]


def test_values_that_are_no_text():
    rows = Rows([{"wanted": {"a": 1}, "n": 7}]) >> LLMRun() >> JSONSubsetEvaluator("<wanted>")
    assert next(iter(rows)).test == LLMRun() >> JSONSubsetEvaluator({"a": 1})
    rows = Rows([{"n": 7}]) >> LLMRun() >> EqualEvaluator("<n>")
    assert next(iter(rows)).test == LLMRun() >> EqualEvaluator("7"), "what a model writes is text"


def test_values_of_other_types_are_kept_as_plain_ones():
    numpy = pytest.importorskip("numpy")

    class Word(str):
        pass

    values = {
        1.5: [numpy.float64(1.5), numpy.float32(1.5), Decimal("1.50"), Fraction(3, 2)],
        3: [numpy.int64(3), numpy.uint8(3), IntEnum("Side", {"B": 3}).B],
        True: [True, numpy.bool_(True)],
        "2026-01-02": [date(2026, 1, 2), numpy.datetime64("2026-01-02"), Word("2026-01-02")],
    }
    for plain, others in values.items():
        rows = Rows([{"x": each, "q": "Q"} for each in others]) >> "<q>" >> LLMRun() >> EqualEvaluator("<x>")
        for row in rows:
            assert row.row["x"] == plain and type(row.row["x"]) is type(plain)
    for other in ([1.5], {"a": 1}, numpy.array([1, 2]), b"x", object()):
        (row,) = Rows([{"x": other}]) >> LLMRun() >> EqualEvaluator("<x>")
        assert row.row == {}


def test_a_value_that_is_missing_is_an_empty_cell_in_every_source(tmp_path):
    pandas = pytest.importorskip("pandas")
    for missing in (None, float("nan"), pandas.NA, pandas.NaT):
        table = [{"n": "1", "hint": "one"}, {"n": missing, "hint": missing}]
        frame = pandas.DataFrame(table, dtype=object)
        for source, name in ((table, "list"), (frame, "DataFrame"), (lambda frame=frame: frame, "function")):
            with pytest.warns(UserWarning, match="row 2 has an empty cell in the question"):
                tests = list(Rows(source) >> "How much? <hint>" >> LLMRun() >> SubstringEvaluator("1"))
            assert tests[1].test == "How much? " >> LLMRun() >> SubstringEvaluator("1")
            with pytest.raises(TestFileError, match=f"^{name}: row 2: <n> is empty there, so Contains"):
                list(Rows(source) >> "<hint>" >> LLMRun() >> ContainsIntEvaluator("<n>"))
    (tmp_path / "a.jsonl").write_text('{"n": 1}\n{"n": null}\n{"n": NaN}\n')
    assert [row.row["n"] for row in Rows(tmp_path / "a.jsonl") >> LLMRun()] == [1, "", ""]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,country,capital\nfr,France,Paris\npe,Peru\n", "row 2 has no value in column 'capital'"),
        (
            "name,country,capital\nfr,France,Paris\npe,Peru,\n",
            "row 2: <capital> is empty there, so EqualEvaluator has nothing to check",
        ),
        (
            "title,country,capital\nfr,France,Paris\n",
            "row 1 has no value in column 'name'; there are: ",
        ),
        ("name,country,capital\n ,France,Paris\n", "row 1: the id in column 'name' is empty"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(tmp_path, text, said):
    rows = capitals(tmp_path, text) >> "<country>" >> LLMRun() >> EqualEvaluator("<capital>")
    with pytest.raises(TestFileError, match=re.escape(f"{tmp_path}/capitals.csv: {said}")):
        list(rows)


HEADER = b"name,country,capital\n"
OPEN = "a quote opens in this line and is not closed; within a cell in quotes, write a quote twice"
WIDE = "4 cells, but the header has 3; a cell with a comma in it goes between quotes"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.csv", HEADER + b'fr,"Fra\nnce",Paris\n\npe,Peru,Lima,7\n', f":5: {WIDE}"),
        ("a.csv", b"\n" + HEADER + b"pe,Peru,Lima,7\n", f":3: {WIDE}"),
        ("a.csv", b"q,a,,b,a,\n", ":1: two columns have the name 'a'; give each column a name of its own"),
        ("a.tsv", b"name\n\n1\t2\n", ":3: 2 cells, but the header has 1; a cell with a tab in"),
        ("a.csv", HEADER + b'fr,France,Paris\r\npe,"Peru,Lima\r\nit,Italy,Rome\r\n', f":3: {OPEN}"),
        ("a.csv", HEADER + b'fr,"France,Paris\npe,"Peru",Lima\n', f":2: {OPEN}"),
        ("a.csv", HEADER + b'fr,"a ""b""\n,c","\n",,"x', f":4: {OPEN}"),
        ("a.csv", HEADER + b'fr,"the "one" there",x\n', f":2: {OPEN}"),
        ("a.csv", HEADER + b'fr,"' + b"x" * 200_000, ":2: a cell has more than 131,072 characters"),
        ("a.csv", HEADER + b"fr,France,Paris\n" * 900 + b"pe,Per\xf9,Lima\n", ":902: this line is not UTF-8"),
        ("a.jsonl", b'{"name": "fr"}\n\n{"name": }\n', ":3: not JSON: Expecting value (column 10)"),
        ("a.jsonl", b'{"name": "fr"}\n{"name": "\xe0"}\n', ":2: this line is not UTF-8 text; save the"),
        ("a.json", b'[\n{"name": }]\n', ":2: not JSON: Expecting value (column 10)"),
        ("a.json", b"{}", ": a .json file of rows must be a list of objects"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_is_named_by_its_line(tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TestFileError) as raised:
        list(Rows(tmp_path / name) >> LLMRun())
    assert str(raised.value).startswith(f"{tmp_path}/{name}{said}")


def test_a_csv_is_read_as_spreadsheets_write_it(tmp_path):
    text = '\ufeffname,country,note\r\nfr,"Fra""n""ce","a,\nb"\r\n\r\npe,Pe"ru,\r\n'
    (tmp_path / "a.csv").write_bytes(text.encode())
    assert [test.row for test in Rows(tmp_path / "a.csv") >> LLMRun()] == [
        {"name": "fr", "country": 'Fra"n"ce', "note": "a,\nb"},
        {"name": "pe", "country": 'Pe"ru', "note": ""},
    ]


@pytest.mark.parametrize(
    ("source", "there", "shown", "meant"),
    [
        ("capitals.csv", "capitals.csv", "capitals.csv", "../capitals.csv"),
        ("capitals.csv", "tests/data/capitals.csv", "tests/data/capitals.csv", "data/capitals.csv"),
        ("data/capitals.csv", "tests/capitals.csv", "tests/capitals.csv", "capitals.csv"),
        ("capitals.csv", "data/capitals.csv", None, None),
    ],
)
def test_where_a_missing_file_is(tmp_path, monkeypatch, source, there, shown, meant):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text(CAPITALS)
    loaded = write(tmp_path / "tests", TEST.replace("capitals.csv", source))
    list(loaded.every())
    (error,) = loaded.errors
    there_is = f" There is {shown}: write Rows({meant!r}), because a path is relative to the test file, or in"
    assert f"TestCapital: tests/{source}: there is no such file." in error
    assert (there_is in error) == (shown is not None) and "There is" not in error.replace(there_is, "")


def test_a_value_within_a_longer_pattern_stands_for_itself():
    def patterns(text, *cells):
        rows = Rows([{"x": cell} for cell in cells]) >> "a <x>?" >> LLMRun() >> RegexEvaluator(text)
        return [row.test.right.pattern for row in rows]

    assert patterns(r"^(<x>)\d*$", "Paris (FR)", "C++ (", "a-b") == [
        r"^(Paris \(FR\))\d*$", r"^(C\+\+ \()\d*$", r"^(a\-b)\d*$",
    ]  # fmt: skip
    assert patterns("<x>", "Paris|Lutetia", r"\d+") == ["Paris|Lutetia", r"\d+"]
    with pytest.warns(
        UserWarning, match="row 2: 'b|c' in column 'x' is not a pattern within a longer one"
    ) as said:
        assert patterns("^<x>$", "a.b", "b|c", "d|e")[1:] == [r"^b\|c$", r"^d\|e$"]
    assert len(said) == 1
    with pytest.raises(TestFileError, match=r"^list: row 2: RegexEvaluator: .* is not a valid pattern"):
        patterns("<x>", "a", "C++ (")


def test_whole_numbers_may_be_written_as_pandas_does():
    def numbers(*cells):
        rows = Rows([{"n": cell} for cell in cells]) >> "a <n>?" >> LLMRun() >> ContainsIntEvaluator("<n>")
        return [row.test.right.num for row in rows]

    assert numbers("2.0", 3.0, "4", 5, "12345678901234567891") == [2, 3, 4, 5, 12345678901234567891]
    for wrong in ("2.5", 2.5, "two", "inf", [1]):
        with pytest.raises(TestFileError, match=r"row 1: .* in column 'n' is not a whole number"):
            numbers(wrong)


def test_blanks_around_the_names_of_columns_do_not_count(tmp_path):
    rows = capitals(tmp_path, "name, country ,\tcapital\nfr,France,Paris\n")
    (row,) = rows >> "<country>?" >> LLMRun() >> EqualEvaluator("<capital>")
    assert row.test == "France?" >> LLMRun() >> EqualEvaluator("Paris")


def test_other_mistakes_are_named(tmp_path):
    (tmp_path / "capitals.csv").touch()
    for name, meant in (("none.csv", ""), ("captals.csv", " Did you mean capitals.csv?")):
        with pytest.raises(TestFileError, match=rf"/{name}: there is no such file\.{re.escape(meant)}$"):
            list(Rows(tmp_path / name) >> LLMRun())
    with pytest.raises(TestFileError, match=r"Rows reads \.csv, .*not 'a.xlsx'"):
        Rows("a.xlsx")
    with pytest.raises(TestFileError, match="row 1: 'x' in column 'n' is not a whole number"):
        list(Rows([{"n": "x"}]) >> LLMRun() >> ContainsIntEvaluator("<n>"))
    with pytest.raises(TestFileError, match="no test follows"):
        list(Rows([{"n": 1}]))
    with pytest.raises(TestFileError, match="row 1 must be a dict by columns, not str"):
        list(Rows(["x"]) >> LLMRun())
    with pytest.raises(TestFileError, match=r"row 2 cannot be read: ZeroDivisionError"):
        list(Rows(lambda: ({"n": 1 // (1 - n)} for n in range(2))) >> LLMRun())
    with pytest.raises(TypeError):
        Rows([]) >> 3


def test_a_misspelt_column_is_told_of_and_other_text_in_brackets_stays(tmp_path):
    rows = capitals(tmp_path) >> "Write the capital of <contry> into <answer></answer>." >> LLMRun()
    said = "there is no column 'contry'; is <country> meant? If the text <contry> is meant, write <<contry>>"
    with pytest.raises(TestFileError, match=re.escape(said)):
        next(iter(rows))
    rows = capitals(tmp_path) >> "Write <contry>the capital</contry> into <answer></answer>." >> LLMRun()
    with pytest.warns(UserWarning, match="there is no column 'contry'; is <country> meant"):
        assert "<contry>the capital</contry> into <answer></answer>" in next(iter(rows)).description


@pytest.mark.parametrize(
    ("test", "kind", "said"),
    [
        (
            "'Tell me: <prompt>' >> LLMRun()",
            "error",
            "there is no column 'prompt' for <prompt> in the question, and no other is in it, so every row "
            "asks the same question; there are: capital, country, name. If the text <prompt> is meant, write "
            "<<prompt>>",
        ),
        ("'Hi' >> LLMRun('Tell me <prompt>: <A>')", "error", "no column 'prompt' for <prompt>"),
        ("'What is <b> or <div> in HTML?' >> LLMRun()", "warning", "every row asks the same question"),
        ("'What does vector<int> hold?' >> LLMRun()", "warning", "every row asks the same question"),
        ("'Say <<prompt>>' >> LLMRun()", "warning", "there are: capital, country, name"),
        ("'A number?' >> LLMRun()", "warning", "no column is in what the model is asked"),
        ("'Hi' >> LLMConversation() >> 'And <country>?' >> LLMConversation()", "", ""),
        ("'x' >> PyFunc(str.upper) >> LLMRun('<country>: <A>')", "", ""),
        ("'<country>' >> MakeFile('a') >> 'Read a' >> LLMRun()", "", ""),
        ("'<country> in <prompt>' >> LLMRun()", "", ""),
        ("'No model' >> Echo()", "", ""),
    ],
)
def test_a_question_without_a_column_is_told(tmp_path, test, kind, said):
    (tmp_path / "capitals.csv").write_text(CAPITALS)
    loaded = write(tmp_path, f"TestX = Rows('capitals.csv') >> {test} >> EqualEvaluator('<capital>')\n")
    found = len(list(loaded.every()))
    told = {"error": loaded.errors, "warning": loaded.warnings, "": [*loaded.errors, *loaded.warnings]}[kind]
    assert found == (0 if kind == "error" else 2) and len(told) == (kind != "")
    assert all(re.search(r"^\S*qa.py:2: TestX: \S*capitals.csv: ", each) and said in each for each in told)


def test_one_row_alone_may_ask_what_has_no_column():
    assert len(list(Rows([{"a": "1"}]) >> "A number?" >> LLMRun() >> EqualEvaluator("<a>"))) == 1


@pytest.mark.parametrize(
    "asked", ["'<q>' >> LLMRun()", "' <hint>\\n<q>' >> LLMConversation()", "'x' >> LLMRun('<q>')"]
)
def test_a_row_that_asks_nothing_is_an_error(tmp_path, asked):
    (tmp_path / "a.csv").write_text("q,hint,wanted\nred?,,red\n ,,blue\n")
    loaded = write(tmp_path, f"TestX = Rows('a.csv') >> {asked} >> EqualEvaluator('<wanted>')\n")
    assert not list(loaded.every())[1:]
    (error,) = loaded.errors
    assert "qa.py:2: TestX: " in error and "a.csv: row 2: " in error
    assert "<q> is empty there, so the model is asked nothing" in error


def test_an_empty_cell_in_a_question_is_told_once_with_the_rows(tmp_path):
    (tmp_path / "a.csv").write_text("q,hint\n" + "red?,\nblue?,sky\n" * 5)
    asked = (
        "'<q> <hint>' >> LLMRun()",
        "'<hint>' >> LLMRun('<q> <A>')",
        "'<q>' >> LLMRun() >> MakeFile('a') >> '<hint>' >> MakeFile('b')",
    )
    text = "".join(f"Test{n} = Rows('a.csv') >> {each}\n" for n, each in enumerate(asked))
    loaded = write(tmp_path, text)
    assert len(list(loaded.every())) == 30 and not loaded.errors
    said = "a.csv: rows 1, 3, 5 and 2 more have an empty cell in the question (<hint>) and are asked"
    assert [said in each for each in loaded.warnings] == [True, True], loaded.warnings


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("'The capital of {country}?' >> LLMRun() >> EqualEvaluator('<capital>')", "country"),
        ("'Of { country }?' >> LLMRun() >> EqualEvaluator('<capital>')", "country"),
        ("'Of {{country}}?' >> LLMRun() >> EqualEvaluator('<capital>')", "country"),
        (
            "'Of <country>?' >> LLMRun() >> (SubstringEvaluator('{capital}') | ~EqualEvaluator('x'))",
            "capital",
        ),
        ("'Of <country>?' >> LLMRun('{name}: <A>') >> EqualEvaluator('<capital>')", "name"),
        ("'Of <country>?' >> LLMRun() >> JSONSubsetEvaluator({'a': ['{capital}']})", "capital"),
        ("'Print {country} for <country>.' >> LLMRun() >> EqualEvaluator('<capital>')", ""),
        ("'Print {city} of <country>.' >> LLMRun() >> EqualEvaluator('<capital>')", ""),
        (r"'Of <country>, in \\boxed{capital}' >> LLMRun() >> SubstringEvaluator('a')", ""),
        ("'<country>' >> LLMRun() >> MakeFile('a') >> 'cat ${name}' >> BashRun() >> EqualEvaluator('a')", ""),
        ("'<country>' >> LLMRun() >> PythonRun('print(f\"{name}\")') >> SubstringEvaluator('a')", ""),
        ("'<country>' >> LLMRun() >> (RegexEvaluator(r'\\d{2}') & SubstringEvaluator('a'))", ""),
    ],
)
def test_a_column_in_braces_is_told(tmp_path, test, told):
    (tmp_path / "capitals.csv").write_text("name,2,country,capital\nfr,1,France,Paris\npe,2,Peru,Lima\n")
    loaded = write(tmp_path, f"TestX = Rows('capitals.csv') >> {test}\n")
    found = len(list(loaded.every()))
    if not told:
        assert (found, loaded.errors, loaded.warnings) == (2, [], [])
        return
    (error,) = loaded.errors
    assert re.search(rf"^\S*qa.py:\d+: TestX: \S*capitals.csv: .*write <{told}>\. If the text", error)
    assert not found


LACKING = (
    'TestX: asks only {0}, a place for a column of Rows, and has no Rows: write Rows("FILE.csv") >> "{0}"'
)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("'<question>' >> LLMRun()", "<question>"),
        ("'<context>\\n<question> ' >> (LLMRun() >> Echo())", "<context> <question>"),
        ("'x' >> LLMRun() >> '<question>' >> LLMConversation()", "<question>"),
        ("'<b>?' >> LLMRun()", ""),
        ("'<p></p>' >> LLMRun()", ""),
        ("'<!x>' >> LLMRun()", ""),
        ("'<html>' >> Echo()", ""),
        ("'x' >> LLMRun('<A>')", ""),
        ("Rows([{'question': '<b>'}]) >> '<question>' >> LLMRun()", ""),
        ("Rows([{'m': 1}]) >> '<<question>>' >> LLMRun()", ""),
    ],
)
def test_a_question_that_is_only_a_place_lacks_rows(tmp_path, asked, shown):
    loaded = write(tmp_path, f"TestX = {asked} >> SubstringEvaluator('n')\n")
    samples = list(loaded.every())
    assert len(samples) == 1 and not loaded.errors
    said = [text.partition(": ")[2].splitlines()[0] for text in loaded.warnings]
    assert said == ([f"{LACKING.format(shown)} >> ..."] if shown else [])


def test_columns_may_be_numbers():
    rows = Rows([{0: "Peru", 1: "Lima"}]) >> "The capital of <0>?" >> LLMRun() >> EqualEvaluator("<1>")
    assert next(iter(rows)).test == "The capital of Peru?" >> LLMRun() >> EqualEvaluator("Lima")


def test_a_whole_argument_that_is_no_column_is_an_error_that_tells_the_escape(tmp_path):
    said = (
        "capitals.csv: there is no column 'answer' for <answer>, an argument of EqualEvaluator; there are: "
        "capital, country, name. If the text <answer> is meant, write <<answer>>"
    )
    with pytest.raises(TestFileError, match=re.escape(said)):
        list(capitals(tmp_path) >> "<country>?" >> LLMRun() >> EqualEvaluator("<answer>"))
    with pytest.raises(
        TestFileError, match=r"no column 'contry' for <contry>, a text; .* Is <country> meant"
    ):
        list(capitals(tmp_path) >> "<contry>" >> LLMRun() >> EqualEvaluator("<capital>"))
    with pytest.raises(TestFileError, match="an argument of JSONSubsetEvaluator"):
        list(capitals(tmp_path) >> "?" >> LLMRun() >> JSONSubsetEvaluator({"a": ["<answer>"]}))
    tests = list(capitals(tmp_path) >> "<country>?" >> LLMRun("<A>") >> SubstringEvaluator("<<title>>"))
    assert tests[0].test == "France?" >> LLMRun() >> SubstringEvaluator("<title>")


def test_a_doubled_bracket_is_text_but_not_in_an_expression(tmp_path):
    code = "int main() { return 1<<n>>2 | (x)<<name>>(y); }"
    rows = (
        capitals(tmp_path)
        >> "Write <<country>> as it is.<<br>>"
        >> LLMRun()
        >> CRun(code)
        >> EqualEvaluator("1")
    )
    made = next(iter(rows)).test
    assert made == "Write <country> as it is.<br>" >> LLMRun() >> CRun(
        code.replace("<name>", "fr")
    ) >> EqualEvaluator("1")


def test_a_word_in_a_longer_argument_of_an_evaluator_is_told_of_once(tmp_path):
    quiet = RegexEvaluator(r"(?P<word>\w+)") & SubstringEvaluator("<b>x</b> <!x> 1 < 2 > 0 <<br>>")
    rows = capitals(tmp_path) >> "<country>?" >> LLMRun() >> (SubstringEvaluator("of <answer>") & quiet)
    with pytest.warns(UserWarning) as told:
        assert len([*rows, *rows]) == 4
    (only,) = told
    assert only.filename == __file__, "not a line of rows.py"
    assert re.search(
        r"<answer> in an argument of SubstringEvaluator is not a column and stays as it is; there are: "
        r"capital, country, name\. If the text <answer> is meant, write <<answer>>$",
        str(only.message),
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "name;answer\na;b\n", "the file is separated by semicolons; Rows reads commas in a .csv"),
        ("a.csv", "name\tanswer\na\tb\n", "the file is separated by tabs;"),
        ("a.tsv", "name,answer\na,b\n", "the file is separated by commas;"),
    ],
)
def test_another_separator_is_told(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(TestFileError, match=re.escape(said)):
        list(Rows(tmp_path / name) >> "?" >> LLMRun() >> EqualEvaluator("<answer>"))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "name,answer\n", "a.csv has no rows (a header only)"),
        ("a.csv", "", "a.csv has no rows (the file is empty)"),
        ("a.jsonl", "\n", "a.jsonl has no rows"),
    ],
)
def test_a_file_without_rows_is_an_error(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(TestFileError, match=f"{re.escape(said)}$"):
        list(Rows(tmp_path / name) >> "?" >> LLMRun() >> EqualEvaluator("x"))


def test_rows_are_made_when_they_are_asked_for():
    made = []
    rows = Rows(lambda: ({"n": made.append(n) or n} for n in range(10**9))) >> "<n>" >> LLMRun()
    assert next(iter(rows)).key == "1" and len(made) == 1


def test_a_file_of_rows_is_listed_without_reading_them(tmp_path):
    unread = "asked = Rows('gone.csv') >> 'a'\nTestB = asked >> LLMRun()\n"
    loaded = write(tmp_path, TEST + unread)
    (file,) = list_tests([tmp_path])
    assert [test.id for test in file.tests] == ["qa.TestCapital[*]", "qa.TestB[*]"] and not file.computed
    assert loaded.errors == [] and len(loaded.rows) == 2
    (tmp_path / "capitals.csv").write_text(CAPITALS)
    loaded.rows.pop()
    assert [each.id for each in loaded.every()] == ["qa.TestCapital[fr]", "qa.TestCapital[pe]"]
    (tmp_path / "capitals.csv").write_text(CAPITALS + "fr,France,Paris\n")
    assert [each.id for each in loaded.every()] == ["qa.TestCapital[fr]", "qa.TestCapital[pe]"]
    (error,) = loaded.errors
    assert error.startswith(
        f"{tmp_path}/qa.py:2: TestCapital: {tmp_path}/capitals.csv: rows 1 and 3 have the"
    )
    assert "the same id 'fr' in column 'name'; give each row its own" in error


@pytest.mark.slow(9)
def test_rows_that_cannot_be_used_lose_only_their_own_tests(tmp_path):
    work = Workspace(tmp_path)
    ends = "'?' >> LLMRun() >> SubstringEvaluator('<capital>')\n"
    work.test_file(
        "qa",
        "TestOther = 'Say x' >> LLMRun() >> SubstringEvaluator('x')\n"
        f"TestTwice = Rows('twice.csv', id='name') >> {ends}"
        f"TestNone = Rows('none.csv') >> {ends}",
    )
    (work.tests / "twice.csv").write_text(CAPITALS + "fr,France,Paris\n")
    (work.tests / "none.csv").write_text("capital\n")
    (work.tests / "references").mkdir()
    (work.tests / "references" / "qa.py").write_text(
        "RIGHT = {'TestOther': 'x'}\nWRONG = {'TestOther': 'y'}\n"
    )
    _, err = work.main("--run-tests", "--model", "oracle", code=1)
    assert [line["test"] for line in work.lines()] == ["qa.TestOther"]
    assert "twice.csv: rows 1 and 3 have the same id 'fr'" in err
    assert "TestNone: " in err and "none.csv has no rows (a header only)" in err
    work.main("--run-tests", "--model", "oracle", "--test", "TestOther")
    out, _ = work.main("--lint-tests", code=1)
    assert out.count("error: TestTwice: ") == out.count("error: TestNone: ") == 1


def test_doubtful_rows_are_warned_of_by_run_and_lint(tmp_path):
    work = Workspace(tmp_path)
    work.test_file(
        "qa", TEST.replace('"<capital>"', '"in <answer>"').replace("<country>?", "<contry>?</contry>")
    )
    (work.tests / "capitals.csv").write_text(CAPITALS)
    _, err = work.main("--run-tests", "--model", "oracle", "--dry-run")
    out, _ = work.main("--lint-tests", code=1)
    for text in (err, out):
        assert text.count("<answer> in an argument of EqualEvaluator is not a column") == 1
        assert text.count("there is no column 'contry'; is <country> meant?") == 1
    assert "rows.py" not in err and "UserWarning" not in err


@pytest.mark.parametrize(
    ("test", "pattern", "fits"),
    [
        ("qa.TestX[a]", "TestX", True),
        ("qa.TestX[a]", "qa", True),
        ("qa.TestX[a]", "TestX[a]", True),
        ("qa.TestX[a]", "qa.TestX[a]", True),
        ("qa.TestX[a]", "TestX[b]", False),
        ("qa.TestX[a.b/c]", "TestX[a.b/c]", True),
        ("qa.TestX[a.py]", "TestX[a.py]", True),
        ("qa.TestX[ab]", "Test*[a?]", True),
        ("qa.TestX[*]", "TestX[a]", True),
        ("qa.TestX[*]", "TestY[a]", False),
        ("qa.TestX", "TestX[a]", False),
        ("qa.TestX", "Test[XY]", True),
    ],
)
def test_a_row_is_chosen_by_its_key(test, pattern, fits):
    assert matches(test, pattern) == fits


def test_lists_and_dicts_are_so_many_tests(tmp_path):
    loaded = write(
        tmp_path,
        "TestA = ['q' >> LLMRun(), 'r' >> LLMRun()]\n"
        "TestB = {'x y': 'q' >> LLMRun(), 3: 'r' >> (LLMRun() | LLMRun())}\n"
        "TestData = {'a': [1, 2]}\n",
    )
    ids = ["qa.TestA[0]", "qa.TestA[1]", "qa.TestB[x y]", "qa.TestB[3]"]
    (file,) = list_tests([tmp_path])
    assert [test.id for test in file.tests] == ids and not file.computed
    assert [sample.id for sample in loaded.samples] == ids and not loaded.errors


def test_rows_in_a_file_whose_tests_code_makes_are_listed_once(tmp_path):
    write(tmp_path, TEST + "TestA = {n: f'{n}' >> LLMRun() for n in 'ab'}\n")
    choice = choose(Selection(tmp_path, folders=(str(tmp_path),)), None)
    assert [test.id for test in choice.tests] == ["qa.TestA[a]", "qa.TestA[b]", "qa.TestCapital[*]"]


def test_a_list_that_code_makes_is_known_by_import(tmp_path):
    loaded = write(tmp_path, "TestA = {n: f'{n}' >> LLMRun() for n in 'ab'}\n")
    (file,) = list_tests([tmp_path])
    assert file.computed and [sample.id for sample in loaded.samples] == ["qa.TestA[a]", "qa.TestA[b]"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{'q' >> LLMRun()}", "TestA is a set of tests, which has no order"),
        ("['q' >> LLMRun(), 3]", "TestA[1] is of type int"),
        ("{1: 'q' >> LLMRun(), '1': 'r' >> LLMRun()}", "TestA has two keys '1'"),
        ("{'a\\nb': 'q' >> LLMRun()}", "TestA has a key 'a\\nb', which cannot be shown on one line"),
    ],
)
def test_what_cannot_be_several_tests(tmp_path, value, said):
    loaded = write(tmp_path, f"TestA = {value}\n")
    assert said in loaded.errors[0] and "qa.py:2" in loaded.errors[0] and not loaded.samples


def test_a_change_of_the_data_is_a_change_of_the_test(tmp_path):
    write(tmp_path, TEST)
    (tmp_path / "capitals.csv").write_text(CAPITALS)
    before = Fingerprints(tmp_path, [tmp_path])(tmp_path / "qa.py")
    assert before == Fingerprints(tmp_path, [tmp_path])(tmp_path / "qa.py")
    (tmp_path / "capitals.csv").write_text(CAPITALS + "it,Italy,Rome\n")
    assert before != Fingerprints(tmp_path, [tmp_path])(tmp_path / "qa.py")


def test_only_changed_knows_the_data(tmp_path):
    (tmp_path / "capitals.csv").write_text(CAPITALS)
    (tmp_path / "other.csv").write_text(CAPITALS)
    write(tmp_path, TEST)
    git(tmp_path, "init", "-q")
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for name in ("first", "second"):
        git(tmp_path, "add", ".")
        git(tmp_path, *identity, "commit", "-q", "--allow-empty", "-m", name)
    (tmp_path / "other.csv").write_text("")
    assert not ChangedTests([tmp_path], tmp_path, "HEAD").affects(tmp_path / "qa.py")
    (tmp_path / "capitals.csv").write_text(CAPITALS + "it,Italy,Rome\n")
    assert ChangedTests([tmp_path], tmp_path, "HEAD").affects(tmp_path / "qa.py")


@pytest.mark.slow(7)
def test_rows_from_the_command_line(tmp_path):
    work = Workspace(tmp_path)
    (work.tests / "capitals.csv").write_text(CAPITALS)
    work.test_file("qa", 'DESCRIPTION = "The capital of <country>"\n' + TEST)
    (work.tests / "references").mkdir()
    (work.tests / "references" / "qa.py").write_text(
        'from evaluator import Rows\nrows = Rows("../capitals.csv", id="name")\n'
        'RIGHT = {"TestCapital": rows.column("capital")}\n'
        'WRONG = {"TestCapital[fr]": "Lyon", "TestCapital[pe]": ["Cusco"]}\n'
    )
    out, _ = work.main("--list", "--format", "json")
    assert [row["test"] for row in json.loads(out)] == ["qa.TestCapital[*]"]
    work.main("--run-tests", "--model", "oracle", "--model", "saboteur")
    assert {(line["test"], line["model"], line["outcome"]) for line in work.lines()} == {
        (f"qa.TestCapital[{key}]", model, outcome)
        for key in ("fr", "pe") for model, outcome in (("oracle", "pass"), ("saboteur", "fail"))
    }  # fmt: skip
    assert {line["description"] for line in work.lines()} == {"The capital of France", "The capital of Peru"}
    work.main("--run-tests", "--model", "oracle", "--test", "TestCapital[pe]")
    assert work.lines()[-1]["test"] == "qa.TestCapital[pe]" and len(work.lines()) == 5
    _, err = work.main("--run-tests", "--model", "oracle", "--resume", "--runid", "1")
    assert "0 trials to run" in err and "2 done before" in err
    (work.tests / "capitals.csv").write_text(CAPITALS + "it,Italy\n")
    _, err = work.main("--run-tests", "--model", "oracle", code=1)
    assert "capitals.csv: row 3 has no value in column 'capital'" in err


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        (
            'SubstringEvaluator("capital")',
            "the text 'capital', which is the name of a column; write <capital>",
        ),
        ('SubstringEvaluator("capital") & SubstringEvaluator("<name>")', ""),
        ('SubstringEvaluator("city")', ""),
        (
            'SubstringEvaluator("<blank>")',
            "rows 1, 2 have a cell with blanks at its ends in an evaluator (<blank>)",
        ),
        ('EqualEvaluator("<blank>")', ""),
        ('SubstringEvaluator("<capital>")', ""),
    ],
)
def test_a_slip_in_an_evaluator_of_rows_is_told_once(tmp_path, judge, said):
    (tmp_path / "a.csv").write_text("name,capital,blank\nfr,Paris,Paris \npe,Lima, Lima\n")
    loaded = write(tmp_path, f"TestX = Rows('a.csv') >> 'Capital of <name>?' >> LLMRun() >> ({judge})\n")
    assert len(list(loaded.every())) == 2 and not loaded.errors
    assert [said in each for each in loaded.warnings] == [True] * bool(said), loaded.warnings
