"""AgentCommand: programs in a sandbox without network, with the trial's model."""

import json
import re

import pytest

from assay.errors import NodeError, ProviderError
from assay.records import Cause, Completion, Outcome, ToolCall, Usage
from evaluator import AgentCommand, LLMRun, SubstringEvaluator, TerminalRun
from testing.language.pipeline import text_of, trial

# A small agent of our own: it does what the model says until a reply calls nothing.
PROGRAM = r"""
import json, os, subprocess, sys, urllib.request
tool = {"type": "function", "function": {"name": "sh", "parameters": {"type": "object"}}}
messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    body = json.dumps({"model": "m", "messages": messages, "tools": [tool]}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    asked = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
    said = json.load(urllib.request.urlopen(asked))["choices"][0]["message"]
    messages.append(said)
    for call in said.get("tool_calls") or []:
        command = json.loads(call["function"]["arguments"])["command"]
        done = subprocess.run(command, shell=True, capture_output=True, text=True)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": done.stdout + done.stderr})
    if not said.get("tool_calls"):
        print(said["content"])
        break
"""
AGENT = f"cat > ../agent.py <<'END'\n{PROGRAM}\nEND\npython3 ../agent.py {{task}}"
AGENT = AGENT.replace("../agent.py", "/tmp/agent.py")


def shell(command, number=1):
    call = ToolCall(f"c{number}", "sh", json.dumps({"command": command}))
    return Completion("", Usage(100, 10, cached_tokens=50), 0.25, calls=(call,), finish_reason="tool_calls")


DONE = Completion("I am done.", Usage(200, 5), 0.5, finish_reason="stop")


def test_a_program_works_with_the_trials_model_and_its_files_are_judged():
    test = "It's 6 times 7" >> AgentCommand(AGENT) >> SubstringEvaluator("I am done.")
    record, model = trial(test, shell("echo $((6 * 7)) > answer.txt; cat answer.txt"), DONE, model=True)
    assert record.outcome is Outcome.PASS, text_of(record.reason)
    assert (record.calls, record.cost, record.usage) == (2, 0.75, Usage(300, 15, cached_tokens=50))
    assert model.asked[0][0].content == "It's 6 times 7"
    assert [message.content for message in model.asked[1]][-1] == "42\n"
    assert "echo $((6 * 7))" in text_of(record.reason)


LEFT = "setsid bash -c 'sleep 0.5; while true; do echo forged > answer.txt; done' >/dev/null 2>&1 & "


def test_nothing_that_a_program_left_running_reaches_the_verdict():
    command = f"{LEFT} echo right > answer.txt; echo 'sleep 1; cat answer.txt'"
    record = trial("task" >> AgentCommand(command) >> TerminalRun() >> SubstringEvaluator("right"))
    assert record.outcome is Outcome.PASS, text_of(record.reason)


def test_no_key_and_no_network_are_inside():
    look = "env | grep -i key; timeout 3 bash -c 'echo > /dev/tcp/1.1.1.1/80' && echo ONLINE; true"
    record = trial("task" >> AgentCommand(look) >> ~SubstringEvaluator("ONLINE"))
    assert record.outcome is Outcome.PASS
    shown = text_of(record.reason)
    assert set(re.findall(r"KEY=([a-z-]+)", shown)) == {"no-key-is-needed-here"}


def test_calls_beyond_the_limit_are_refused_and_the_report_says_so():
    replies = [shell("true", number) for number in range(3)]
    record = trial("task" >> AgentCommand(AGENT, max_calls=2) >> SubstringEvaluator("I am done."), *replies)
    assert (record.outcome, record.calls, record.cause) == (Outcome.FAIL, 2, Cause.OUT_OF_TURNS)
    assert "1 further call was refused" in text_of(record.reason)


