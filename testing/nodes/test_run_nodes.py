# ruff: noqa: E501 - programs read best in one piece
"""Nodes that run code, in a real sandbox."""

import asyncio

import pytest

import evaluator
from assay.harness.engine import run_trial
from assay.harness.suite import Sample
from assay.languages import LANGUAGES
from assay.records import Outcome
from assay.sandboxes.pool import open_pool
from evaluator import (
    BashRun,
    CRun,
    JavaRun,
    JavaScriptRun,
    PythonRun,
    SQLRun,
    SubstringEvaluator,
    TerminalRun,
)
from testing.nodes.pipeline import ScriptedModel, run_in_sandbox

# language -> (node, program with a main of its own, test case, what it prints)
PROGRAMS = {
    "python": (evaluator.PythonRun, "def f(x):\n    return x * 2\nif __name__ == '__main__':\n    print('program')",
               "if __name__ == '__main__':\n    print(f(21))", "42\n"),
    "bash": (evaluator.BashRun, "f() { echo $(($1 * 2)); }", "f 21", "42\n"),
    "c": (evaluator.CRun, '#include <stdio.h>\nint f(int x) { return x * 2; }\nint main() { puts("program"); }',
          'int main(void) { printf("%d\\n", f(21)); }', "42\n"),
    "cpp": (evaluator.CppRun, "#include <iostream>\nint f(int x) { return x * 2; }\nint main() { std::cout << 1; }",
            "int main() { std::cout << f(21) << std::endl; }", "42\n"),
    "rust": (evaluator.RustRun, 'fn f(x: i32) -> i32 { x * 2 }\nfn main() { println!("program"); }',
             'fn main() { println!("{}", f(21)); }', "42\n"),
    "java": (evaluator.JavaRun, "import java.util.*;\npublic class Main { static int f(int x) { return x * 2; }\n"
             'public static void main(String[] a) { System.out.println("program"); } }',
             "System.out.println(List.of(Main.f(21)).get(0));", "42\n"),
    "clojure": (evaluator.ClojureRun, "(defn f [x] (* x 2))", "(println (f 21))", "42\n"),
    "javascript": (evaluator.JavaScriptRun, "function f(x) { return x * 2 }", "console.log(f(21))", "42\n"),
}  # fmt: skip


def test_every_language_has_a_program_here():
    assert set(PROGRAMS) | {"sql"} == set(LANGUAGES), "give each language a row in PROGRAMS"


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_program_runs_with_its_test_case_or_is_skipped_with_the_reason(language):
    node, program, test_case, printed = PROGRAMS[language]
    test = program >> node(test_case) >> (SubstringEvaluator(printed) & ~SubstringEvaluator("program"))

    async def work():
        async with open_pool("bubblewrap", ahead=0) as pool:
            model = ScriptedModel()
            record = await run_trial(Sample("t.Test", test), model, model, model, pool)
            return record, await pool.missing(node().needs)

    record, missing = asyncio.run(work())
    if missing:
        assert record.outcome is Outcome.SKIPPED and missing[0] in record.error
    else:
        assert record.outcome is Outcome.PASS, record
    assert node().needs == LANGUAGES[language].needs


def test_the_output_is_stdout_followed_by_stderr():
    code = "import sys\nsys.stderr.write('E')\nprint('O')\nsys.exit(3)"
    ran = run_in_sandbox(PythonRun(), code)
    assert ran.output == "O\nE"
    assert "exit 3" in ran.text


def test_out_bytes_passes_the_bytes_of_stdout_on():
    code = "import sys\nsys.stdout.buffer.write(bytes(range(256)))\nsys.stderr.write('E')"
    ran = run_in_sandbox(PythonRun(out_bytes=True), code)
    assert ran.output == bytes(range(256))
    assert "stderr" in ran.text


def test_a_picture_on_stdout_is_shown_as_one():
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c636007000009000820"
        "23c38c0000000049454e44ae426082"
    )
    ran = run_in_sandbox(PythonRun(out_bytes=True), f"import sys\nsys.stdout.buffer.write({png!r})")
    assert any(block.kind == "image" and block.data == png for block in ran.blocks[0].children)


def test_a_compile_error_is_the_output_and_nothing_runs():
    ran = run_in_sandbox(CRun(), "int main() { return undeclared; }")
    assert "undeclared" in ran.output
    assert "compiling failed (exit 1" in ran.text


def test_a_compilers_warning_is_shown_but_is_no_output():
    ran = run_in_sandbox(CRun(gccflags="-Wall"), "int main() { int unused; return 0; }")
    assert ran.output == ""
    assert "unused variable" in ran.text


def test_a_time_out_keeps_the_partial_output_and_says_so():
    ran = run_in_sandbox(PythonRun(time_limit_s=0.5), "print('part', flush=True)\nwhile True: pass")
    assert ran.output == "part\n\n[killed: time limit of 0.5 s reached]"
    assert "killed at its time limit" in ran.text


def test_the_time_limit_is_20_s_unless_the_node_says_otherwise():
    assert PythonRun().time_limit_s == CRun().time_limit_s == TerminalRun().time_limit_s == 20


def test_c_flags_and_arguments():
    code = "#include <stdio.h>\n#include <math.h>\n"
    code += 'int main(int c, char **v) { printf("%d %s %.0f", N, v[1], sqrt(c * 8)); }'
    assert run_in_sandbox(CRun(gccflags="-DN=7", argv="'a b'"), code).output == "7 a b 4"


def test_bash_arguments():
    assert run_in_sandbox(BashRun(args=["a b", "$x"]), 'echo "$1-$2"').output == "a b-$x\n"


def test_terminal_commands_share_files_but_not_the_directory():
    test = "mkdir d; cd d; touch f; pwd" >> TerminalRun() >> "```sh\npwd; ls d\n```" >> TerminalRun()
    assert run_in_sandbox(test).output == "/usr/src/app\nf\n"


def test_terminal_leaves_no_file_of_its_own():
    assert run_in_sandbox("ls -A" >> TerminalRun()).output == ""


def test_sql_keeps_its_database():
    test = "create table t(x); insert into t values (41);" >> SQLRun() >> "select x + 1 from t;" >> SQLRun()
    assert run_in_sandbox(test).output == "42\n"


def test_java_starts_the_class_that_has_a_main():
    code = (
        "package a.b; interface I {} class Point { int x = 42; }\n"
        "public class App { public static void main(String[] a) { System.out.println(new Point().x); } }"
    )
    assert run_in_sandbox(JavaRun(), code).output == "42\n"


def test_java_compile_error():
    assert (
        "cannot find symbol"
        in run_in_sandbox(
            JavaRun(), "interface I {} class A { public static void main(String[] a) { x(); } }"
        ).output
    )


def test_javascript_modules_and_require():
    assert (
        run_in_sandbox(JavaScriptRun(), "import fs from 'fs'; console.log(typeof fs.readFileSync)").output
        == "function\n"
    )
    code = "export function f() { return 42 }"
    assert (
        run_in_sandbox(
            JavaScriptRun("const os = require('os'); console.log(f(), typeof os.cpus)"), code
        ).output
        == "42 function\n"
    )


def test_code_that_utf8_cannot_hold_is_run_all_the_same():
    assert run_in_sandbox(PythonRun(), "print(len('\ud800'))").output == "1\n"


def test_the_program_is_shown_whole_with_its_language():
    block = run_in_sandbox(PythonRun("print(2)"), "print(1)").blocks[0].children[0]
    assert (block.kind, block.language, block.title) == ("code", "python", "program main.py")
    assert block.body == "print(1)\n\nprint(2)\n"
