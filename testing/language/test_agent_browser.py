"""An agent's browser: real Chromium in real sandboxes."""

import asyncio
import json

import pytest

from assay.language.agents.browser import Browser
from assay.language.agents.programs import Shell
from assay.language.picture_files import header
from assay.records import Completion, Outcome, ToolCall
from assay.results.journal import Journal
from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import AgentRun, EqualEvaluator
from testing.language.pipeline import ScriptedModel, has_what_it_needs, trial, works_here
from testing.language.test_agent_run import call, results, says, sh
from testing.language.test_agent_tools import workbench

PAGE = """<title>Greetings</title><h1>Hello</h1>
<label>Name <input id=n></label> <select id=colour name=colour><option>red<option>blue</select>
<button onclick="out.textContent = 'Hi ' + n.value + ' in ' + colour.value">Greet</button>
<button onclick="console.error('bad', 3); missing()">Break</button>
<p id=out></p><a href=b.html target=_blank>Go on</a>"""
FILES = f"cat > index.html <<'END'\n{PAGE}\nEND\necho '<h1>Second' > b.html"


def use(*calls, shell=FILES, sandbox="bubblewrap", **settings):
    """What came of calls (a tool's name and its arguments) after `shell`."""
    works_here(sandbox)

    async def work():
        async with workbench(sandbox, requires=("chromium",)) as bench:
            await Shell().call(bench, command=shell)
            tools = {each.tool.name: each for each in Browser(**settings).parts}
            return [
                await (Shell() if name == "shell" else tools[name]).call(bench, **given)
                for name, given in calls
            ]

    return asyncio.run(work())


@pytest.mark.slow(6)
@pytest.mark.parametrize("sandbox", ["bubblewrap", "podman"])
def test_a_page_is_seen_and_used(sandbox):
    opened, *_, greeted, gone = use(
        ("open_page", {"url": "index.html"}),
        ("type_text", {"target": "name", "text": "Ada"}),
        ("type_text", {"target": "colour", "text": "blue"}),
        ("click", {"target": "greet"}),
        ("click", {"target": "Go on"}),
        sandbox=sandbox,
    )
    assert "Greetings (file:///usr/src/app/index.html)\nHello" in opened.text
    assert (
        'select "colour" #colour = "red" of "red", "blue"' in opened.text
        and 'text "Name" #n = ""' in opened.text
    )
    (picture,) = opened.images
    found = header(picture)
    assert (found.format, found.width, found.height) == ("PNG", 1024, 768)
    assert greeted.text.startswith('clicked button "Greet"\n') and "Hi Ada in blue" in greeted.text
    assert greeted.images != opened.images and "Second" in gone.text and not gone.failed


@pytest.mark.slow(4)
def test_a_server_of_the_agents_is_reached_and_nothing_else_is():
    ready = "until (echo > /dev/tcp/localhost/8000) 2>/dev/null; do sleep 0.1; done"
    served, absent, far = use(
        ("open_page", {"url": "http://localhost:8000/index.html"}),
        ("open_page", {"url": "localhost:8000/nope"}),
        ("open_page", {"url": "https://example.com/"}),
        shell=f"{FILES}\n(python3 -m http.server 8000 >log 2>&1 &); {ready}",
    )
    assert "Greetings (http://localhost:8000/index.html)" in served.text and "[error" not in served.text
    assert "[error on the page] Failed to load resource" in absent.text and "404" in absent.text
    assert far.failed and "net::ERR_" in far.text and not far.images


@pytest.mark.slow(5)
def test_what_goes_wrong_is_told():
    done = use(
        ("open_page", {"url": "index.html"}),
        ("click", {"target": "Break"}),
        ("click", {"target": "Fly"}),
        ("type_text", {"target": "h1", "text": "x"}),
        ("press_key", {"key": "Any"}),
        ("run_javascript", {"code": "n.value = 'Bob'; n.value + 1"}),
        ("run_javascript", {"code": "nothing.there"}),
        ("open_page", {"url": "nope.html"}),
        ("open_page", {"url": "chrome://crash"}),
    )
    _, broken, absent, typed, key, value, raised, no_file, scheme = [each.text for each in done]
    assert "[error on the page] bad 3\n" in broken and "ReferenceError: missing is not defined" in broken
    assert absent.startswith("error: there is no part 'Fly'") and "Break" in absent
    assert "nothing can be typed there" in typed and "there is no key 'Any'; there are Enter" in key
    assert value.startswith('"Bob1"\n') and "ReferenceError: nothing is not defined" in raised
    assert "there is no file nope.html" in no_file and "only a file or http can be opened" in scheme
    assert [each.failed for each in done] == [False, False, True, True, True, False, True, True, True]


