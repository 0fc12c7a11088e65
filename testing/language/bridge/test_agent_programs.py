"""Agent programs that people use, in a layer of the image, each speaking its own API to the trial's model."""

# ruff: noqa: E501 - scripts read best in one piece

import json
import re
import subprocess
import sys

import pytest

from testing.harness.commanding import ROOT, Workspace
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.sandboxes.conftest import probed

PAGE = (ROOT / "docs/agents.md").read_text()
LAYERS = {
    "mini-swe-agent": {"pip": ["mini-swe-agent==2.4.6", "mcp"]},
    "codex": {"npm": ["@openai/codex@0.169.0"]},
}
PRICES = {"input": 2.0, "output": 10.0}  # US dollars for a million tokens
FINISH = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"  # what mini-swe-agent waits for

# What each test does with the program: (tool of the program, its argument), the words of the page.
PROGRAMS = {
    "mini-swe-agent": ("bash", "command"),
    "codex": ("exec_command", "cmd"),
}

TEST = """
files = {
    "add.py": "def add(a, b):\\n    return a - b\\n",
    "test_add.py": "from add import add\\nassert add(2, 3) == 5\\n",
}


def adds():
    import importlib.util, subprocess
    command = ["python3", "-c", "from add import add; print(add(20, 3))"]
    done = subprocess.run(command, capture_output=True, text=True)
    clean = not any(map(importlib.util.find_spec, ("litellm", "minisweagent")))
    return done.stdout == "23\\n" and clean, done.stdout + done.stderr


TestMend = (
    Files(files)
    >> "python3 test_add.py fails. Find out why and mend the cause, not the test."
    >> %s
    >> PyEvaluator(adds)
)
"""

# The model's first order: mend, and look for what must not be there.
LOOK = """python3 test_add.py 2> /dev/null || sed -i s/-/+/ add.py; python3 test_add.py && echo MENDED
python3 -c 'import numpy' && echo "Python of the image"
env | grep KEY
python3 - <<'END'
import glob, os
files = [os.path.join(above, name) for top in ("/home", "/tmp", "/usr/src") for above, _, names in os.walk(top) for name in names]
files = [*filter(os.path.isfile, files), *glob.glob("/proc/[0-9]*/environ"), *glob.glob("/proc/[0-9]*/cmdline")]
def have(word):
    for name in files:
        try:
            if word in open(name, "rb").read():
                yield name
        except OSError:
            pass
print("the search finds" if list(have(b"no-key-" + b"is-needed")) else "", *("LEAK " + name for name in have(b"sk-local-" + b"secret")))
END
for each in 1.1.1.1/443 127.0.0.1/%d; do
    timeout 2 bash -c "echo > /dev/tcp/$each" && echo "REACHED $each"
done 2> /dev/null
echo looked"""


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    """Built as the image itself is, from the same mirrors, and kept for the next time."""
    probed("podman")
    file = tmp_path_factory.mktemp("layers") / "config.json"
    file.write_text(json.dumps({"layers": LAYERS}))
    command = [sys.executable, str(ROOT / "main.py"), "image", "--config", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stderr[-3000:]


def expression(program):
    """The AgentCommand of that program, as the page has it."""
    word = "mini" if program == "mini-swe-agent" else program
    [found] = re.findall(rf'^```\n(AgentCommand\(\n    "{word} .*?)^```', PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def called(tool, argument, command, number):
    call = {"name": tool, "arguments": json.dumps({argument: command})}
    calls = [{"id": f"call_{number}", "type": "function", "function": call}]
    message = {"role": "assistant", "content": "I look.", "tool_calls": calls}
    return Reply(
        "I look.", extra={"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    )


@pytest.mark.slow(60)
@pytest.mark.timeout(1800)  # the first one builds the layers
@pytest.mark.parametrize("sandbox", ["bubblewrap", "podman"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_mends_a_file_without_network_and_key_and_each_call_is_metered(config, tmp_path, program, sandbox):
    tool, argument = PROGRAMS[program]

    def reply(asked):
        results = [each for each in asked.body["messages"] if each["role"] == "tool"]
        if not results:
            return called(tool, argument, LOOK % server.port, 1)
        return called(tool, argument, FINISH, 2) if tool == "bash" else Reply("The sign was wrong.")

    with ModelServer(reply=reply) as server:
        work = Workspace(tmp_path / "w", server, layers=LAYERS)
        path = work.folder / "config.json"
        settings = json.loads(path.read_text())
        settings["llms"]["local"]["prices"] = {"*": PRICES}
        path.write_text(json.dumps(settings))
        work.test_file("mend", TEST % expression(program))
        work.main("--run-tests", "--model", "local/model", "--sandbox", sandbox, timeout=300)
        [record] = work.lines()
        said = [part for asked in server.asked for part in asked.body["messages"] if part["role"] == "tool"]
        calls = server.stats()["requests"]
    assert record["outcome"] == "pass", json.dumps(record)[-4000:]
    assert record["sandbox"].startswith(sandbox)
    shown = str(said[0]["content"])
    assert "MENDED" in shown and "Python of the image" in shown
    assert "the search finds" in shown and "looked" in shown
    assert "LEAK" not in shown and "REACHED" not in shown
    assert "KEY=no-key-is-needed-here" in shown and "sk-local-secret" not in json.dumps(record)
    assert record["calls"] == calls == 2
    read, written = record["usage"][:2]
    assert read > 100 and written > 0
    wanted = (read * PRICES["input"] + written * PRICES["output"]) / 1e6
    assert record["cost"] == pytest.approx(wanted)


def test_the_page_has_the_layers_that_are_tested():
    assert all(f"{json.dumps(name)}: {json.dumps(each)}" in PAGE for name, each in LAYERS.items())
