"""Two mains in one file, and which class Java starts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.java_source import java_types, join_java, main_type
from assay.language.main_function import TOKENS, defines_main, masked, without_program_main
from assay.language.programs import assemble

TEST_MAIN = {"c": "int main(void) { return 0; }", "cpp": "int main() {}", "rust": "fn main() {}"}


@pytest.mark.parametrize(
    ("language", "marked"),  # MAIN: the name that must change; main: one that must stay
    [
        ("c", "int MAIN() { return 0; }"),
        ("c", "int MAIN(argc, argv) int argc; char **argv; { }"),
        ("c", '// main()\nint MAIN(void) { puts("main()"); }'),
        ("c", "/* int main() */ int f() { return '\"'; } int MAIN(){}"),
        ("c", '#include "main.h"\n#include <main.h>\nint MAIN(){}'),
        ("c", "int MAIN(){ return MAIN(); }"),
        ("c", "int domain() {} int main_loop() {} int MAIN(){}"),
        ("c", "// a \\\nint main() {}\nint MAIN(){}"),
        ("c", "#ifdef A\nint f() {\n#else\nint f(int x) {\n#endif\n}\nint MAIN(){}"),
        ("c", "#if A\nint MAIN(void) {\n#else\nint MAIN(int c, char **v) {\n#endif\n}"),
        ("cpp", 'auto s = R"x(int main() { ")x"; int MAIN(){}'),
        ("cpp", "int n = 1'000'0; int MAIN(){}"),
        ("rust", 'fn MAIN() { println!("fn main()"); }'),
        ("rust", "/* /* */ fn main() {} */ fn MAIN() {}"),
        ("rust", "fn f<'a>(x: &'a str) -> char { '\"' } fn MAIN() {}"),
        ("rust", 'let s = r#"fn main" {"#; fn MAIN() {}'),
    ],
)
def test_the_programs_main_is_renamed(language, marked):
    program, renamed = marked.replace("MAIN", "main"), marked.replace("MAIN", "program_main")
    assert without_program_main(program, TEST_MAIN[language], language) == renamed


def test_the_new_name_is_one_that_the_program_does_not_use():
    program = "int program_main; int main(){}"
    assert without_program_main(program, TEST_MAIN["c"], "c") == "int program_main; int program_main_(){}"


@pytest.mark.parametrize(
    ("language", "program"),
    [
        ("c", "int f() { return 0; } // int main()"),
        ("c", 'char *s = "int main() {";'),
        ("c", "struct s { int main; };"),
        ("rust", "// fn main() {}"),
        ("rust", "mod m { fn main() {} }"),
        ("cpp", "namespace n { int main() { return 1; } }"),
    ],
)
def test_a_program_without_main_stays_as_it_is(language, program):
    assert not defines_main(program, language)
    assert without_program_main(program, TEST_MAIN[language], language) == program


def test_a_main_stays_if_the_test_case_has_none():
    assert without_program_main("int main(){}", "// int main()", "c") == "int main(){}"


@given(st.sampled_from(sorted(TOKENS)), st.text("ab/*'\"\\\n{}r#R(x)1 ", max_size=40))
def test_masking_moves_nothing(language, source):
    text = masked(source, language)
    assert len(text) == len(source)
    assert [i for i, c in enumerate(text) if c == "\n"] == [i for i, c in enumerate(source) if c == "\n"]
    assert all(new in (old, " ") for new, old in zip(text, source, strict=True))


def test_pythons_guard_is_turned_off_by_a_test_case():
    program = "x = 'é'; y = 1\nif __name__ == '__main__':\n    print('program')\n"
    guarded = "if __name__ == '__main__':\n    print(y)\n"
    assert "__program_main__" in without_program_main(program, guarded, "python")
    assert "__program_main__" in assemble("python", program, "print(y)").source
    assert assemble("python", program, "").source == program
    assert without_program_main("if broken", guarded, "python") == "if broken"


def test_line_ends_become_newlines():
    assert assemble("python", "a\r\nb", "").source == "a\nb\n"


@pytest.mark.parametrize(
    ("code", "module"),
    [
        ("import fs from 'fs'", True),
        ("import {a} from 'fs'", True),
        ("import 'fs'", True),
        ("import * as x from 'y'", True),
        ("export default 1", True),
        ("export const a = 1", True),
        ("/*\nimport x from 'y'\n*/", False),
        ("const s = `\nimport x from 'y'\n`", False),
        ("const r = /`/g\nimport x from 'y'", True),
        ("const t = '`'\nimport x from 'y'", True),
        ("// it's\nimport x from 'y'", True),
        ("const a = import('fs')", False),
        ("important = 1", False),
    ],
)
def test_javascript_is_a_module_if_its_code_says_so(code, module):
    assert (assemble("javascript", code, "").filename == "main.mjs") is module


# ---------------------------------------------------------------- Java


def test_the_class_to_start():
    source = """
    // class Comment { public static void main(String[] a) {} }
    interface Shape { double area(); }
    class Helper { static class Main { static void main(int x) {} } String s = "class A {"; }
    public class App { public static void main(String... args) {} }
    """
    assert [each.name for each in java_types(source)] == ["Shape", "Helper", "App"]
    assert main_type(java_types(source)).name == "App"


@pytest.mark.parametrize(
    ("classes", "started"),
    [
        ("class A{M} public class B{M} class Main{M}", "B"),
        ("class A{M} class Main{M}", "Main"),
        ("class A{M} class B{M}", "A"),
        ("class A{} class B{M}", "B"),
        ("record P(int x) {} enum E {X} class B{M}", "B"),
    ],
)
def test_of_several_mains_the_public_one_then_main_then_the_first(classes, started):
    source = classes.replace("M}", " public static void main(String[] a) {} }")
    assert main_type(java_types(source)).name == started


def test_joining_moves_imports_up_and_puts_the_test_first():
    program = (
        "package p;\nimport java.util.*;\npublic class Main { int x; public static void main(String[] a) {} }"
    )
    joined = join_java(
        program, "import java.util.List;\nclass Main { public static void main(String[] a) {} }"
    )
    assert re.sub(r"\s+", " ", joined).startswith("import java.util.List; import java.util.*; class Main {")
    assert "class ProgramMain { int x;" in joined and "package" not in joined
