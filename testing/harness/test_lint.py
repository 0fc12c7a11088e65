"""main.py --lint-tests: each mistake that it knows is found in a file that makes it, and nothing else."""

import json

import pytest
from PIL import Image as Pillow

from assay.cli.lint import show
from assay.suites.lint import Finding
from testing.harness.commanding import ROOT, Workspace

GOOD = """
DESCRIPTION = "Can the model name a colour?"
TAGS = ["word"]
TestGood = "Name the colour of grass." >> LLMRun() >> SubstringEvaluator("green", lower=True)
"""
REFERENCES = "RIGHT = {'TestGood': 'Green.'}\nWRONG = {'TestGood': ['Blue.', '']}\n"


@pytest.fixture
def work(tmp_path):
    made = Workspace(tmp_path)
    (made.tests / "references").mkdir()
    return made


def write(work, text, references=REFERENCES):
    work.test_file("colours", text)
    (work.tests / "references" / "colours.py").write_text(references)


def findings(work, code):
    out, _ = work.main("--lint-tests", "--format", "json", code=code)
    return [(each["kind"], each["text"]) for each in json.loads(out)]


def test_a_good_test_has_no_findings(work):
    write(work, GOOD)
    out, err = work.main("--lint-tests", "--format", "markdown")
    assert out == "" and "1 test: 0 errors, 0 warnings, 0 hints" in err


def test_references_of_what_does_not_exist_are_errors(work):
    write(work, GOOD + "TestRows = Rows([{'id': 'a'}]) >> '<id>' >> LLMRun() >> SubstringEvaluator('a')\n")
    table = "{'TestGood': 'Green.', 'colours.TestGood': 'Green.', 'TestGod': 'x',\n 'TestRows[a]': 'a'}"
    (work.tests / "references" / "colours.py").write_text(
        f"RIGHT = {table}\nWRONG = {{'TestGood': 'Blue.'}}\n"
    )
    (work.tests / "references" / "colour.py").write_text("RIGHT = {}\nWRONG = {'TestGood': 'Blue.'}\n")
    (work.tests / "references" / "helper.py").write_text("COLOURS = ['green']\n")
    out, _ = work.main("--lint-tests", "--format", "json", code=1)
    found = [(each["where"].rpartition("references/")[2], each["text"]) for each in json.loads(out)]
    meant = "colours.py has no test TestGod, so these references prove nothing. Did you mean TestGood?"
    assert [each for each in found if ".py" in each[1] and "these references" in each[1]] == [
        ("colours.py:1", meant),
        ("colour.py", "there is no test file colour.py for these references. Did you mean colours.py?"),
    ]


