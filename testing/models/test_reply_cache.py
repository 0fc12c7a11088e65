"""The cache of replies: what is one call, what is durable, and what a broken file does."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import ConfigError, ProviderError
from assay.models.cache import Cache, key_of, prompt_hash
from assay.models.model_registry import ModelRegistry
from assay.records import Completion, Message, Tool, ToolCall, TrialKey, Usage
from assay.results.spending import Spending
from assay.running.meter import Meter, MeteredModel
from testing.model_server import ModelServer
from testing.models.asking import QUICK, ask, llms_for

ROOT = Path(__file__).resolve().parents[2]
USER = (Message("user", "hi"),)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new folder" / "replies.sqlite"


def with_models(server, body, path, hparams={}, **settings):
    async def run():
        options = {"cache": path, "retry": QUICK, **settings}
        async with ModelRegistry(llms_for(server.url), hparams, **options) as models:
            return await body(models)

    return asyncio.run(run())


def test_every_part_of_a_call_is_part_of_its_key():
    def key(provider="p", model="m", parameters={"t": 0}, messages=USER, json=False, epoch=1):
        return key_of(provider, model, parameters, prompt_hash(messages, json), epoch)

    different = [
        key(),
        key(provider="q"),
        key(model="n"),
        key(parameters={"t": 1}),
        key(parameters={}),
        key(messages=(Message("system", "hi"),)),
        key(messages=(Message("user", "hi "),)),
        key(messages=(Message("user", "hi", (PNG,)),)),
        key(messages=(Message("user", "hi", (PNG + b"x",)),)),
        key(messages=(*USER, *USER)),
        key(json=True),
        key(epoch=2),
    ]
    assert len(set(different)) == len(different)
    assert key(parameters={"a": 1, "b": 2}) == key(parameters={"b": 2, "a": 1})


def test_a_second_run_asks_nothing_and_spends_nothing(server, path):
    first = ask(server, "openai/gpt-4o", cache=path)

    async def body(models):
        reply = await models.load("openai/gpt-4o").complete((Message("user", "2+2?"),))
        return reply, models.spent

    again, spent = with_models(server, body, path)
    assert (again.text, again.usage, again.cost) == (first.text, first.usage, first.cost)
    assert (again.cached, again.attempts, again.seconds) == (True, 0, 0.0)
    assert first.cost > 0
    assert spent == (Usage(), 0.0)
    assert server.stats()["requests"] == 1


def test_epochs_parameters_models_and_addresses_are_asked_anew(server, path):
    async def body(models):
        model = models.load("openai/m")
        for epoch in (1, 2, 1, 2):
            await model.for_trial(TrialKey("t", epoch)).complete(USER)
        await models.load("openai/n").complete(USER)

    with_models(server, body, path)
    assert server.stats()["requests"] == 3
    ask(server, "openai/m", "hi", cache=path, hparams={"temperature": 0.5})
    assert server.stats()["requests"] == 4
    with ModelServer() as other:
        assert not ask(other, "openai/m", "hi", cache=path).cached
        assert other.stats()["requests"] == 1


def test_identical_calls_in_flight_are_asked_once(server, path):
    async def body(models):
        model = models.load("openai/m")
        prompt = (Message("user", "[[slow s=0.2]] same"),)
        replies = await asyncio.gather(*(model.complete(prompt) for _ in range(8)))
        return replies, models.spent[0]

    replies, usage = with_models(server, body, path)
    assert len({reply.text for reply in replies}) == 1
    assert [reply.cached for reply in replies].count(False) == 1
    assert sum(reply.attempts for reply in replies) == 1
    assert usage == replies[0].usage
    assert server.stats()["requests"] == 1


def test_identical_calls_share_a_failure_and_it_is_forgotten(server, path):
    async def body(models):
        model = models.load("openai/m")
        prompt = (Message("user", "[[500 x3]]"),)
        failed = await asyncio.gather(*(model.complete(prompt) for _ in range(4)), return_exceptions=True)
        assert all(isinstance(each, ProviderError) for each in failed)
        assert server.stats()["requests"] == 3
        return await model.complete(prompt)

    assert not with_models(server, body, path).cached


def test_when_the_asking_caller_is_cancelled_another_asks(server, path):
    async def body(models):
        model = models.load("openai/m")
        prompt = (Message("user", "[[slow s=0.5]] x"),)
        first = asyncio.create_task(model.complete(prompt))
        await asyncio.sleep(0.1)
        second = asyncio.create_task(model.complete(prompt))
        await asyncio.sleep(0.1)
        first.cancel()
        return await asyncio.wait_for(second, 10)

    assert not with_models(server, body, path).cached
    assert server.stats()["requests"] == 2


def test_a_caller_cancelled_while_its_reply_is_kept_has_paid(server, path, tmp_path, monkeypatch):
    spending = Spending(tmp_path / "run-1.spent")

    async def body(models):
        came = asyncio.Event()

        async def put(*_):
            came.set()
            await asyncio.Future()

        monkeypatch.setattr(Cache, "put", put)
        call = asyncio.create_task(
            MeteredModel(models.load("openai/m"), Meter(), spending=spending).complete(USER)
        )
        await came.wait()
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        monkeypatch.undo()
        await MeteredModel(models.load("openai/m"), Meter(), spending=spending).complete(USER)

    with_models(server, body, path)
    assert spending.total().calls == server.stats()["requests"] == 2, "each once"
    spending.close()


def test_without_a_cache_every_call_is_asked(server):
    async def body(models):
        model = models.load("openai/m")
        await asyncio.gather(model.complete(USER), model.complete(USER))

    with_models(server, body, None)
    assert server.stats()["requests"] == 2


def test_dry_runs_see_what_is_new_without_a_key(server, path, monkeypatch, tmp_path):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ask(server, "openai/m", "hi", cache=path, hparams={"seed": 1})

    async def look():
        llms = {"openai": {"base_url": server.url + "/v1"}}
        async with ModelRegistry(llms, {"seed": 1}, cache=path, root=tmp_path) as models:
            key = TrialKey("t")
            return [
                models.cached("openai/m", USER, False, key),
                models.cached("openai/m", USER, True, key),
                models.cached("openai/m", USER, False, TrialKey("t", epoch=2)),
                models.cached("oracle", USER, False, key),
            ]

    assert asyncio.run(look()) == [True, False, False, True]


def test_a_dry_run_makes_no_cache(path):
    async def look():
        async with ModelRegistry({}, {}, cache=path) as models:
            return models.cached("openai/m", USER, False, TrialKey("t"))

    assert asyncio.run(look()) is False
    assert not path.exists()


DAMAGES = {
    "not a database": lambda path: path.write_bytes(b"this is no database at all" * 100),
    "cut in the middle": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "overwritten pages": lambda path: path.write_bytes(
        path.read_bytes()[:100] + os.urandom(path.stat().st_size - 100)
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_says_what_to_do_and_is_left_alone(server, path, damage):
    for i in range(30):
        ask(server, "openai/m", f"q{i} " + "x" * 2000, cache=path)
    DAMAGES[damage](path)
    before = path.read_bytes()
    asked = server.stats()["requests"]
    with pytest.raises(ConfigError, match="move it away"):
        for i in range(30):
            ask(server, "openai/m", f"q{i} " + "x" * 2000, cache=path)
    assert path.read_bytes() == before
    assert server.stats()["requests"] == asked


def test_a_cache_that_cannot_be_written_says_so(server, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="--no-cache"):
        ask(server, "openai/m", cache=tmp_path / "file" / "c.sqlite")


def test_a_full_disk_costs_no_reply(path, capsys):
    """They were paid for: trials get theirs, and a person is told once that a repeat would pay again."""

    async def run():
        cache = Cache(path)
        cache._write.execute("PRAGMA max_page_count = 10")  # SQLite then says that the disk is full
        for i in range(30):
            await cache.put(bytes([i]) * 32, "p", "m", b"prompt", 1, Completion("x" * 3000))
        kept = [i for i in range(30) if cache.get(bytes([i]) * 32)]
        cache._write.execute("PRAGMA max_page_count = 1000")
        await cache.put(b"k" * 32, "p", "m", b"prompt", 1, Completion("later"))
        later = cache.get(b"k" * 32)
        cache.close()
        return kept, later

    kept, later = asyncio.run(run())
    assert kept == list(range(len(kept))) and 0 < len(kept) < 10
    assert later.text == "later", "it is tried again: room may have been made"
    said = capsys.readouterr().err
    assert (
        said.count("cannot write to the cache") == 1
        and "disk is full" in said
        and "pay for them again" in said
    )


def test_a_cache_of_another_version_is_refused(server, path):
    ask(server, "openai/m", cache=path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ConfigError, match="has format 99"):
        ask(server, "openai/m", cache=path)


WRITER = """
    import asyncio, sys
    from pathlib import Path
    from assay.records import Message
    from assay.models.model_registry import ModelRegistry

    async def main(url, path, name):
        llms = {"openai": {"api_key": "some-long-key", "base_url": url + "/v1"}}
        async with ModelRegistry(llms, {}, cache=Path(path), max_connections=8) as models:
            model = models.load("openai/m")
            async def one(i):
                reply = await model.complete((Message("user", f"{name} {i}"),))
                print(i, flush=True)
            for start in range(0, 400, 8):
                await asyncio.gather(*(one(i) for i in range(start, start + 8)))

    asyncio.run(main(*sys.argv[1:]))
