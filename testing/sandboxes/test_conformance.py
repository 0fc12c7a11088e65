# ruff: noqa: E501 - the attacks are programs, and read best in one piece
"""What every sandbox does, whichever engine is below it. A backend added to the registry meets it too."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from assay.errors import NodeError, SandboxError
from assay.records import Limits, Sandbox
from testing.sandboxes.conftest import python, run, shell, timed, use

ALL_LEFT = "ps=0; for d in /proc/[0-9]*; do ps=$((ps+1)); done; echo $ps"


def test_output_is_stdout_followed_by_stderr(backend):
    result = shell(backend, "echo one; echo two >&2; echo three")
    assert (result.stdout, result.stderr, result.returncode) == (b"one\nthree\n", b"two\n", 0)
    assert result.output == "one\nthree\ntwo\n" and not (result.timed_out or result.truncated)


def test_every_byte_value_comes_back_unchanged(backend):
    program = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data); sys.stderr.buffer.write(data)"
    everything = bytes(range(256)) * 700  # more than a pipe holds
    result = python(backend, program, stdin=everything)
    assert result.stdout == everything and result.stderr == everything


@pytest.mark.parametrize(
    ("script", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", -9), ("kill -SEGV $$", -11)]
)
def test_exit_codes_and_signals(backend, script, code):
    assert shell(backend, script).returncode == code


def test_a_missing_command_is_a_result(backend):
    result = run(backend, ["no-such-command-anywhere"])
    assert result.returncode == 127 and b"no-such-command-anywhere" in result.stderr


def test_a_file_that_is_no_program_is_a_result(backend):
    result = run(backend, ["./data"], files={"data": b"\0\0"})
    assert result.returncode == 126 and b"data" in result.stderr


def test_a_program_that_ignores_its_stdin_is_no_error(backend):
    assert run(backend, ["true"], stdin=b"x" * (4 << 20)).returncode == 0


def test_stdin_is_empty_unless_given(backend):
    assert run(backend, ["cat"]).stdout == b""


def test_resources_are_reported(backend):
    result = python(backend, "x = bytearray(60 << 20)\nfor _ in range(3000000): pass")
    assert 0.01 < result.cpu_seconds <= result.seconds + 0.5
    assert 50 << 20 < result.max_rss < 400 << 20


def test_files_land_in_the_work_directory_and_stay(backend):
    async def work(sandbox: Sandbox) -> None:
        files = {"a.txt": b"A", "deep/er/b.bin": bytes(range(256)), "./c.txt": b"C"}
        result = await sandbox.run(["bash", "-c", "cat a.txt c.txt; pwd; wc -c < deep/er/b.bin"], files=files)
        assert result.stdout.split()[0] == b"AC" + os.fsencode(result.stdout.split()[0][2:])
        assert result.stdout.split()[-1] == b"256"
        assert await sandbox.read_file("deep/er/b.bin") == bytes(range(256))
        await sandbox.run(["true"], files={"a.txt": b"other"})
        assert await sandbox.read_file("a.txt") == b"other"

    use(backend, work)


def test_the_work_directory_is_the_agreed_one(isolated):
    assert shell(
        isolated, "pwd; echo $HOME; echo x > $HOME/f && echo x > /tmp/f && cat $HOME/f"
    ).stdout.startswith(b"/usr/src/app\n/home/assay\nx\n")


def test_the_work_directory_belongs_to_the_program(backend):
    assert shell(backend, 'test "$(stat -c %u .)" = "$(id -u)" && echo mine').stdout == b"mine\n"


def test_a_big_file_arrives_whole(backend):
    content = os.urandom(1 << 20) * 9

    async def work(sandbox: Sandbox) -> bytes:
        await sandbox.run(["true"], files={"big": content})
        return await sandbox.read_file("big")

    assert use(backend, work) == content


def test_the_environment_is_clean(backend, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = shell(backend, "env; cat /proc/self/environ", env={"GIVEN": "yes", "LANG": "C"})
    assert (
        b"sk-secret" not in result.stdout and b"GIVEN=yes" in result.stdout and b"LANG=C\n" in result.stdout
    )


def test_arguments_are_passed_literally(backend):
    words = ["a b", "$HOME", "é\n", "", "'\"", "--"]
    result = run(backend, ["python3", "-c", "import sys; print(sys.argv[1:])", *words])
    assert result.stdout.decode() == f"{words!r}\n"


# ---------------------------------------------------------------- time


def test_a_timeout_kills_the_process_tree(backend):
    result, elapsed = timed(backend, ["sh", "-c", "echo before; sleep 60 & sleep 60"], time_limit_s=0.5)
    assert result.timed_out and result.returncode is None and elapsed < 1.5
    assert result.stdout == b"before\n" and "time limit of 0.5 s" in result.output


def test_ignored_signals_do_not_outlast_the_limit(backend):
    result, elapsed = timed(
        backend, ["bash", "-c", "trap '' TERM INT HUP; while :; do :; done"], time_limit_s=0.5
    )
    assert result.timed_out and elapsed < 1.5


def test_the_sandbox_lives_on_after_a_timeout(backend):
    async def work(sandbox: Sandbox) -> bytes:
        await sandbox.run(["sleep", "60"], time_limit_s=0.2)
        return (await sandbox.run(["echo", "alive"])).stdout

    assert use(backend, work) == b"alive\n"


def test_daemons_die_with_their_command(backend):
    daemon = (
        "import os, time\n"
        "for _ in range(2):\n"
        "    if os.fork(): os._exit(0)\n"
        "    os.setsid()\n"
        "open('pid', 'w').write(open('/proc/self/stat').read().split()[0])\n"
        "for _ in range(600):\n"
        "    time.sleep(0.05); open('beat', 'a').write('x')\n"
    )

    async def work(sandbox: Sandbox) -> None:
        started = time.monotonic()
        result = await sandbox.run(
            ["bash", "-c", "python3 d.py; until test -s beat; do :; done"], files={"d.py": daemon.encode()}
        )
        assert not result.timed_out and time.monotonic() - started < 5
        first = len(await sandbox.read_file("beat"))
        await asyncio.sleep(0.3)
        assert len(await sandbox.read_file("beat")) == first
        alive = await sandbox.run(["bash", "-c", "kill -0 $(cat pid) 2>&1 || echo gone"])
        assert b"gone" in alive.stdout

    use(backend, work)


def test_a_background_process_that_holds_stdout_does_not_hold_us(backend):
    result, elapsed = timed(backend, ["sh", "-c", "sleep 60 & echo done"])
    assert result.stdout == b"done\n" and elapsed < 3 and not result.timed_out


def test_one_command_at_a_time_others_wait(backend):
    async def work(sandbox: Sandbox) -> None:
        both = await asyncio.gather(*(sandbox.run(["sh", "-c", f"sleep 0.1; echo {n}"]) for n in range(3)))
        assert [result.stdout for result in both] == [b"0\n", b"1\n", b"2\n"]

    use(backend, work)


# ---------------------------------------------------------------- sizes


def test_output_beyond_the_cap_is_cut_and_marked(backend):
    program = "import sys\nfor _ in range(200): sys.stdout.write('x' * 100000)\nprint('end'); print('end', file=sys.stderr)"
    result = python(backend, program, Limits(output=1 << 20))
    assert result.truncated and result.stdout == b"x" * (1 << 20) and result.stderr == b"end\n"
    assert result.returncode == 0 and "[output cut" in result.output


def test_endless_output_ends_at_the_time_limit(backend):
    result, elapsed = timed(backend, ["yes"], time_limit_s=1.0)
    assert result.timed_out and result.truncated and elapsed < 2


def test_the_memory_limit_holds_and_is_reported(isolated):
    program = "data = []\nwhile True: data.append(bytearray(8 << 20))"
    result = python(isolated, program, Limits(memory=256 << 20))
    assert result.out_of_memory or b"MemoryError" in result.stderr
    assert not result.timed_out and result.max_rss < 400 << 20


def test_memory_split_over_many_processes_counts_together(isolated):
    program = (
        "import os, time\n"
        "for _ in range(12):\n"
        "    if not os.fork():\n"
        "        x = bytearray(50 << 20); time.sleep(30)\n"
        "try:\n"
        "    while True: os.wait()\n"
        "except ChildProcessError: pass\n"
    )
    result = python(isolated, program, Limits(memory=256 << 20), time_limit_s=5)
    assert result.out_of_memory


def test_the_sandbox_lives_on_after_a_memory_bomb(isolated):
    async def work(sandbox: Sandbox) -> None:
        await sandbox.run(["python3", "-c", "x = []\nwhile True: x.append(bytearray(8 << 20))"])
        again = await sandbox.run(["echo", "alive"])
        assert again.stdout == b"alive\n" and not again.out_of_memory

    use(isolated, work, Limits(memory=256 << 20))


def test_a_fork_bomb_is_contained_and_cleared(isolated):
    bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"

    async def work(sandbox: Sandbox) -> None:
        started = time.monotonic()
        result = await sandbox.run(["python3", "-c", bomb], time_limit_s=1.0)
        assert result.timed_out and time.monotonic() - started < 2.5
        left = await sandbox.run(["bash", "-c", ALL_LEFT])
        assert int(left.stdout) <= 4  # the agent, this shell, and an engine's own init

    use(isolated, work, Limits(processes=64))


def test_the_number_of_processes_is_limited(isolated):
    program = (
        "import os, time\nmade = 0\n"
        "try:\n"
        "    while True:\n"
        "        if not os.fork(): time.sleep(60); os._exit(0)\n"
        "        made += 1\n"
        "except OSError: print(made)\n"
    )
    assert 30 < int(python(isolated, program, Limits(processes=64)).stdout) < 80


@pytest.mark.parametrize("folder", [".", "/tmp", "$HOME", "/dev/shm"])
def test_the_disk_is_limited(isolated, folder):
    script = f"cd {folder}; for i in 1 2 3 4; do head -c 20000000 /dev/zero > fill$i || break; done; cat fill* | wc -c"
    result = shell(isolated, script, Limits(disk=32 << 20))
    assert 16 << 20 < int(result.stdout.split()[-1]) <= 32 << 20
    assert b"No space left" in result.stderr or b"too large" in result.stderr


def test_files_that_do_not_fit_are_a_result(isolated):
    result = run(isolated, ["echo", "ran"], Limits(disk=4 << 20), files={"big": bytes(8 << 20)})
    assert result.returncode == 126 and b"big" in result.stderr and b"ran" not in result.stdout


# ---------------------------------------------------------------- file traps


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a//b", "..", "x\0y", "a/", "n" * 300])
def test_names_that_leave_the_work_directory_are_refused(backend, name):
    async def work(sandbox: Sandbox) -> None:
        with pytest.raises(NodeError, match="file name"):
            await sandbox.run(["true"], files={name: b"x"})
        with pytest.raises(NodeError, match="file name"):
            await sandbox.start(["true"], files={name: b"x"})
        with pytest.raises(NodeError, match="file name"):
            await sandbox.read_file(name)
        assert (await sandbox.run(["echo", "alive"])).stdout == b"alive\n"

    use(backend, work)


TRAPS = {
    "link": "ln -s /etc/passwd out",
    "link to a file of its own": "echo x > real; ln -s real out",
    "fifo": "mkfifo out",
    "directory": "mkdir out",
    "hard link": "echo x > real; ln real out",
    "big": "head -c 2000 /dev/zero > out",
    "socket": "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"out\")'",
}


@pytest.mark.parametrize("trap", TRAPS)
def test_reading_a_trap_back_is_refused_at_once(backend, trap):
    async def work(sandbox: Sandbox) -> None:
        await sandbox.run(["bash", "-c", TRAPS[trap]])
        started = time.monotonic()
        with pytest.raises(NodeError, match="cannot read out"):
            await sandbox.read_file("out", max_bytes=1000)
        assert time.monotonic() - started < 2

    use(backend, work)


def test_reading_what_is_not_there(backend):
    async def work(sandbox: Sandbox) -> None:
        for name in ("nothing", "no/thing"):
            with pytest.raises(FileNotFoundError):
                await sandbox.read_file(name)

    use(backend, work)


def test_an_unreadable_file_is_an_error_of_the_node(backend):
    async def work(sandbox: Sandbox) -> None:
        who = await sandbox.run(["bash", "-c", "echo x > out; chmod 000 out; id -u"])
        if who.stdout == b"0\n":
            return  # root reads everything
        with pytest.raises(NodeError):
            await sandbox.read_file("out")

    use(backend, work)


def test_planted_links_are_not_followed_when_files_are_written(backend, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("untouched")

    async def work(sandbox: Sandbox) -> None:
        plant = f"echo old > target; ln -s target main.py; mkfifo pipe; mkdir in; ln -s in folder; ln -s {tmp_path} outside"
        await sandbox.run(["bash", "-c", plant])
        result = await sandbox.run(
            ["cat", "main.py", "pipe", "target"], files={"main.py": b"new ", "pipe": b"file "}
        )
        assert result.stdout == b"new file old\n"
        for name in ("folder/x", "outside/victim"):
            with pytest.raises(NodeError, match="link"):
                await sandbox.run(["true"], files={name: b"x"})
        with pytest.raises(NodeError, match="folder"):
            await sandbox.run(["true"], files={"in": b"x"})
        with pytest.raises(NodeError, match="link"):
            await sandbox.read_file("outside/victim")

    use(backend, work)
    assert victim.read_text() == "untouched"


def test_a_program_may_change_files_it_was_given(backend):
    async def work(sandbox: Sandbox) -> None:
        result = await sandbox.run(
            ["bash", "-c", "echo more >> f && rm g && cat f"], files={"f": b"some ", "g": b""}
        )
        assert result.stdout == b"some more\n"

    use(backend, work)


# ---------------------------------------------------------------- terminals


def test_a_terminal_talks_back_and_forth(backend):
    program = b"while True:\n    line = input('? ')\n    print('heard', line)\n    if line == 'stop': break\n"

    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["python3", "-u", "talk.py"], files={"talk.py": program})
        first = await terminal.read_until(b"? ")
        assert (first.text, first.matched) == ("? ", True)
        await terminal.send(b"hello\n")
        assert (await terminal.read_until(b"? ")).text == "heard hello\n? "  # no echo, plain line ends
        await terminal.send(b"stop\n")
        last = await terminal.read_until(b"")
        assert (last.text, last.ended, last.matched, last.timed_out) == ("heard stop\n", True, False, False)
        await terminal.send(b"ignored\n")
        assert (await terminal.read_until(b"? ")).ended
        await terminal.close()

    use(backend, work)


def test_a_terminal_is_one(backend):
    async def work(sandbox: Sandbox) -> None:
        script = "test -t 0 && test -t 1 && stty size && stty -a | grep -o -e '-echo\\b' && echo $TERM; tty"
        terminal = await sandbox.start(["bash", "-c", script])
        text = (await terminal.read_until(b"")).text.split()
        assert text[:3] == ["24", "80", "-echo"] and text[3] == "dumb" and text[4].startswith("/dev/")

    use(backend, work)


def test_a_marker_is_found_across_writes_and_the_rest_is_kept(backend):
    program = "import time\nfor c in 'one EN': print(c, end='', flush=True); time.sleep(0.01)\nprint('D two END three', end='', flush=True)\ntime.sleep(60)"

    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["python3", "-c", program])
        assert (await terminal.read_until(b"END")).text == "one END"
        assert (await terminal.read_until(b"END")).text == " two END"
        late = await terminal.read_until(b"END", time_limit_s=0.3)
        assert (late.text, late.timed_out, late.matched, late.ended) == (" three", True, False, False)

    use(backend, work)


def test_reading_stops_as_soon_as_the_marker_is_there(backend):
    async def work(sandbox: Sandbox) -> float:
        terminal = await sandbox.start(["bash", "-c", 'while read x; do echo "<$x>"; done'])
        started = time.monotonic()
        for n in range(20):
            await terminal.send(b"%d\n" % n)
            assert (await terminal.read_until(b">\n")).text == f"<{n}>\n"
        return time.monotonic() - started

    assert use(backend, work) < 2


def test_a_long_last_word_is_not_lost(backend):
    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["python3", "-c", "print('x' * 50000 + 'end')"])
        got = await terminal.read_until(b"")
        assert len(got.data) == 50004 and got.data.endswith(b"end\n") and got.ended

    use(backend, work)


def test_a_flood_on_the_terminal_is_bounded(backend):
    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["yes"])
        flood = await terminal.read_until(b"never", time_limit_s=1.0)
        assert flood.timed_out and len(flood.data) < 4 << 20
        assert (await sandbox.run(["echo", "alive"])).stdout == b"alive\n"

    use(backend, work)


def test_control_characters_reach_the_program(backend):
    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["cat"])
        await terminal.send(b"line\n\x04")
        got = await terminal.read_until(b"")
        assert got.ended and got.data == b"line\n"
        asleep = await sandbox.start(["bash", "-c", "echo up; sleep 60"])
        await asleep.read_until(b"up\n")
        await asleep.send(b"\x03")
        assert (await asleep.read_until(b"", time_limit_s=5)).ended

    use(backend, work)


def test_a_program_that_cannot_be_started_says_so_on_its_terminal(backend):
    async def work(sandbox: Sandbox) -> None:
        got = await (await sandbox.start(["no-such-program"])).read_until(b"> ", time_limit_s=5)
        assert got.ended and "no-such-program" in got.text

    use(backend, work)


def test_interactive_programs_survive_commands_and_end_with_close(backend):
    async def work(sandbox: Sandbox) -> None:
        first = await sandbox.start(
            [
                "bash",
                "-c",
                '(while :; do sleep 0.05; echo x >> beat; done) & while read l; do echo "got $l"; done',
            ]
        )
        second = await sandbox.start(["cat"])
        await sandbox.run(["sh", "-c", "sleep 60 & true"])
        await sandbox.run(["sleep", "60"], time_limit_s=0.2)
        await first.send(b"1\n")
        assert (await first.read_until(b"\n")).text == "got 1\n"
        await second.send(b"two\n")
        assert (await second.read_until(b"\n")).text == "two\n"
        await first.close()
        size = len(await sandbox.read_file("beat"))
        await asyncio.sleep(0.3)
        assert len(await sandbox.read_file("beat")) == size
        await second.send(b"still\n")
        assert (await second.read_until(b"\n")).text == "still\n"
        assert (await first.read_until(b"x", time_limit_s=2)).ended

    use(backend, work)


def test_a_fork_bomb_beside_an_interactive_program_is_cleared_alone(isolated):
    bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"

    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["cat"])
        started = time.monotonic()
        result = await sandbox.run(["python3", "-c", bomb], time_limit_s=1.0)
        assert result.timed_out and time.monotonic() - started < 3
        assert int((await sandbox.run(["bash", "-c", ALL_LEFT])).stdout) <= 5
        await terminal.send(b"still\n")
        assert (await terminal.read_until(b"\n")).text == "still\n"

    use(isolated, work, Limits(processes=64))


def test_commands_that_cannot_be_started_for_lack_of_processes_say_so(isolated):
    hog = "import os, time\ntry:\n    while os.fork(): pass\nexcept OSError: print('full', flush=True)\ntime.sleep(60)"

    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["python3", "-c", hog])
        await terminal.read_until(b"full")
        result = await sandbox.run(["echo", "hi"])
        assert result.stdout == b"hi\n" or (result.returncode == 126 and b"cannot" in result.stderr), result
        await terminal.close()
        assert (await sandbox.run(["echo", "hi"])).stdout == b"hi\n"

    use(isolated, work, Limits(processes=32))


@pytest.mark.parametrize("limit", [0, 0.0, float("inf")])
def test_odd_time_limits_are_taken(backend, limit):
    result = run(backend, ["echo", "hi"], time_limit_s=limit)
    assert result.timed_out == (limit == 0) or result.stdout == b"hi\n"


@pytest.mark.parametrize("limit", [-1, float("nan")])
def test_impossible_time_limits_are_refused(backend, limit):
    with pytest.raises(NodeError, match="time limit"):
        run(backend, ["echo", "hi"], time_limit_s=limit)


def test_files_and_environment_reach_an_interactive_program(backend):
    async def work(sandbox: Sandbox) -> None:
        terminal = await sandbox.start(["bash", "t.sh"], files={"t.sh": b"echo $X"}, env={"X": "given"})
        assert (await terminal.read_until(b"")).text == "given\n"

    use(backend, work)


# ---------------------------------------------------------------- isolation


def test_two_sandboxes_do_not_see_each_other(isolated):
    async def main() -> None:
        one, two = await asyncio.gather(*(isolated.open(Limits(), "conformance") for _ in range(2)))
        try:
            secret = "/tmp/assay-secret-of-one"
            await one.run(
                ["bash", "-c", f"echo x > {secret}; echo x > $HOME/s; echo x > /dev/shm/s; echo x > s"]
            )
            terminal = await one.start(["sleep", "4242"])
            script = f"cat {secret} $HOME/s /dev/shm/s s; cat /proc/[0-9]*/cmdline | tr '\\0' ' '"
            result = await two.run(["bash", "-c", script])
            assert b"x" not in result.stdout.split() and b"4242" not in result.stdout
            await terminal.close()
        finally:
            await asyncio.gather(one.close(), two.close())

    asyncio.run(main())


def test_nothing_of_one_sandbox_is_in_the_next(isolated):
    shell(isolated, "echo x > /tmp/left; echo x > left; echo x > $HOME/left")
    assert shell(isolated, "ls /tmp/left left $HOME/left").stdout == b""


def test_there_is_no_network(isolated):
    program = (
        "import socket\n"
        "for host, port in (('1.1.1.1', 53), ('93.184.216.34', 80), ('10.0.0.1', 80), ('169.254.169.254', 80)):\n"
        "    try: socket.create_connection((host, port), 1); print('reached', host)\n"
        "    except OSError: pass\n"
        "try: print('resolved', socket.gethostbyname('example.com'))\n"
        "except OSError: pass\n"
        "print(sorted(name for _, name in socket.if_nameindex()))\n"
    )
    names = python(isolated, program).stdout.split(b"\n")[0]
    assert not names.startswith((b"reached", b"resolved")) and b"eth" not in names


def test_the_hosts_loopback_and_abstract_sockets_are_out_of_reach(isolated):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0assay-conformance-abstract")
        abstract.listen()
        program = (
            "import socket\n"
            f"for family, where in ((socket.AF_INET, ('127.0.0.1', {server.getsockname()[1]})), (socket.AF_UNIX, '\\0assay-conformance-abstract')):\n"
            "    try: socket.socket(family).connect(where); print('reached', where)\n"
            "    except OSError as error: print('refused')\n"
        )
        assert python(isolated, program).stdout == b"refused\nrefused\n"


def test_the_sandboxs_own_loopback_works(isolated):
    program = (
        "import socket\ns = socket.create_server(('localhost', 0))\n"
        "c = socket.create_connection(s.getsockname()); c.send(b'hi'); print(s.accept()[0].recv(2))"
    )
    assert python(isolated, program).stdout == b"b'hi'\n"


def test_host_files_are_absent_or_unreadable(isolated, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the-secret")
    tmp_path.chmod(0o755)
    secret.chmod(0o644)
    here = Path(__file__).resolve()
    looked_for = f"{secret} {here} /etc/shadow /root/.ssh/id_rsa /root/.bashrc /proc/1/root/{secret} /var/run/docker.sock"
    result = shell(isolated, f"for f in {looked_for}; do cat $f >/dev/null 2>&1 && echo found $f; done; true")
    assert result.stdout == b""


def test_system_folders_are_read_only(isolated):
    script = "for d in / /usr /usr/bin /etc /usr/src /dev /usr/local /var /home /run; do touch $d/x 2>/dev/null && echo wrote $d; done; true"
    assert shell(isolated, script).stdout == b""


def test_a_program_has_no_privileges(isolated):
    result = shell(
        isolated,
        "id -u; grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status; ulimit -c; ulimit -n",
    )
    words = result.stdout.split()
    assert words[0] != b"0" and words[2::2][:4] == [b"0000000000000000"] * 2 + words[6:7] + [b"1"]
    assert words[-2:] == [b"0", b"1024"]


def test_host_processes_are_invisible(isolated):
    result = shell(isolated, "cat /proc/[0-9]*/comm")
    assert b"pytest" not in result.stdout and len(result.stdout.split()) < 8


# ---------------------------------------------------------------- the agent under attack

STOPPERS = {
    "kill the agent": "import os, signal\nfor p in (1, os.getppid()):\n    for s in range(1, 65):\n        try: os.kill(p, s)\n        except OSError: pass",
    "kill everything": "import os\nos.kill(-1, 9)",
    "limit the agent": "import os, resource\nfor p in (1, os.getppid()):\n  for r in range(16):\n    try: resource.prlimit(p, r, (0, 0))\n    except (OSError, ValueError): pass",
    "trace the agent": "import ctypes, os\nl = ctypes.CDLL(None)\nfor p in (1, os.getppid()): print(l.ptrace(16, p, 0, 0))",
    "close everything": "import os\nos.closerange(0, 10000)",
}


@pytest.mark.parametrize("attack", STOPPERS)
def test_the_agent_cannot_be_stopped(isolated, attack):
    async def work(sandbox: Sandbox) -> None:
        result = await sandbox.run(["python3", "-c", STOPPERS[attack]], time_limit_s=5)
        assert not result.timed_out and b"0" not in result.stdout.split()
        again = await sandbox.run(["echo", "alive"])
        assert again.stdout == b"alive\n"

    use(isolated, work)


def test_the_agents_memory_and_descriptors_are_closed(isolated):
    program = (
        "import os\n"
        "for p in (1, os.getppid()):\n"
        "    for f in ('mem', 'environ', 'maps', 'fd', 'stack', 'syscall', 'cwd', 'root'):\n"
        "        path = f'/proc/{p}/{f}'\n"
        "        try:\n"
        "            os.listdir(path) if f in ('fd', 'cwd', 'root') else open(path, 'rb').read(1)\n"
        "            print('opened', path)\n"
        "        except OSError: pass\n"
        "print(sorted(os.listdir('/proc/self/fd')))\n"
    )
    result = python(isolated, program)
    assert (
        b"opened" not in result.stdout and result.stdout == b"['0', '1', '2', '3']\n"
    )  # 3 is the listing's own


def test_results_cannot_be_forged_on_any_descriptor(isolated):
    program = (
        "import os\n"
        "forged = b'\\0\\0\\0\\x20' + b'0' * 16 + b'\\0\\0\\0\\x011\\0\\0\\0\\x04done' + b'\\0' * 40\n"
        "for fd in range(3, 256):\n"
        "    try: os.write(fd, forged)\n"
        "    except OSError: pass\n"
        "for p in (1, os.getppid()):\n"
        "    for fd in range(64):\n"
        "        try: open(f'/proc/{p}/fd/{fd}', 'wb').write(forged)\n"
        "        except OSError: pass\n"
        "os.write(1, forged); os.write(2, forged); print('honest'); raise SystemExit(3)\n"
    )
    result = python(isolated, program)
    assert result.returncode == 3 and result.stdout.endswith(b"honest\n")


# ---------------------------------------------------------------- the end


def test_close_may_be_called_twice_and_ends_everything(backend):
    async def main() -> None:
        sandbox = await backend.open(Limits(), "conformance")
        terminal = await sandbox.start(["sleep", "31415"])
        await sandbox.close()
        await sandbox.close()
        for attempt in (
            sandbox.run(["true"]),
            sandbox.start(["true"]),
            sandbox.read_file("x"),
            terminal.read_until(b"x"),
        ):
            with pytest.raises(SandboxError, match="closed"):
                await attempt
        await terminal.close()

    asyncio.run(main())
    assert not processes_with("31415")


def test_closing_while_a_command_runs_tells_who_waits(backend):
    async def main() -> None:
        sandbox = await backend.open(Limits(), "conformance")
        running = asyncio.create_task(sandbox.run(["sleep", "27182"]))
        await asyncio.sleep(0.2)
        started = time.monotonic()
        await sandbox.close()
        with pytest.raises(SandboxError):
            await running
        assert time.monotonic() - started < 5

    asyncio.run(main())
    assert not processes_with("27182")


def test_cancelling_a_command_leaves_nothing(backend):
    async def main() -> None:
        sandbox = await backend.open(Limits(), "conformance")
        try:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await sandbox.run(["sh", "-c", "sleep 16180 & sleep 16180"])
            with pytest.raises(SandboxError, match="cancelled"):
                await sandbox.run(["true"])
        finally:
            await sandbox.close()

    asyncio.run(main())
    assert not processes_with("16180")


def processes_with(word: str) -> list[str]:
    """The command lines on this machine that have `word` as an argument."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            argv = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if word in argv:
            found.append(" ".join(argv))
    return found
