"""What was compiled before is taken from outside of the sandboxes, and no program has a hand in it."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from assay.errors import ModelFault, SandboxError
from assay.language.languages import LANGUAGES
from assay.records import ExecResult, Limits, Outcome, builder
from assay.running.compiled import Compiled, Step
from assay.running.memo import MemoSandbox, first_link, open_memo
from assay.running.trial import TrialOptions, run_trial
from assay.running.value_store import ValueStore
from assay.sandboxes.backends import registry
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import CRun, ExtractCode, LLMRun, SubstringEvaluator, make_c_test
from testing.harness.standins import ScriptedModel, ScriptedPool
from testing.language.pipeline import text_of
from tests.euler.execution import recipe_for

WHERE = first_link("scripted", "", Limits())
BUILD = ("sh", "-c", "cc main.c")
SOURCES = {"main.c": b"int main() {}"}


@pytest.fixture
def memo(tmp_path):
    made = open_memo(tmp_path / "cache", pytest.fail)
    yield made
    made.close()


class Pool(ScriptedPool):
    """Its sandboxes say that they keep programs in, and what they hold after a build."""

    isolated = True

    def __init__(self, *results, tree=b"tree"):
        answers = iter(results)
        super().__init__(lambda argv, files: next(answers, b"built"))
        self.tree = tree

    async def acquire(self):
        sandbox = await super().acquire()
        sandbox.pack = self.pack
        return sandbox

    async def pack(self, only=()):
        await asyncio.sleep(0)
        if isinstance(self.tree, Exception):
            raise self.tree
        return self.tree


def session(memo, pool, *steps, where=WHERE):
    """Steps in one sandbox of a test that is not deterministic: nothing but what was compiled is known."""

    async def go():
        box = MemoSandbox(memo, pool.acquire, "scripted", os.urandom(32), known=False, where=where)
        try:
            return [await step(box) for step in steps]
        finally:
            await box.close()

    return asyncio.run(go())


def build(argv=BUILD, files=SOURCES, time_limit_s=60.0):
    return lambda box: builder(box)(argv, files=files, time_limit_s=time_limit_s)


def other_command(box):
    return box.run(("./main",))


# ------------------------------------------------------------ when it is used


def test_what_was_built_is_put_there_and_says_so(memo):
    first = Pool(ExecResult(b"", b"main.c: a warning", 0, seconds=2.5))
    assert session(memo, first, build())[0].from_cache is False
    second = Pool()
    (again,) = session(memo, second, build())
    assert (again.from_cache, again.stderr, again.seconds) == (True, b"main.c: a warning", 2.5)
    assert second.opened[0].ran == [("unpack", b"tree")], "no compiler has run"


@pytest.mark.parametrize(
    "other",
    [
        build(argv=("sh", "-c", "cc -O2 main.c")),
        build(files={"main.c": b"int main(){}"}),
        build(files={**SOURCES, "other.h": b""}),
        build(time_limit_s=1.0),
    ],
)
def test_whatever_a_compiler_depends_on_is_in_the_key(memo, other):
    session(memo, Pool(), build())
    assert not session(memo, Pool(), other)[0].from_cache
    assert session(memo, Pool(), build())[0].from_cache


@pytest.mark.parametrize(
    "where",
    [
        first_link("podman", "", Limits()),
        first_link("scripted", "sha256:1", Limits()),
        first_link("scripted", "", Limits(memory=8 << 20)),
    ],
)
def test_so_is_the_sandbox(memo, where):
    session(memo, Pool(), build())
    assert not session(memo, Pool(), build(), where=where)[0].from_cache


@pytest.mark.parametrize(
    "result",
    [
        ExecResult(b"", b"main.c:1: error", 1),
        ExecResult(b"", b"", None, timed_out=True),
        ExecResult(b"", b"", -9),
        ExecResult(b"", b"", 0, out_of_memory=True),
        ExecResult(b"", b"[killed: more than 256 processes]\n", 0),
        ExecResult(b"", b"", 0, truncated=True),
        SandboxError("the agent died"),
    ],
)
def test_what_may_be_the_machines_doing_is_tried_again(memo, result):
    pool = Pool(result)
    try:
        session(memo, pool, build())
    except SandboxError:
        assert isinstance(result, SandboxError)
    assert not session(memo, pool, build())[0].from_cache
    assert session(memo, pool, build())[0].from_cache


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (BUILD, b"puts(__TIME__);"),
        (BUILD, b"puts(__DATE__);"),
        (BUILD, b"puts(__TIMESTAMP__);"),
        (("sh", "-c", "cc -march=native main.c"), b""),
    ],
)
def test_what_depends_on_the_moment_or_the_processor_is_built_each_time(memo, argv, text):
    for _ in range(2):
        assert not session(memo, Pool(), build(argv, {"main.c": text}))[0].from_cache


@pytest.mark.parametrize(
    "earlier",
    [other_command, lambda box: box.start(("shell",)), lambda box: box.unpack(b"files")],
)
def test_only_a_pristine_sandbox_fills_it_or_is_filled(memo, earlier):
    session(memo, Pool(), earlier, build())
    assert not session(memo, Pool(), build())[0].from_cache, "nothing was kept"
    assert not session(memo, Pool(), earlier, build())[1].from_cache, "and nothing was taken"


def test_a_command_between_the_compiler_and_the_look_at_its_files_spoils_them(memo):
    async def both(box):
        return await asyncio.gather(build()(box), other_command(box))

    session(memo, Pool(), both)
    assert not session(memo, Pool(), build())[0].from_cache


def test_it_is_done_without_where_programs_are_not_kept_in(memo):
    names = {name: registry.backend(name) for name in registry.BACKENDS}
    assert [name for name, each in names.items() if not getattr(each, "isolated", False)] == ["unsafe_local"]
    test = "q" >> LLMRun() >> CRun() >> SubstringEvaluator("built")
    pool = Pool()
    for isolated, cached in ((False, []), (False, []), (True, []), (True, ["unpack"])):
        pool.isolated = isolated
        models = [ScriptedModel("int main() {}")] * 3
        record = asyncio.run(run_trial(Sample("t", test), *models, pool, options=TrialOptions(memo=memo)))
        assert record.outcome is Outcome.PASS
        assert [step[0] for step in pool.opened[-1].ran if step[0] == "unpack"] == cached


def test_too_much_to_keep_costs_nothing_but_time(memo, monkeypatch):
    monkeypatch.setattr("assay.running.compiled.LARGEST", 1000)
    for tree in (bytes(1001), ModelFault("too much")):
        for _ in range(2):
            assert not session(memo, Pool(tree=tree), build())[0].from_cache


def test_what_cannot_be_put_there_is_not_the_models_fault(memo):
    session(memo, Pool(), build())
    pool = Pool()

    async def acquire():
        sandbox = await ScriptedPool.acquire(pool)

        async def refuse(data):
            raise ModelFault("disk full")

        sandbox.unpack = refuse
        return sandbox

    pool.acquire = acquire
    with pytest.raises(SandboxError, match="results of the compiler"):
        session(memo, pool, build())


# ------------------------------------------------------------ where it is kept


def test_nobody_else_can_read_or_write_it(tmp_path, memo):
    for path in (tmp_path / "cache").glob("*.sqlite*"):
        assert path.stat().st_mode & 0o777 == 0o600, path


@pytest.mark.parametrize("name", ["compiled.sqlite", "compiled.sqlite-wal", "."])
def test_what_others_can_write_is_not_used_and_that_is_said(tmp_path, name):
    """A log that is put beside the file would be read as what was written last."""
    if name != ".":
        (tmp_path / name).touch()
    (tmp_path / name).chmod(0o777)
    complaints = []
    memo = open_memo(tmp_path, complaints.append)
    assert memo.compiled is None and "can write into" in complaints[0]
    for _ in range(2):
        assert not session(memo, Pool(), build())[0].from_cache
    memo.close()


@pytest.mark.parametrize("at", [0, 40, -1])
def test_a_damaged_entry_is_none(memo, at):
    session(memo, Pool(), build())
    kept = memo.compiled._kept
    ((key, value),) = kept._db.execute("SELECT key, value FROM steps").fetchall()
    damaged = bytearray(value)
    damaged[at] ^= 1
    kept.put(key, bytes(damaged))
    assert not session(memo, Pool(), build())[0].from_cache
    assert session(memo, Pool(), build())[0].from_cache, "and was written anew"
    kept.put(key, value[:10])
    assert not session(memo, Pool(), build())[0].from_cache


def test_an_entry_under_another_key_is_none(memo):
    session(memo, Pool(), build())
    session(memo, Pool(), build(files={"main.c": b"other"}))
    memo.compiled._kept._db.execute("UPDATE steps SET value = (SELECT value FROM steps ORDER BY key LIMIT 1)")
    found = [
        session(memo, Pool(), build(files=files))[0].from_cache for files in (SOURCES, {"main.c": b"other"})
    ]
    assert sorted(found) == [False, True]


def test_the_oldest_go_also_while_it_is_open(tmp_path):
    kept = ValueStore(tmp_path / "kept.sqlite", 400_000)
    for number in range(200):
        kept.put(b"%d" % number, bytes(10_000))
        used, free, size = (
            kept._db.execute(f"PRAGMA {fact}").fetchone()[0]
            for fact in ("page_count", "freelist_count", "page_size")
        )
        assert (used - free) * size < 600_000
    assert kept.get(b"199") is not None and kept.get(b"0") is None
    kept.close()


WRITER = """
import asyncio, sys
from pathlib import Path
from assay.running.compiled import Compiled
from assay.records import ExecResult
async def main():
    compiled = Compiled(Path(sys.argv[1]))
    for number in range(10**9):
        name = b"%d" % (number % 50)
        await compiled._keep(name, ExecResult(name, b"", 0), name * 50_000)
        print(number, flush=True)
