"""What the command and assay.run say of names that fit no test, and of tests that nobody named."""

import re

import pytest

from assay.errors import ConfigError
from assay.suites import choice, selection
from assay.suites.choice import choose
from assay.suites.selected import select_tests
from assay.suites.selection import Selection

RED = "from evaluator import *\nTestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n"


def write(path, text=RED):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working directory with tests, and tests in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "tests/colours.py")
    write(tmp_path / "tests/references/colours.py", "from evaluator import Turn\nRIGHT = {}\n")
    write(tmp_path / "tests/sums/suite.py")
    write(tmp_path / "tests/sums/more.py")
    write(tmp_path / "tests/ours/words.py", RED.replace("Red", "Word"))
    write(tmp_path / "tests/ours/deep/_shared.py")
    return tmp_path


def chosen(folder, *words, **more):
    return choose(Selection(folder, **more).also(words), None)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("colour", "no test, suite, file or folder is named 'colour'. Did you mean colours? "),
        ("sum", "no test, suite, file or folder is named 'sum'. Did you mean the suite sums? "),
        ("nosuch", "no test, suite, file or folder is named 'nosuch'. "),
        ("", "no test, suite, file or folder is named ''. "),
        ("tests/colour.py", "there is no test file 'tests/colour.py'. Did you mean tests/colours.py? "),
        ("colour.py", "there is no test file 'colour.py'. Did you mean tests/colours.py? "),
        ("tests/colour.py::TestRed", "Did you mean tests/colours.py::TestRed? "),
        ("tests/ours/word.py", "Did you mean tests/ours/words.py? "),
        ("tests/our", "there is no file or folder 'tests/our'. Did you mean tests/ours? "),
        ("./test", "there is no file or folder './test'. Did you mean tests? "),
        ("openai/gpt-4o", "If it is a model, write --model openai/gpt-4o; "),
        (
            "What is 2 + 2?",
            "A text is the name of a test or a suite, or the path of a test file or a folder; ",
        ),
        ("so long / or so " * 500, "a test itself is an expression, such as"),
        (
            "words",
            "no test named 'words' is among these; tests/ours/words.py has one, in a folder of its own: ",
        ),
        ("TestWord", "tests/ours/words.py has one, in a folder of its own: "),
    ],
)
def test_what_was_meant_is_said(here, word, said):
    with pytest.raises(ConfigError, match=re.escape(said)):
        chosen(here, word)


@pytest.mark.parametrize(
    "word", ["/nowhere/colours.py", "nosuch/colours.py", "other/colours.py", "test/colours"]
)
def test_a_path_does_not_mean_a_file_of_that_name_elsewhere(here, word):
    (here / "other").mkdir()
    said = f"there is no file {word}; tests/colours.py has that name"
    with pytest.raises(ConfigError, match=f"^{re.escape(said)}$"):
        chosen(here, word)


@pytest.mark.parametrize("word", ["tests/colours.py", "tests/colours", "tests/colour*", "colours.py"])
def test_a_path_without_its_ending_and_a_bare_file_name_mean_a_file(here, word):
    assert [test.id for test in chosen(here, word).tests] == ["colours.TestRed"]


def test_a_tag_that_no_test_has_is_told_with_those_that_there_are(here):
    with pytest.raises(ConfigError, match=r"the tag 'vison'\. None of these tests has a tag; TAGS = "):
        chosen(here, tags=("vison",))
    write(here / "tests/seen.py", f"{RED}TAGS = ['vision']\n")
    with pytest.raises(ConfigError, match=r"'vison'\. Did you mean vision\? Tags: vision\. The suites"):
        chosen(here, tags=("vison",))


def test_test_files_in_folders_of_their_own_are_told_of(here):
    (said,) = chosen(here).messages
    assert said.startswith(
        "tests/ours has test files too, which are not among these; name the folder to choose"
    )
    assert said.endswith(" run tests/ours")
    write(here / "tests/ours/deep/down.py")
    (said,) = chosen(here, "tests").messages
    assert said.startswith("tests/ours, tests/ours/deep have test files too")
    assert not chosen(here, "tests", "tests/ours", "tests/ours/deep").messages
    assert not chosen(here, "colours").messages