def test_text_that_no_provider_takes_is_replaced():
    body = r'{"model": "m", "messages": [{"role": "user", "content": "a\ud800b \ud83d\ude00"}]}'
    address = 'os.environ["OPENAI_BASE_URL"] + "/chat/completions"'
    ask = f'python3 -I -c \'import os, urllib.request as u; u.urlopen({address}, rb"""{body}""")\''
    _, model = trial("x" >> AgentCommand(ask), DONE, model=True)
    assert model.asked[0][0].content == "a?b \N{GRINNING FACE}"


PARALLEL = r"""
import json, os, threading, urllib.request
def ask():
    body = json.dumps({"messages": [{"role": "user", "content": "hi"}]}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body)
    try:
        found.append(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
    except urllib.error.HTTPError as error:
        found.append(error.code)
found = []
threads = [threading.Thread(target=ask) for _ in range(40)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sorted(map(str, found)))
"""
AT_ONCE = f"cat > /tmp/at_once.py <<'END'\n{PARALLEL}\nEND\npython3 /tmp/at_once.py"


@pytest.mark.parametrize("allowed", [3, 40])
def test_calls_side_by_side_are_all_answered_or_refused(allowed):
    node = AgentCommand(AT_ONCE, max_calls=allowed, time_limit_s=30)
    wanted = str(["400"] * (40 - allowed) + ["I am done."] * allowed)
    record = trial("task" >> node >> SubstringEvaluator(wanted), *[DONE] * allowed)
    assert (record.outcome, record.calls) == (Outcome.PASS, allowed), text_of(record.reason)[-500:]


def test_a_provider_that_fails_is_an_error_and_no_verdict():
    record = trial("task" >> AgentCommand(AGENT) >> SubstringEvaluator("x"), ProviderError("it is down"))
    assert (record.outcome, record.cause) == (Outcome.ERROR, Cause.PROVIDER)
    assert "it is down" in record.error


def test_a_program_that_recovers_from_an_error_is_judged():
    twice = AGENT.replace("python3 /tmp", "python3 /tmp/agent.py x 2>/dev/null; python3 /tmp")
    record = trial("task" >> AgentCommand(twice) >> SubstringEvaluator("done"), ProviderError("down"), DONE)
    assert record.outcome is Outcome.PASS, record.error


def test_a_program_that_stops_the_relay_harms_itself_alone():
    of_relay = "for each in /proc/[0-9]*; do grep -q 'setra[w]' $each/cmdline && kill -9 ${each#/proc/}; done"
    stop = (
        f"{of_relay}; sleep 0.3; ! echo > /dev/tcp/127.0.0.1/${{OPENAI_BASE_URL//[^0-9]/}} ; echo still here"
    )
    record = trial("task" >> AgentCommand(stop) >> SubstringEvaluator("still here"))
    assert record.outcome is Outcome.PASS, record.error


@pytest.mark.parametrize("command", ["no-such-agent {task}", "touch program; ./program"])
def test_a_program_that_cannot_be_started_is_no_failure_of_the_model(command):
    record = trial("work" >> AgentCommand(command) >> SubstringEvaluator("done"))
    assert record.outcome is Outcome.ERROR
    assert "asked the model nothing" in record.why and "layer" in record.why
    test = "work" >> LLMRun() >> AgentCommand("python3 missing.py || exit 127") >> SubstringEvaluator("done")
    assert trial(test, "I wrote nothing.").outcome is Outcome.FAIL, "the model may have written the program"


def test_a_program_that_hangs_is_stopped():
    record = trial("task" >> AgentCommand("sleep 60", time_limit_s=1) >> SubstringEvaluator("x"))
    assert (record.outcome, record.cause) == (Outcome.FAIL, Cause.TIMED_OUT)


@pytest.mark.parametrize("wrong", [{"command": " "}, {"command": 3}, {"command": "x", "max_calls": 0}])
def test_what_cannot_be_a_command_is_refused(wrong):
    with pytest.raises(NodeError):
        AgentCommand(**wrong)
