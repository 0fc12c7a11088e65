# ruff: noqa: E501 - programs read best in one piece
"""Nodes that run code, in a real sandbox."""

import asyncio
import re

import pytest

import evaluator
from assay.language.languages import LANGUAGES
from assay.language.printed import printed_by, told
from assay.records import ExecResult, Outcome
from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import (
    BashRun,
    ClojureRun,
    ContainsIntEvaluator,
    CppRun,
    CRun,
    EqualEvaluator,
    JavaRun,
    JavaScriptRun,
    LLMRun,
    PythonRun,
    RegexEvaluator,
    RustRun,
    SQLRun,
    SubstringEvaluator,
    TerminalRun,
    TypeScriptRun,
)
from testing.language.pipeline import ScriptedModel, run, run_in_sandbox

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
    "typescript": (evaluator.TypeScriptRun, "import * as os from 'os';\nfunction f<T extends number>(x: T): number { return x * 2 + 0 * os.cpus().length }",
                   "const said: number = f(21);\nconsole.log(said);", "42\n"),
    "go": (evaluator.GoRun, 'package main\n\nimport "fmt"\n\nfunc f(x int) int { return x * 2 }\n\nfunc main() { fmt.Println("program") }',
           'import "fmt"\n\nfunc main() { fmt.Println(f(21)) }', "42\n"),
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


def test_stdout_and_stderr_do_not_share_a_line():
    """Else "4" and "2 warnings" would contain 42."""
    code = "import sys\nsys.stdout.write('4')\nsys.stderr.write('2 warnings')"
    assert run_in_sandbox(code >> PythonRun() >> ContainsIntEvaluator(42)).output is False


# language -> a program that breaks where its tools quote it
QUOTED = {
    "python": (PythonRun, "print('hello'"),
    "python, at run time": (PythonRun, "1 / 0, 'hello'"),
    "python, in a thread": (
        PythonRun, "import threading\nt = threading.Thread(target=lambda: [1 / 0, 'hello'])\nt.start(); t.join()",
    ),
    "python, a warning": (PythonRun, "'hello' is 1"),
    "bash": (BashRun, "echo 'hello' (\n"),
    "bash, an unknown command": (BashRun, "hello\ntrue"),
    "a shell": (TerminalRun, "echo 'hello' ("),
    "a shell that runs python": (TerminalRun, "python3 -c \"print('hello'\""),
    "c, at build time": (CRun, 'int main() { return "hello" + ; }'),
    "c, an assertion": (CRun, '#include <assert.h>\nint main() { assert(!"hello"); }'),
    "cpp": (CppRun, '#include <stdexcept>\nint main() { throw std::runtime_error("hello"); }'),
    "rust": (RustRun, 'fn main() { assert!("hello".len() == 1); }'),
    "java": (JavaRun, 'class A { public static void main(String[] a) { "hello"; } }'),
    "javascript": (JavaScriptRun, "console.log('hello'"),
    "clojure": (ClojureRun, '(println "hello" hello-again)'),
    "sql": (SQLRun, "selec 'hello';"),
}  # fmt: skip


@pytest.mark.parametrize("case", QUOTED)
def test_what_the_tools_quote_of_a_program_is_shown_and_not_judged(case):
    node, code = QUOTED[case]
    ran = run_in_sandbox(node(), code)
    assert "hello" in told(ran.output), ran.text  # the case is one: the tool does quote
    assert "hello" not in ran.output
    assert not run(SubstringEvaluator("hello"), ran.output).output


def test_the_note_on_too_many_processes_is_the_sandboxs_own():
    """Its agent ends stderr with it."""
    result = ExecResult(b"7\n", b"mine\n[killed: more than 256 processes]\n", None)
    assert result.texts == ("7\n", "mine\n") and result.notes == ("[killed: more than 256 processes]",)
    assert run(ContainsIntEvaluator(256), printed_by(result, "python")).output is False


def test_what_a_program_itself_said_before_it_broke_is_judged():
    code = "import sys\nprint('one')\nprint('two', file=sys.stderr, flush=True)\n1 / 0"
    assert run_in_sandbox(PythonRun(), code).output == "one\ntwo\n"


def test_a_crash_is_neither_equal_to_what_stood_before_it_nor_empty():
    for code, node in (
        ("print(42)\n1 / 0", EqualEvaluator("42")),
        ("1 / 0", EqualEvaluator("")),
        ("1 / 0", RegexEvaluator(r"\A\Z")),
        ("1 / 0", ~SubstringEvaluator("Traceback")),
    ):
        assert run_in_sandbox(code >> PythonRun() >> node).output is False, node
    assert run_in_sandbox("int main() { x }" >> CRun() >> EqualEvaluator("")).output is False
    for goal in ("42", b"42\n"):
        test = "print(42)\n1 / 0" >> PythonRun(out_bytes=True) >> EqualEvaluator(goal)
        assert run_in_sandbox(test).output is False, goal


def test_a_model_in_a_dialogue_is_told_the_error_and_the_notes():
    test = "print('hello'" >> PythonRun() >> LLMRun("<A>") >> PythonRun(time_limit_s=0.5) >> LLMRun("<A>")
    run_in_sandbox(test, llm=(model := ScriptedModel("while True: pass", "ok")))
    assert "SyntaxError" in model.asked[0][0].content
    assert "time limit of 0.5 s" in model.asked[1][0].content


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


def test_a_compile_error_is_the_output_if_the_test_asks_for_errors():
    ran = run_in_sandbox(CRun(errors=True), "int main() { return undeclared; }")
    assert "undeclared" in ran.output
    assert "compiling failed (exit 1" in ran.text


