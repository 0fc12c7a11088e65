"""The tools of MCP servers that run in real sandboxes, behind the official client."""

import asyncio
import base64

import pytest

from assay.errors import NodeError
from assay.language.agents.mcp import Mcp
from assay.language.agents.mcp_server import ServerLost
from assay.language.agents.programs import Shell
from assay.records import Outcome
from evaluator import AgentRun, EqualEvaluator, Files
from testing.language.mcp_servers import server
from testing.language.pipeline import trial, works_here
from testing.language.test_agent_run import call, results, says, sh
from testing.language.test_agent_tools import workbench

pytest.importorskip("mcp")
pytestmark = pytest.mark.slow(6)  # to import the client takes most of it


def use(changes, *calls, sandbox="bubblewrap", **settings):
    """The tools that a server lists, and what came of calls (a tool's name and its arguments)."""
    works_here(sandbox)

    async def work():
        async with workbench(sandbox) as bench:
            await Shell().call(bench, command=f"cat > server.py <<'END'\n{server(*changes)}\nEND")
            tools = {
                each.tool.name: each for each in await Mcp("python3 server.py", **settings).opened(bench)
            }
            tools["shell"] = Shell()
            return tools, [await tools[name].call(bench, **given) for name, given in calls]

    return asyncio.run(work())


@pytest.mark.parametrize("sandbox", ["bubblewrap", "podman"])
def test_a_server_in_the_sandbox_has_tools(sandbox):
    tools, (sum_, wrong) = use((), ("add", {"a": 1, "b": 2}), ("add", {"c": 1}), sandbox=sandbox)
    assert (
        tools["add"].tool.description == "Does add."
        and '"required": ["a", "b"]' in tools["add"].tool.parameters
    )
    assert (sum_.text, sum_.failed) == ("3", False)
    assert wrong.failed and wrong.text == "error: no 'a'"


def test_results_of_every_kind_reach_the_model():
    kinds = """
TOOLS = [tool("look"), tool("fails"), tool("structured"), tool("linked")]
TOOLS += [tool("broken.picture", bench={}, self={})]
def call(name, given):
    if name == "look":
        picture = {"type": "image", "data": PNG, "mimeType": "image/png"}
        return {"content": [{"type": "text", "text": "a dot"}, picture]}
    if name == "fails":
        return text("it is on fire", isError=True)
    if name == "structured":
        return {"content": [], "structuredContent": {"x": [1, 2]}}
    if name == "linked":
        link = {"type": "resource_link", "uri": "file:///a.txt", "name": "a"}
        inside = {"type": "resource", "resource": {"uri": "file:///b.txt", "text": "b's text"}}
        return {"content": [link, inside, {"type": "audio", "data": "", "mimeType": "audio/wav"}]}
    return {"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}]}
"""
    names = ("look", "fails", "structured", "linked")
    calls = [*((name, {}) for name in names), ("broken_picture", {"bench": 1, "self": 2})]
    _, (look, fails, structured, linked, broken) = use((kinds,), *calls)
    assert look.text == "a dot" and look.images[0].startswith(b"\x89PNG")
    assert fails.failed and fails.text == "it is on fire"
    assert structured.text == '{"x": [1, 2]}'
    assert linked.text == "file:///a.txt\nfile:///b.txt\nb's text\n[audio was left out]"
    assert (
        not broken.images and broken.text == "[a picture was left out: it is neither PNG, JPEG, GIF nor WebP]"
    )


MISBEHAVING = {
    "crashes": ("sys.exit(3)", "it has ended (exit status 3"),
    "says why it crashes": ("raise ValueError('why')", "ValueError: why"),
    "hangs": ("import time; time.sleep(1000)", "within 2 s"),
    "prints garbage": (
        "print('[' * 100000); print('not JSON'); print('[]\\n{}\\n3', flush=True); return text('fine')",
        "fine",
    ),
    "sends megabytes": ("return text('x' * 3_000_000)", "characters left out"),
    "sends too many": (
        "sys.stdout.write('x' * 9_000_000); sys.stdout.flush()",
        "more than 8 MB in one message",
    ),
    "floods": (
        "\n    while True: send({'jsonrpc': '2.0', 'method': 'notifications/message', 'params': "
        "{'level': 'info', 'data': 'x' * 100000}})",
        "more than 32 MB at once",
    ),
    "answers nonsense": ("return {'content': 7}", "valid"),
    "closes its output": ("import os, time; os.close(1); time.sleep(1000)", "it closed its output"),
}