"""


def writer(url, path, name):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), url, str(path), name],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_what_a_killed_process_was_told_is_in_the_cache(path):
    """kill -9 in the middle: every reply that complete() returned is there, and the file is whole."""
    with ModelServer(latency=0.005) as server:
        child = writer(server.url, path, "killed")
        told = [child.stdout.readline() for _ in range(50)]
        os.kill(child.pid, signal.SIGKILL)
        told += child.stdout.readlines()
        child.stdout.close()
        child.wait(10)
        finished = {int(line) for line in told if line.endswith("\n")}
        assert 50 <= len(finished) < 400
        cache = Cache(path)
        for i in finished:
            prompt = prompt_hash((Message("user", f"killed {i}"),), False)
            assert cache.get(key_of("openai", "m", {}, prompt, 1, {"base_url": server.url + "/v1"})), i
        cache.close()
        seen = server.stats()["requests"]
        assert seen - len(finished) <= 8  # only what was in flight is lost


def test_several_processes_write_one_cache(path):
    with ModelServer() as server:
        children = [writer(server.url, path, name) for name in ("a", "b", "shared", "shared")]
        for child in children:
            output, _ = child.communicate(timeout=120)
            assert child.returncode == 0
            assert len(output.split()) == 400
        connection = sqlite3.connect(path)
        assert connection.execute("SELECT count(*) FROM replies").fetchone() == (1200,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()


def test_a_locked_cache_is_waited_for_without_stopping_the_loop(server, path):
    ask(server, "openai/m", "first", cache=path)
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")

    async def body(models):
        call = asyncio.create_task(models.load("openai/m").complete((Message("user", "second"),)))
        ticks, until = 0, time.monotonic() + 0.6
        while time.monotonic() < until:
            await asyncio.sleep(0.01)
            ticks += 1
        assert not call.done()  # paid for, but not durable yet
        assert ticks > 20
        blocker.execute("COMMIT")
        return await asyncio.wait_for(call, 20)

    assert not with_models(server, body, path).cached
    blocker.close()


def test_many_writes_are_few_commits(path):
    async def run():
        cache = Cache(path)
        commits = 0
        original = cache._write

        class Counting:
            def __enter__(self):
                return original.__enter__()

            def __exit__(self, *error):
                nonlocal commits
                commits += 1
                return original.__exit__(*error)

            executemany = property(lambda self: original.executemany)
            close = property(lambda self: original.close)

        cache._write = Counting()
        await asyncio.gather(
            *(cache.put(bytes([i]) * 32, "p", "m", b"prompt", 1, Completion("x" * 1000)) for i in range(200))
        )
        assert all(cache.get(bytes([i]) * 32) for i in range(200))
        cache.close()
        return commits

    assert asyncio.run(run()) < 40


def test_a_write_outlives_its_cancelled_caller(path):
    async def run():
        cache = Cache(path)
        put = asyncio.create_task(cache.put(b"k" * 32, "p", "m", b"h", 1, Completion("paid")))
        await asyncio.sleep(0)
        put.cancel()
        await asyncio.gather(put, return_exceptions=True)
        cache.close()
        again = Cache(path)
        found = again.get(b"k" * 32)
        again.close()
        return found

    assert asyncio.run(run()).text == "paid"


def test_what_is_put_just_before_the_end_is_kept(path):
    async def body():
        cache = Cache(path)
        waiting = asyncio.create_task(cache.put(b"k" * 32, "openai", "m", b"p" * 32, 1, Completion("kept")))
        await asyncio.sleep(0)  # it waits for the thread that writes, which was not yet told
        cache.close()
        await asyncio.wait_for(waiting, 10)

    asyncio.run(body())
    with closing(Cache(path)) as cache:
        assert cache.get(b"k" * 32).text == "kept"


def test_calls_and_reasoning_of_a_reply_come_back(tmp_path):
    call = ToolCall("c1", "get_weather", '{"city": "Oslo"}')
    reply = Completion(
        "", Usage(9, 5, 2, 4, 3), 0.1, finish_reason="tool_calls", calls=(call,), reasoning="hm", native="[]"
    )
    with closing(Cache(tmp_path / "c.sqlite")) as cache:
        asyncio.run(cache.put(b"k", "openai", "gpt", b"p", 1, reply))
    with closing(Cache(tmp_path / "c.sqlite")) as cache:
        found = cache.get(b"k")
    assert found == replace(reply, cached=True, attempts=0)


def test_tools_and_their_calls_are_part_of_what_was_asked():
    asked = (Message("user", "How warm is it?"),)
    tool, call = Tool("get_weather", "Says how warm it is."), ToolCall("c1", "get_weather")
    told = (*asked, Message("assistant", "", calls=(call,)), Message("tool", "12", call_id="c1"))
    others = (
        *asked,
        Message("assistant", "", calls=(call,)),
        Message("tool", "12", call_id="c1", failed=True),
    )
    hashes = {
        prompt_hash(asked, False),
        prompt_hash(asked, False, [tool]),
        prompt_hash(asked, False, [replace(tool, description="?")]),
        prompt_hash(told, False, [tool]),
        prompt_hash(others, False, [tool]),
        prompt_hash((*asked, Message("assistant", ""), Message("tool", "12")), False, [tool]),
    }
    assert len(hashes) == 6
    thought = (*asked, Message("assistant", "", calls=(call,), reasoning="hm", native="[]"), told[2])
    assert prompt_hash(thought, False) == prompt_hash(told, False)