def test_a_compilers_warning_is_shown_but_is_no_output():
    ran = run_in_sandbox(CRun(gccflags="-Wall"), "int main() { int unused; return 0; }")
    assert ran.output == ""
    assert "unused variable" in ran.text


def test_a_time_out_keeps_the_partial_output_and_its_note_is_not_judged():
    ran = run_in_sandbox(PythonRun(time_limit_s=0.5), "print('part', flush=True)\nwhile True: pass")
    assert ran.output == "part\n" and told(ran.output) == "part\n[killed: time limit of 0.5 s reached]"
    assert run(EqualEvaluator("part"), ran.output).output is False  # it is not all that it would have said
    assert "[killed: time limit" in ran.text
    assert re.search(
        r"killed at its time limit of 0\.5 s, .*; what it had printed but not flushed is lost\)", ran.text
    )


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


def test_a_fence_in_a_file_that_a_command_writes_is_part_of_the_command():
    command = "cat > a.md <<'EOF'\n```python\nx\n```\nEOF"
    for reply in (command, f"````bash\n{command}\n````"):
        ran = run_in_sandbox(reply >> TerminalRun() >> "cat a.md" >> TerminalRun())
        assert ran.output == "```python\nx\n```\n"


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


def test_java_without_a_class_around_its_main():
    code = "record P(int x) {}\nrecord Q(int x) {}\nvoid main() { IO.println(new P(40).x() + new Q(2).x()); }"
    assert run_in_sandbox(JavaRun(), code).output == "42\n"


def test_java_with_a_package_and_with_a_main_that_is_not_static():
    one = "package com.example;\npublic class App { public static void main(String[] a) { System.out.println(42); } }"
    assert run_in_sandbox(JavaRun(), one).output == "42\n"
    two = "class Two { int x() { return 42; } }\nclass App { void main() { System.out.println(new Two().x()); } }"
    assert run_in_sandbox(JavaRun(), two).output == "42\n"


JS_GUARDS = {
    "commonjs": "if (require.main === module) { process.exit(1) }\nmodule.exports = { f }",
    "the other way round": "if (module == require.main) { process.exit(1) }",
    "old": "if (!module.parent) process.exit(1)",
    "a module": "import { fileURLToPath } from 'url'\nexport { f }\n"
    "if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(1)",
    "a template": "export { f }\nif (import.meta.url === `file://${process.argv[1]}`) process.exit(1)",
}


@pytest.mark.parametrize("guard", JS_GUARDS)
def test_a_javascript_program_does_not_run_its_own_main_beside_a_test_case(guard):
    code = f"function f(x) {{ return 2 * x }}\n{JS_GUARDS[guard]}"
    ran = run_in_sandbox(code >> JavaScriptRun("console.log(f(21))"))
    assert ran.output == "42\n", ran.text


JS_ENDS = {
    "without its last semicolon": "function f(x) { return 2 * x }\nmodule.exports = { f }",
    "a function without one": "const f = function (x) { return 2 * x }",
    "only exported": "module.exports = function f(x) { return 2 * x }",
    "exported by its name": "exports.f = (x) => 2 * x;",
    "exported in an object": "module.exports = { f: (x) => 2 * x, g: 1 }",
    "a module": "export default function f(x) { return 2 * x } // exports.f = 1",
}


@pytest.mark.parametrize("node", [JavaScriptRun, TypeScriptRun])
@pytest.mark.parametrize("code", JS_ENDS)
def test_a_test_case_finds_what_a_javascript_program_defines_however_it_ends(code, node):
    ran = run_in_sandbox(JS_ENDS[code] >> node("(() => { console.log(f(21)) })()"))
    assert ran.output == "42\n", ran.text


def test_a_main_in_no_class_hides_no_java_test_case():
    code = """
    import java.util.*;
    public class Twice { int of(int x) { return 2 * x; } }
    /** Shows it: void main() { */
    static void main(String[] args) {
        for (int x : new int[] {1, 2}) { IO.println("}" + new Twice().of(x)); }
    }
    record After(int x) {}
    """
    case = "class Checks { public static void main(String[] a) { System.out.println(new Twice().of(new After(21).x())); } }"
    ran = run_in_sandbox(code >> JavaRun(case))
    assert ran.output == "42\n", ran.text


BARE_JAVA = """
import java.util.*;

final int[] SEEN = {1, 2};
int twice(int x) { return 2 * x; }
@SafeVarargs
static <T> List<T> all(T... xs) { return List.of(xs); }

class Twice {
    int of(int x) { return twice(x) + SEEN.length - all(1, 2).size(); }
}

void main() {
    IO.println("not to be run");
}
"""
BARE_CASES = {
    "a class": "class Checks { public static void main(String[] a) { System.out.println(new Twice().of(21)); } }",
    "one called Main": "public class Main { static void main() { System.out.println(new Twice().of(21)); } }",
    "a main of an object": "class Checks { void main(String[] a) { System.out.println(new Twice().of(21)); } }",
    "statements": "System.out.println(new Twice().of(21));",
    "a method that is in no class": "System.out.println(twice(21));",
}


@pytest.mark.parametrize("case", BARE_CASES)
def test_java_methods_in_no_class_hinder_no_test_case(case):
    ran = run_in_sandbox(BARE_JAVA >> JavaRun(BARE_CASES[case]))
    assert ran.output == "42\n", ran.text


def test_java_compile_error():
    assert (
        "cannot find symbol"
        in run_in_sandbox(
            JavaRun(errors=True), "interface I {} class A { public static void main(String[] a) { x(); } }"
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