@pytest.mark.parametrize("how", MISBEHAVING)
def test_a_server_that_misbehaves_is_told_of_and_begun_anew(how):
    code, why = MISBEHAVING[how]
    bad = (
        "TOOLS += [tool('bad')]\nadd = call\ndef call(name, given):\n"
        f"    if name == 'add': return add(name, given)\n    {code}"
    )
    limit = 2.0 if how == "hangs" else 60.0
    _, (done, after) = use((bad,), ("bad", {}), ("add", {"a": 1, "b": 2}), time_limit_s=limit)
    assert why in done.text and len(done.text) < 40_000, done.text[:1000]
    assert after.text.splitlines()[0] == "3"


def test_a_server_that_is_killed_between_two_calls_is_begun_anew():
    add, kill = (
        ("add", {"a": 1, "b": 2}),
        ("shell", {"command": "pkill -9 -f 'python3 server.py'; sleep 0.2"}),
    )
    _, (_, _, *after) = use((), add, kill, add, add)
    assert "it has ended" in after[0].text and after[1].text.splitlines()[0] == "3"


UNUSABLE = {
    "a thousand tools": ("TOOLS = [tool(f't{n}') for n in range(1000)]", {}, "lists 1000 tools"),
    "endless pages": (
        "def listed(cursor): return {'tools': [], 'nextCursor': 'more'}",
        {},
        "more than 50 pages",
    ),
    "no answer": ("import time\ndef answer(method, params): time.sleep(1000)", {}, "30 s"),
    "no server": ("sys.exit('no such thing')", {}, "no such thing"),
    "no schema": (
        "TOOLS = [{'name': 'x', 'inputSchema': {'type': 'string'}}]",
        {},
        "tools.0.inputSchema.type",
    ),
    "not that tool": ("", {"only": ["sub"]}, "has no tool 'sub'; it has add"),
}


@pytest.mark.parametrize("why", UNUSABLE)
def test_a_server_that_cannot_be_used_is_told_of(why, monkeypatch):
    monkeypatch.setattr("assay.language.agents.mcp_server.PROBE_S", 40.0)
    change, settings, told = UNUSABLE[why]
    with pytest.raises(ServerLost, match=told):
        use((change,), **settings)


def test_of_a_thousand_tools_a_few_may_be_named():
    many = "TOOLS = [tool(f't{n}') for n in range(1000)]"
    tools, _ = use((many,), only=["t999", "t7"])
    assert list(tools) == ["t999", "t7", "shell"]


def test_schemas_of_results_are_not_executed():
    """The official client validates by them, and a pattern can take for ever."""
    slow = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}
    changes = (
        f"TOOLS[0]['outputSchema'] = {slow!r}",
        "def call(name, given): return {'content': [], 'structuredContent': {'x': 'a' * 40 + '!'}}",
    )
    _, (done,) = use(changes, ("add", {"a": 1, "b": 2}))
    assert "aaa!" in done.text


AGENT = Files({"server.py": server()}) >> "Add" >> AgentRun([Shell(), Mcp("python3 server.py")])


def test_an_agent_uses_the_tools_of_a_server():
    added = says(call("add", a=20, b=3))
    record, model = trial(AGENT >> EqualEvaluator("23"), added, "23", model=True)
    assert record.outcome is Outcome.PASS, record.error
    assert [each.name for each in model.tools[0]] == ["shell", "add"]
    assert [each.content for each in results(model, 1)] == ["23"]
    assert "asked scripted, with shell, add" in str(record.reason)


def test_a_server_that_does_not_start_is_the_tests_mistake():
    record = trial("x" >> AgentRun([Mcp("python3 nope.py")]), "done")
    assert record.outcome is Outcome.ERROR and "nope.py" in record.error and record.cause == "grader"


def test_one_that_an_agent_has_broken_is_not():
    record = trial(AGENT >> AgentRun([Mcp("python3 server.py")]), sh("rm server.py"), "done")
    assert record.outcome is Outcome.FAIL and "server.py" in record.why


def test_two_tools_of_one_name_are_told_of():
    twice = Files({"server.py": server("TOOLS[0]['name'] = 'shell'")})
    record = trial(twice >> "x" >> AgentRun([Shell(), Mcp("python3 server.py")]), "done")
    assert record.outcome is Outcome.ERROR and "two tools are called shell" in record.error


@pytest.mark.parametrize("wrong", [{"command": ""}, {"command": "x", "only": "add"}])
def test_what_cannot_be_is_told_when_the_test_is_loaded(wrong):
    with pytest.raises(NodeError, match="Mcp needs"):
        Mcp(**wrong)


def test_the_picture_is_one():
    from testing.language.mcp_servers import ANSWERS

    assert base64.b64decode(ANSWERS.split('PNG = "')[1].split('"')[0]).startswith(b"\x89PNG")