asyncio.run(main())
"""


def test_two_runs_at_once_and_kill_9_leave_whole_entries(tmp_path):
    path = tmp_path / "compiled.sqlite"
    Compiled(path).close()
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) for _ in range(2)
    ]
    for writer in writers:
        while int(writer.stdout.readline()) < 60:
            pass
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
    compiled = Compiled(path)
    for number in range(50):
        result, tree = compiled._recall(b"%d" % number)
        assert result.stdout == b"%d" % number and tree == b"%d" % number * 50_000
    compiled.close()


# ------------------------------------------------------------ in real sandboxes

VANDAL = """
for each in $(find . -type f); do
    rm -f $each; printf '#!/bin/sh\\necho forged\\n' > $each; chmod 755 $each
done
touch left; mkdir -p "$HOME/bin" "$HOME/.cargo"; printf '#!/bin/sh\\nexit 1\\n' > "$HOME/bin/gcc"
cp "$HOME/bin/gcc" gcc; chmod 755 gcc "$HOME/bin/gcc"
for tool in gcc g++ rustc javac esbuild go; do cp gcc "$(command -v $tool)" 2>/dev/null; done; true
"""
JAVA = recipe_for("java", "class A { public static void main(String[] a) { System.out.println(new Object() {"
                  ' public String toString() { return "hello"; } }); } }')  # fmt: skip
PROGRAMS = {
    name: ({row.filename: row.hello.encode()}, row.build, row.run)
    for name, row in LANGUAGES.items()
    if row.build
} | {"java": ({JAVA.filename: JAVA.source.encode()}, JAVA.build, JAVA.run)}


@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=pytest.mark.slow(9)) if each == "cpp" else each for each in PROGRAMS],
)
def test_a_program_cannot_change_what_its_source_becomes_the_next_time(memo, language):
    files, make, start = PROGRAMS[language]

    async def go():
        seen = []
        async with open_pool("bubblewrap", ahead=0) as pool:
            if await pool.missing(LANGUAGES[language].needs):
                pytest.skip(f"no {language} here")
            assert pool.isolated
            where = first_link(pool.tier, pool.identity, pool.limits)
            for _ in range(3):
                box = MemoSandbox(memo, pool.acquire, pool.tier, os.urandom(32), known=False, where=where)
                built = await box.build(("sh", "-c", make), files=files, time_limit_s=60)
                assert built.returncode == 0, built.output
                there = await box.run(("sh", "-c", "ls; ls -A ~"))
                ran = await box.run(("sh", "-c", start))
                seen.append((built.from_cache, there.stdout, ran.stdout))
                await box.run(("sh", "-c", VANDAL))
                assert b"forged" in (await box.run(("sh", "-c", "cat *"))).stdout, "the attack took place"
                await box.close()
        return seen

    first, *others = asyncio.run(go())
    assert first[0] is False and first[2] == b"hello\n"
    assert others == [(True, *first[1:])] * 2


HOSTILE = """#include <stdio.h>
#include <stdlib.h>
int main(void) {
    FILE *left = fopen("left", "r");
    puts(left ? "forged" : "honest");
    return system("touch left; rm -f main main.c; "
                  "printf '#!/bin/sh\\\\necho forged\\\\n' > main; chmod 755 main");
}"""


def trials(memo, test, reply, count):
    async def go():
        async with open_pool("bubblewrap", ahead=0) as pool:
            sample, found = Sample("t.Test", test), []
            for _ in range(count):
                models = [ScriptedModel(reply)] * 3
                found.append(await run_trial(sample, *models, pool, options=TrialOptions(memo=memo)))
            return found

    return asyncio.run(go())


def test_a_trial_says_what_came_from_the_cache_and_its_verdict_is_the_same(memo):
    test = "q" >> LLMRun() >> ExtractCode("c") >> CRun() >> SubstringEvaluator("honest")
    first, second, third = trials(memo, test, f"```c\n{HOSTILE}\n```", 3)
    assert [each.outcome for each in (first, second, third)] == [Outcome.PASS] * 3
    assert "taken from the cache" not in text_of(first.reason)
    assert all("taken from the cache" in text_of(each.reason) for each in (second, third))


def test_so_do_the_checks_of_make_c_test(memo):
    test_case, answer = make_c_test([("twice(4)", "8"), ("twice(rand() % 1)", "0 * rand()")])
    test = "q" >> LLMRun() >> ExtractCode("c") >> CRun(test_case) >> SubstringEvaluator(answer)
    right, wrong = (
        "```c\nint twice(int n) { return 2 * n; }\n```",
        "```c\nint twice(int n) { return n; }\n```",
    )
    for reply, outcome in ((right, Outcome.PASS), (wrong, Outcome.FAIL), (right, Outcome.PASS)):
        records = trials(memo, test, reply, 3)  # the first builds what sends the values, the second with it
        assert [each.outcome for each in records] == [outcome] * 3, text_of(records[0].reason)
        assert "taken from the cache" in text_of(records[-1].reason)


def test_a_step_is_all_that_is_in_its_key():
    step = Step(("a",), {"f": b"1"}, b"in", 5.0, {"X": "1"})
    others = (
        replace(step, argv=("b",)), replace(step, files={}), replace(step, stdin=b""),
        replace(step, time_limit_s=6.0), replace(step, env={}),
    )  # fmt: skip
    assert all(each.facts != step.facts for each in others)


def test_a_file_that_stays_locked_is_given_up_and_holds_up_nobody(memo, tmp_path):
    """By a process that was stopped while it wrote, say."""
    other = sqlite3.connect(tmp_path / "cache/compiled.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    longest = 0.0

    async def watch():
        nonlocal longest
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)

    async def step(box):
        watching = asyncio.create_task(watch())
        try:
            return await build()(box)
        finally:
            watching.cancel()

    started = time.monotonic()
    assert session(memo, Pool(), step)[0].returncode == 0
    assert longest < 0.5 and time.monotonic() - started < 5
    started = time.monotonic()
    session(memo, Pool(), build(argv=("sh", "-c", "cc other.c")))
    assert time.monotonic() - started < 0.5, "it is not tried again"
    other.close()