def test_findings_in_markdown_are_a_table(capsys):
    show([Finding("error", "t/a.py", "a.TestA", "no | reply")], {"a.TestA": 7}, "markdown")
    assert "| error | t/a.py:7 | a.TestA | no \\| reply |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "kind", "words"),
    [
        ("colour of grass.", "colour of grass: green or red?", "warning", "contains its own answer"),
        ('SubstringEvaluator("green", lower=True)', '~SubstringEvaluator("red")', "warning", "passed by"),
        ('SubstringEvaluator("green", lower=True)', 'RegexEvaluator("^.*$")', "warning", "passed by"),
        ('>> SubstringEvaluator("green"', '>> SubstringEvaluator("g") | SubstringEvaluator("green"',
         "warning", ">> binds tighter than |"),
        ("lower=True)\n", "lower=True)\nTestGood = 'x' >> LLMRun()\n", "error", "TestGood is assigned twice"),
        (">> SubstringEvaluator", ">> 'pip install colour' >> TerminalRun() >> SubstringEvaluator", "warning",
         "this needs the network, which the sandbox does not have: pip install colour"),
        (">> SubstringEvaluator", ">> PythonRun('import urllib.request as u; u.urlopen(\"http://a.example\")')"
         " >> SubstringEvaluator", "warning", "does not have: import urllib"),
        (">> SubstringEvaluator", ">> 'import json, numpy as np' >> PythonRun() >> SubstringEvaluator",
         "warning", 'which a sandbox may lack: add REQUIRES = ["python:numpy"]'),
        ("LLMRun() >>", "LLMRun( >>", "error", "invalid syntax"),
        ('SubstringEvaluator("green", lower=True)', "PyFunc(lambda reply: 'green' in rpely)", "error",
         "the name rpely is not defined. Did you mean reply?"),
        ('SubstringEvaluator("green", lower=True)', "PyFunc(lambda reply: math.inf)", "error",
         "the name math is not defined"),
        ("Name the colour of grass.", "<question>", "warning", "asks only <question>, a place for a column"),
        ("LLMRun() >>", "UntilDone(SubstringEvaluator('grass'), TerminalRun() >> LLMConversation()) >>",
         "warning", "the model is never asked"),
        ('SubstringEvaluator("green", lower=True)', "PyFunc(lambda reply: True)", "warning",
         "is passed by each of these replies: the question itself, an empty reply, a refusal"),
        ('SubstringEvaluator("green"', "PyFunc(lambda reply: {reply}) >> ~SubstringEvaluator('red'", "error",
         "colours.py:5: <lambda>() returned a set, which the next step cannot read as a text"),
        (' >> SubstringEvaluator("green", lower=True)', " >> ExtractCode() >> PythonRun()", "warning",
         "ends in PythonRun, which passes with any reply"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file(work, old, new, kind, words):
    assert old in GOOD
    write(work, GOOD.replace(old, new))
    found = findings(work, 0 if kind == "hint" else 1)
    assert [each for each in found if each[0] == kind and words in each[1]], found
    place, _ = work.main("--lint-tests", code=0 if kind == "hint" else 1)
    assert "colours.py" in place.splitlines()[0], "an editor finds it by that"


STEP = """
class Shout(Node):
    async def run(self, value, ctx):
        {line}
TestGood = "Name the colour of grass." >> LLMRun() >> Shout(){judge}
"""
JUDGED = ' >> SubstringEvaluator("GREEN")'


@pytest.mark.parametrize(
    ("line", "judge", "said"),
    [
        ("yield value.upper()", JUDGED, "Shout.run must yield Branch(output, Reason(self, ...)), not "),
        ("yield Branch(value.upper(), Reason(self, Block('txt', '', value)))", JUDGED,
         "Block: the kind 'txt' must be one of text"),
        ("yield Branch(len(value), Reason(self, Block('text')))", "",
         "at the end of a test, which is not a verdict"),
        ("yield Branch(json.laods(value), None)", JUDGED, "raised AttributeError: module 'json' has no attr"),
        ("from json import laods; yield Branch(value, None)", JUDGED, "raised ImportError: cannot import"),
    ],
)  # fmt: skip
def test_a_step_of_ones_own_behind_the_model_that_is_an_error_with_each_reply(work, line, judge, said):
    write(work, STEP.format(line=line, judge=judge))
    ((kind, text),) = findings(work, 1)
    assert kind == "error" and text.startswith("is an ERROR with each of these replies: ") and said in text


@pytest.mark.parametrize("line", ["value.uper()", "(re.search('[0-9]+', value) or value).group()"])
def test_a_step_that_uses_what_no_text_has_may_find_another_object_in_other_replies(work, line):
    write(work, STEP.format(line=f"yield Branch({line}, Reason(self))", judge=JUDGED))
    ((kind, text),) = findings(work, 1)
    assert kind == "warning" and "raised AttributeError: 'str' object has no attribute" in text
    assert text.startswith("is an ERROR with each of these replies: the question itself, an empty reply, a ")


def test_a_step_of_ones_own_before_the_model_that_is_an_error_whatever_is_replied(work):
    step = STEP.format(line="yield Branch(value.uper(), Reason(self))", judge="")
    write(work, step.replace("LLMRun() >> Shout()", 'Shout() >> LLMRun() >> SubstringEvaluator("g")'))
    ((kind, text),) = findings(work, 1)
    assert kind == "error" and text.startswith("is an ERROR whatever is replied: ")


def test_a_step_of_ones_own_that_is_an_error_for_some_replies(work):
    for line in (
        "json.loads(value)['a']",
        "value.split()[7]",
        "int(value)",
        "re.match('a: b', value).group()",
    ):
        write(work, STEP.format(line=f"yield Branch({line}, Reason(self))", judge=JUDGED))
        assert findings(work, 0) == []


def test_names_that_functions_find_when_they_are_called(work):
    text = """
import builtins
def late(reply): return helper(reply) and subprocess.run(["true"])  # which the sandbox imports
def helper(reply): return 'green' in reply
def sets():
    global made
    made = 1
def uses(reply): return made
def tries(reply):
    try: return nowhere
    except NameError: return True
"""
    write(work, GOOD + text)
    assert findings(work, 0) == []


def test_warnings_come_first_and_hints_that_say_the_same_are_together(work):
    plain = "".join(f"Test{name} = '{name}?' >> LLMRun() >> SubstringEvaluator('yes')\n" for name in "ABC")
    work.test_file("plain", plain)
    work.test_file("zebra", GOOD.replace("of grass.", "of grass: green or red?"))
    lines = work.main("--lint-tests", code=1)[0].splitlines()
    assert "zebra.py:5: warning: TestGood: is passed by" in lines[0]
    assert lines[1].startswith("4 hints: it has no references, so nothing proves that it can be passed")
    assert lines[2:-1] == [
        f"{lines[2].partition(':')[0]}:{at}: hint: Test{name}" for at, name in enumerate("ABC", 2)
    ]
    assert len(lines) == 6


def test_a_test_that_begins_with_a_picture_asks_the_model(work):
    Pillow.new("RGB", (8, 8)).save(work.tests / "grass.png")
    write(
        work,
        GOOD.replace(
            '"Name the colour of grass." >> LLMRun()',
            'Image("grass.png") >> LLMVisionRun("Which colour?", llm=LLM)',
        ),
    )
    assert findings(work, 0) == []


def test_a_picture_that_is_shown_to_the_judge_alone(work):
    Pillow.new("RGB", (8, 8)).save(work.tests / "grass.png")
    write(
        work,
        GOOD.replace(
            '"Name the colour of grass." >> LLMRun()', 'Image("grass.png") >> LLMVisionRun("Which colour?")'
        ),
    )
    (found,) = findings(work, 1)
    said = "the picture is shown to the judge; write llm=LLM to show it to the model under test"
    assert found == ("warning", said)


def test_what_all_rows_lack_is_said_once_with_the_line(work):
    rows = "TestGood = Rows([{'n': n} for n in range(30)]) >> '<n>?' >> LLMRun() >> SubstringEvaluator('g')"
    write(work, f'DESCRIPTION = "?"\nTAGS = ["word"]\n{rows}\n', "")
    (hint,) = findings(work, 0)
    assert hint[0] == "hint" and hint[1].endswith("(and 29 more like it)")
    place, err = work.main("--lint-tests")
    assert "colours.py:4: hint: TestGood[1]: it has no references" in place and "1 hint" in err


def test_a_library_that_is_required_or_used_on_the_host_is_no_matter(work):
    code = "import numpy\n' >> PythonRun() >> PyFunc(f) >> SubstringEvaluator".replace("\n", "\\n")
    above = 'REQUIRES = ["python:numpy"]\n\ndef f(text):\n    import PIL\n    return text\n\n'
    write(work, (above + GOOD).replace("SubstringEvaluator", f"'{code}"))
    assert findings(work, 0) == []


def test_a_server_in_the_sandbox_is_no_network(work):
    code = "MakeFile('page') >> 'curl -s http://localhost:8000/' >> TerminalRun() >> SubstringEvaluator"
    write(work, GOOD.replace("SubstringEvaluator", code))
    assert findings(work, 0) == []


@pytest.mark.parametrize(
    ("references", "kind", "words"),
    [
        ("", "hint", "no references"),
        ("RIGHT = {'TestGood': 'Green.'}\n", "warning", "no wrong answer"),
        ("WRONG = {'TestGood': 'Blue.'}\n", "warning", "no right answer"),
        ("RIGHT = {'TestGood': 3}\n", "error", "must be a list of variants"),
        ("RIGHT = {\n", "error", "never closed"),
    ],
)
def test_what_is_wrong_with_references(work, references, kind, words):
    write(work, GOOD, references)
    assert [
        each for each in findings(work, 0 if kind == "hint" else 1) if each[0] == kind and words in each[1]
    ]


def test_the_projects_own_tests_have_no_findings(work):
    out, _ = work.main("--lint-tests", "--tests", str(ROOT / "tests"))
    assert out == ""
