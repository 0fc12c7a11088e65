"""Models that ask no provider: a person at the terminal, and a recorded run."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import pty
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from assay.errors import ConfigError, ProviderError
from assay.models.human import Human
from assay.models.model_registry import ModelRegistry
from assay.models.provider import Call
from assay.records import Message, Tool, TrialKey
from testing.models.asking import QUICK, ask, llms_for

ROOT = Path(__file__).resolve().parents[2]
PNG = b"\x89PNG\r\n\x1a\nabc"

PERSON = """
    import asyncio, sys
    from assay.records import Message
    from assay.models.model_registry import ModelRegistry

    PNG = b"\\x89PNG\\r\\n\\x1a\\nabc"

    async def main():
        async with ModelRegistry({}, {}, cache=None) as models:
            model = models.load("human")
            both = await asyncio.gather(
                model.complete((Message("user", "first \\x1b[2J question", (PNG,)),)),
                model.complete((Message("user", "second question"),), json=True),
            )
            for reply in both:
                print(repr(reply.text), reply.cost, flush=True)

    asyncio.run(main())
"""


def person(**streams):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(PERSON)], cwd=ROOT, **streams)


def test_answers_piped_in():
    with person(stdin=-1, stdout=-1, stderr=-1) as child:
        out, err = child.communicate(b"line one\n  line two\n.\nlast\n", timeout=60)
    assert out.decode().splitlines() == [repr("line one\n  line two") + " 0.0", repr("last") + " 0.0"]
    shown = err.decode()
    assert shown.index("first ?[2J question") < shown.index("second question")
    assert "\x1b" not in shown
    assert "Reply with one JSON object" in shown
    path = Path(shown.partition("[image: ")[2].partition("]")[0])
    try:
        assert path.read_bytes() == PNG
        assert path.suffix == ".png"
        assert path.parent.stat().st_mode & 0o077 == 0
    finally:
        path.unlink()
        path.parent.rmdir()


def test_a_person_may_call_tools():
    typed = io.StringIO(
        'I look.\n{"call": "shell", "arguments": {"command": "ls"}}\n{"call": "look"}\n{no call\n.\nDone.\n'
    )
    shown = io.StringIO()
    person, tools = Human(typed, shown), (Tool("shell", "Runs \x1b a command.", '{"type": "object"}'),)

    async def both():
        first = await person.ask(Call("human", (Message("user", "Mend it."),), {}, tools=tools))
        result = Message("tool", "x.py", call_id=first.calls[0].id)
        return first, await person.ask(Call("human", (first.turn, result), {}, tools=tools))

    first, last = asyncio.run(both())
    assert first.text == "I look.\n{no call"
    assert [(call.name, call.arguments) for call in first.calls] == [
        ("shell", '{"command": "ls"}'),
        ("look", "{}"),
    ]
    assert (last.text, last.calls) == ("Done.", ())
    said = shown.getvalue()
    assert '--- tool shell ---\nRuns ? a command.\narguments: {"type": "object"}' in said
    assert '[called shell: {"command": "ls"}]' in said and "--- tool ---\nx.py" in said


def test_no_more_answers_is_an_error():
    with person(stdin=-1, stdout=-1, stderr=-1) as child:
        _, err = child.communicate(b"only one\n.\n", timeout=60)
    assert child.returncode != 0
    assert "standard input has ended" in err.decode()


def test_ctrl_d_ends_an_answer_on_a_terminal_and_ctrl_c_ends_the_run():
    ours, theirs = pty.openpty()
    with person(stdin=theirs, stdout=-1, stderr=-1, start_new_session=True) as child:
        os.close(theirs)
        try:
            wait_for(child.stderr, b"Ctrl-D")
            os.write(ours, b"typed\n\x04")
            wait_for(child.stderr, b"second question")
            time.sleep(0.2)
            began = time.monotonic()
            child.send_signal(2)  # while it waits for the second answer
            child.wait(20)
            assert time.monotonic() - began < 10
        finally:
            child.kill()
            os.close(ours)
        child.stderr.read()


def wait_until(true):
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


def wait_for(stream, marker):
    os.set_blocking(stream.fileno(), False)
    seen, until = b"", time.monotonic() + 60
    while marker not in seen:
        assert time.monotonic() < until, seen
        seen += stream.read() or b""
        time.sleep(0.02)
    os.set_blocking(stream.fileno(), True)


# ---------------------------------------------------------------- replay


def test_replay_gives_a_recorded_runs_answers_whatever_the_parameters(server, tmp_path):
    path = tmp_path / "c.sqlite"
    first = ask(server, "openai/m", "q", cache=path, hparams={"temperature": 0.3})
    picture = ask(server, "openai/m", "q", images=(PNG,), cache=path)
    seen = server.stats()["requests"]
    assert ask(server, "replay/openai/m", "q", cache=path).text == first.text
    assert ask(server, "replay/openai/m", "q", images=(PNG,), cache=path).text == picture.text
    assert ask(server, "replay/openai/m", "q", cache=None, replay=path).text == first.text
    assert server.stats()["requests"] == seen
    reply = ask(server, "replay/openai/m", "q", cache=path)
    assert (reply.cached, reply.attempts) == (True, 0)


def test_replay_resolves_bare_names(server, tmp_path):
    path = tmp_path / "c.sqlite"
    first = ask(server, "openai/gpt-4o", "q", cache=path)
    assert ask(server, "replay/gpt-4o", "q", cache=path).text == first.text


@pytest.mark.parametrize("change", [{"prompt": "other"}, {"json": True}, {"images": (PNG,)}])
def test_replay_of_what_was_never_asked_is_an_error(server, tmp_path, change):
    path = tmp_path / "c.sqlite"
    ask(server, "openai/m", "q", cache=path)
    with pytest.raises(ProviderError, match=r"has no reply of .* in epoch 1"):
        ask(server, "replay/openai/m", **{"prompt": "q", **change}, cache=path)


def test_replay_keeps_epochs_apart(server, tmp_path):
    path = tmp_path / "c.sqlite"
    ask(server, "openai/m", "q", cache=path)

    async def run():
        async with ModelRegistry(llms_for(server.url), {}, cache=path, retry=QUICK) as models:
            model = models.load("replay/openai/m")
            assert model.name == "replay/openai/m"
            await model.for_trial(TrialKey("t", 1)).complete((Message("user", "q"),))
            with pytest.raises(ProviderError, match="epoch 2"):
                await model.for_trial(TrialKey("t", 2)).complete((Message("user", "q"),))

    asyncio.run(run())


def test_replay_without_a_cache_says_so(server):
    with pytest.raises(ConfigError, match="--no-cache"):
        ask(server, "replay/openai/m", "q", cache=None)


@contextlib.contextmanager
def human_and_input():
    """A person at a pipe: what they type goes into the second."""
    reads, writes = os.pipe()
    with os.fdopen(reads, encoding="utf-8", newline="") as typed:
        try:
            yield Human(typed, io.StringIO()), writes
        finally:
            os.close(writes)


CALL = Call("human", (Message("user", "q"),), {}, False)


def test_bytes_that_are_no_text_are_an_error_at_once():
    async def main():
        with human_and_input() as (human, typed):
            os.write(typed, b"na\xefve\n.\n")
            with pytest.raises(ProviderError, match="cannot read standard input: UnicodeDecodeError"):
                await asyncio.wait_for(human.ask(CALL), 20)

    asyncio.run(main())


def test_an_answer_goes_to_the_question_that_is_asked_now():
    """The one before was given up, its time was over; what had been typed for it goes with it."""

    async def main(human, typed):
        first = asyncio.create_task(human.ask(CALL))
        await asyncio.sleep(0)
        os.write(typed, b"half of\n")
        await asyncio.to_thread(wait_until, lambda: human._asked.lines)
        first.cancel()
        second = asyncio.create_task(human.ask(CALL))
        await asyncio.sleep(0.05)
        os.write(typed, b"the second\n.\n")
        assert (await asyncio.wait_for(second, 20)).text == "the second"
        third = asyncio.create_task(human.ask(CALL))
        os.write(typed, b"the third\n.\n")
        assert (await asyncio.wait_for(third, 20)).text == "the third"

    with human_and_input() as streams:
        asyncio.run(main(*streams))
