"""Talking to a program on a terminal."""

import pytest

from assay.errors import GraderError, NodeError
from assay.language.interactive import ESCAPES
from assay.language.printed import told
from evaluator import ContainsIntEvaluator, SendStdoutReceiveStdin, StartDockerJob
from testing.language.pipeline import run, run_in_sandbox

ADDER = """python3 -u -c '
total = 0
while True:
    try: line = input("> ")
    except EOFError: break
    if line == "quit": print("bye"); break
    if line == "hang": import time; time.sleep(60)
    total += int(line); print("total", total)
'"""
SEND = SendStdoutReceiveStdin()


def test_the_first_output_is_what_stands_before_the_prompt():
    assert run_in_sandbox(StartDockerJob("echo Welcome; echo -n '> '; cat", "> ")).output == "Welcome\n> "


def test_each_line_gets_its_answer():
    test = StartDockerJob(ADDER, eos_string="> ") >> "2" >> SEND >> "40\n" >> SEND
    assert run_in_sandbox(test).output == "total 42\n> "


def test_several_lines_get_all_their_answers_and_the_next_line_its_own():
    first = StartDockerJob(ADDER, "> ") >> "1\n2\n3" >> SEND
    assert run_in_sandbox(first).output == "total 1\n> total 3\n> total 6\n> "
    assert run_in_sandbox(first >> "36" >> SEND).output == "total 42\n> "


def test_the_end_of_the_program_is_told():
    test = StartDockerJob(ADDER, "> ") >> "quit" >> SEND
    ran = run_in_sandbox(test)
    assert ran.output == "bye\n" and told(ran.output) == "bye\n[the program has ended]\n"
    assert told(run_in_sandbox(test >> "1" >> SEND).output) == "[the program has ended]\n"


def test_a_program_that_hangs_does_not_hang_the_trial():
    test = StartDockerJob(ADDER, "> ") >> "hang" >> SendStdoutReceiveStdin(time_limit_s=1)
    ran = run_in_sandbox(test)
    assert told(ran.output) == "[no further output within 1 s]\n" and "[no further output" in ran.text
    assert run(ContainsIntEvaluator(1), ran.output).output is False  # a note is not judged


def test_a_real_shell():
    test = (
        StartDockerJob("sqlite3 database.db", "sqlite> ") >> "create table t(x); insert into t values (42);"
    )
    test = test >> SEND >> "select x from t;" >> SEND
    assert run_in_sandbox(test).output == "42\nsqlite> "


def test_a_program_that_the_sandbox_lacks_is_an_error_of_the_test():
    """One that is a path may be what the model was asked for."""
    with pytest.raises(
        GraderError, match="StartDockerJob starts gbd, which the sandbox does not have: correct"
    ):
        run_in_sandbox(StartDockerJob("gbd -q main", "(gdb) "))
    for command in ("./main", "/tmp/main", "echo not found", "sh -c 'gbd'"):
        assert "not found" in run_in_sandbox(StartDockerJob(command, "(gdb) ")).output


def test_a_directory_change_lasts_in_a_shell_on_a_terminal():
    test = StartDockerJob("bash --norc --noprofile", "$ ") >> "cd /tmp" >> SEND >> "pwd" >> SEND
    assert "/tmp\n" in run_in_sandbox(test).output


def test_without_a_program_it_says_what_is_missing():
    with pytest.raises(NodeError, match="StartDockerJob"):
        run("x" >> SEND)


def test_terminal_escapes_are_taken_out():
    assert ESCAPES.sub("", "\x1b[?2004h\x1b[1;31mred\x1b[0m\x1b]0;title\x07!") == "red!"