SLOW = "does not answer within 5 s"
HOSTILE = {  # what it does, and what may be told of it
    "hangs": ("for (;;);", (SLOW,)),
    "floods the console": (
        "setInterval(() => { for (let i = 0; i < 99; i++) console.error('x'.repeat(9999)) })",
        ("xxx", SLOW),
    ),
    "is endless": (
        "document.body.append('<&\\u001e '.repeat(10000), 'end')",
        ("characters left out",),
    ),
    "replaces what is asked": (
        "JSON.stringify = JSON.parse = () => 'forged'; Array.prototype.map = () => ['forged'];"
        "document.querySelectorAll = () => []; requestAnimationFrame = null",
        ("page.html)\nHello",),
    ),
    "reloads for ever": ("setTimeout(() => location.reload(), 30)", ("Hello", SLOW)),
    "asks people": (
        "if (confirm('sure?') === false) document.body.append('no'); alert(1)",
        ("confirm() was dismissed: sure?",),
    ),
}


@pytest.mark.slow(8)
@pytest.mark.parametrize("page", HOSTILE)
def test_no_page_takes_the_browser_with_it(page):
    script, told = HOSTILE[page]
    done, after = use(
        ("open_page", {"url": "page.html"}),
        ("open_page", {"url": "b.html"}),
        shell=f"{FILES}; cat > page.html <<'END'\n<body>Hello<script>{script}</script>\nEND",
        time_limit_s=5.0,
    )
    assert any(each in done.text for each in told), done.text[:1000]
    assert len(done.text) < 70_000 and "forged" not in done.text
    assert "Second" in after.text and "xxx" not in after.text, after.text[:1000]


@pytest.mark.slow(4)
def test_an_error_between_two_calls_is_told_with_the_second_and_only_once():
    opened, _, later, last = use(
        ("open_page", {"url": "late.html"}),
        ("shell", {"command": "sleep 1.5"}),
        ("run_javascript", {"code": "document.title"}),
        ("run_javascript", {"code": "document.title"}),
        shell="echo '<script>console.error(1, 2); setTimeout(() => nowhere(), 1200)</script>' > late.html",
    )
    assert "[error on the page] 1 2\n" in opened.text and "nowhere" not in opened.text
    assert "nowhere is not defined" in later.text and "] 1 2\n" not in later.text
    assert "[error on the page]" not in last.text


@pytest.mark.slow(4)
def test_a_browser_that_was_killed_is_begun_anew():
    _, _, gone, after = use(
        ("open_page", {"url": "b.html"}),
        ("shell", {"command": "pkill -9 chrom"}),
        ("open_page", {"url": "b.html"}),
        ("open_page", {"url": "b.html"}),
    )
    assert gone.failed and "the next call begins with a new one" in gone.text and "Second" in after.text


LOOK = says(call("open_page", url="b.html"))


@pytest.mark.slow(4)
def test_the_model_and_the_record_get_the_picture():
    test = "x" >> AgentRun([Shell(), Browser()]) >> EqualEvaluator("ok")
    record, model = trial(test, sh("echo '<h1>Second' > b.html"), LOOK, "ok", model=True)
    assert record.outcome is Outcome.PASS, record.error
    (told,) = results(model, 2)
    assert "Second" in told.content and header(told.images[0]).width == 1024
    turn = [block for block in record.reason.children[-2].children if block.folded][1]
    (shown,) = [block for block in turn.children if block.kind == "image"]
    assert turn.title.startswith("turn 2: open_page: b.html (") and shown.data == told.images[0]


@pytest.mark.slow(4)
def test_a_resumed_agent_is_shown_what_it_was_shown(tmp_path):
    def run(*replies):
        async def work():
            model = ScriptedModel(*replies)
            async with open_pool("bubblewrap", ahead=0) as pool:
                journal = Journal(tmp_path / "run-1.journal")
                test = "x" >> AgentRun([Shell(), Browser()]) >> EqualEvaluator("ok")
                await has_what_it_needs(pool, test)
                record = await run_trial(Sample("t.Test", test), model, model, model, pool, journal=journal)
            return record, model

        return asyncio.run(work())

    moving = sh("echo \"<h1 id=h></h1><script>h.textContent = '$RANDOM$RANDOM'</script>\" > b.html")
    broken, first = run(moving, LOOK, asyncio.CancelledError())
    assert broken.outcome is Outcome.ERROR
    record, second = run("ok")
    assert record.outcome is Outcome.PASS and len(second.asked) == 1
    assert second.asked[0] == first.asked[2] and second.asked[0][-1].images


@pytest.mark.slow(4)
def test_pictures_end_where_no_request_would_hold_more(monkeypatch):
    monkeypatch.setattr("assay.language.agents.agent_run.MOST_PICTURES", 1)
    calls = [ToolCall(str(n), "open_page", json.dumps({"url": "b.html"})) for n in range(2)]
    test = "x" >> AgentRun([Shell(), Browser()]) >> EqualEvaluator("ok")
    made = sh("echo '<h1>Second' > b.html")
    _, model = trial(test, made, Completion("", calls=tuple(calls)), "ok", model=True)
    one, two = results(model, 2)
    assert one.images and not two.images and two.content.endswith("[no more pictures: 1 were shown]")