def test_a_folder_with_tests_only_in_folders_of_it_is_no_dead_end(here):
    (here / "tests/colours.py").unlink()
    said = "tests has no test file, but its folder tests/ours has: "
    (told,) = chosen(here, "tests").messages
    assert told.startswith(said) and told.endswith(" run tests/ours")
    with pytest.raises(ConfigError, match=f"^{said}.* run tests/ours$"):
        select_tests(Selection(here).also(["tests"]), None)
    write(here / "tests/more/words2.py")
    (told,) = chosen(here, "tests").messages
    assert re.search("its folders tests/more, tests/ours have: .* run tests/more tests/ours$", told)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RED.replace("LLMRun() >>", "LLMRun() =="), r"flag\.py:\d: TestRed is of type bool, but a test"),
        ("TestRed = bool", "flag.py:2: TestRed is a class, but a test is made of nodes"),
        ("def TestRed(reply): ...", "flag.py:2: TestRed is a function, but a test"),
        ("TestRed = 'q', LLMRun()", "flag.py:2: TestRed is a tuple, not a test: join its parts with >>"),
        ("TestRed = LLMRun(),", "flag.py:2: TestRed is a tuple, not a test: remove the comma at its end"),
        ("red = 'q' >> LLMRun()", "flag.py:2: red is not a test; a test is a variable whose name begins"),
        ("red = 1", "flag.py: defines no test; a test is a variable whose name begins with Test, such as"),
    ],
)
def test_why_a_file_has_no_test_is_said_where_none_is_left(here, text, said):
    write(here / "tests/flag.py", text if "import" in text else f"from evaluator import *\n{text}\n")
    with pytest.raises(ConfigError, match=f"^{re.escape(str(here))}/tests/{said}|^tests/{said}"):
        select_tests(Selection(here).also(["tests/flag.py"]), None)


def test_a_tier_that_no_own_test_has_means_the_tests_that_come_with_assay(here, monkeypatch):
    write(here / "package/benchmarks/blue.py")
    write(here / "package/benchmarks/tiers.json", '{"blue.TestRed": "hard"}')
    write(here / "mine/tests/red.py")
    for module in (choice, selection):
        monkeypatch.setattr(module, "BENCHMARKS", here / "package/benchmarks")
    monkeypatch.chdir(here / "mine")
    found = chosen(here / "mine", tiers=("hard",))
    assert [test.id for test in found.tests] == ["blue.TestRed"]
    assert found.messages == ["these tests come with Assay, because tests/ here has none that are hard"]
    assert not chosen(here / "mine", tiers=("hard",), tests=("red",)).tests
    write(here / "mine/tests/tiers.json", '{"red.TestRed": "hard"}')
    found = chosen(here / "mine", tiers=("hard",))
    assert ([test.id for test in found.tests], found.messages) == (["red.TestRed"], [])


def test_who_names_no_tests_is_told_that_they_come_with_assay(here, monkeypatch):
    write(here / "package/benchmarks/blue.py")
    write(here / "away/tests/test_app.py", "import pytest\n")
    for module in (choice, selection):
        monkeypatch.setattr(module, "BENCHMARKS", here / "package/benchmarks")
    assert not [text for text in chosen(here).messages if "come with Assay" in text]
    (said,) = chosen(here / "package").messages
    assert said.startswith("these tests come with Assay; to choose those in tests/ here: ")
    monkeypatch.chdir(here / "package")
    assert chosen(here / "package").messages == [
        "these tests come with Assay, because there is no folder tests/ here"
    ]
    monkeypatch.chdir(here / "away")
    assert chosen(here / "away").messages == [
        "these tests come with Assay, because tests/ here has no test file of Assay"
    ]
    write(here / "away/tests/unit/red.py")
    (said,) = chosen(here / "away").messages
    assert "has no test file of Assay; its folder tests/unit has: " in said
    assert not chosen(here / "away", "applied").messages
    assert not chosen(here / "away", "blue").messages


@pytest.mark.parametrize("words", [["tests/ours"], ["tests/ours/Colours.py"], ["tests"], ["colours"]])
def test_two_files_of_one_name_are_an_error_though_one_is_chosen(here, words):
    write(here / "tests/ours/Colours.py")
    choice = chosen(here, *words)
    (error,) = choice.errors
    assert "olours.py has the same name, so the results" in error and "rename one of them" in error
    assert not [test.id for test in choice.tests if "olours" in test.id]


def test_a_file_of_one_name_that_is_not_chosen_or_holds_no_tests_is_no_error(here):
    (here / "tests/ours/colours.py").write_text("COLOURS = ['red']\n")
    assert not chosen(here, "tests", "tests/ours/words.py").errors
    write(here / "tests/ours/deep/words.py")
    assert not chosen(here, "colours").errors and not chosen(here, "tests").errors
    write(here / "elsewhere/colours.py")
    assert not chosen(here, "elsewhere").errors
