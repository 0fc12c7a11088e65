"""A Go program and a test case become two files of one package."""

from __future__ import annotations

import pytest

from assay.language.go_source import as_main, join_go
from assay.language.programs import assemble
from evaluator import GoRun
from testing.language.pipeline import run_in_sandbox

CASE = 'import "fmt"\n\nfunc main() { fmt.Println(f()) }'


@pytest.mark.parametrize(
    "program",
    [
        "package main\n\nfunc f() int { return 1 }",
        "// Package stack is one.\npackage stack // of things\n\nfunc f() int { return 1 }",
        "func f() int { return 1 }",
    ],
)
def test_a_program_of_any_package_or_none_is_of_package_main(program):
    joined, case = join_go(program, CASE)
    assert [line.split("//")[0].strip() for line in joined.splitlines() if line.startswith("package")] == [
        "package main"
    ]
    assert case.startswith("package main\n\nimport")
    assert as_main(program).count("package main") == 1


def test_a_package_clause_in_a_comment_or_a_string_is_none():
    program = "/*\npackage a\n*/\npackage b\n\nvar s = `\npackage c\n`\n"
    assert as_main(program) == program.replace("package b", "package main")


def test_the_programs_main_gives_way_wherever_it_is_called():
    program = (
        'package main\n\nfunc main() {\n\tprintln("main()", `main`) // main\n}\n\nfunc again() { main() }'
    )
    joined, _ = join_go(program, CASE)
    assert "func program_main() {" in joined
    assert "func again() { program_main() }" in joined
    assert joined.startswith("package main\n") and '"main()", `main`) // main' in joined
    assert join_go(program, "func g() {}")[0] == program


def test_a_method_named_main_is_no_main():
    program = "package main\n\ntype T struct{}\n\nfunc (T) main() {}"
    assert join_go(program, CASE)[0] == program


def test_both_files_are_written_and_built():
    program = assemble("go", "func f() int { return 1 }", CASE)
    assert set(program.files) == {"main.go", "case.go"}
    assert program.build == "go build -o main main.go case.go"
    alone = assemble("go", "func main() {}", "")
    assert set(alone.files) == {"main.go"} and alone.build == "go build -o main main.go"


def test_what_a_program_calls_as_the_language_does_gets_another_name_beside_a_test_case():
    program = """package old

var (
	zero int
	nil, x = 0, "min"
)

const true, y = 0, len(".")

type pair struct {
	int
	error
}

func min(a, b int64) int64 { // min
	return a
}

func f() int { return int(min(1, 2)) + zero*nil*true }
"""
    joined, _ = join_go(program, CASE)
    for line in (
        '\town_nil, x = 0, "min"',
        'const own_true, y = 0, len(".")',
        "\tzero int",
        "\tint",
        "\terror",
        "func own_min(a, b int64) int64 { // min",
        "func f() int { return int(own_min(1, 2)) + zero*own_nil*own_true }",
    ):
        assert line in joined.splitlines()
    assert join_go(program, "")[0] == joined
    assert "func min" in as_main(program)


def test_a_go_test_case_means_the_languages_own_min():
    program = "const true = false\n\nfunc min(a, b int64) int64 { return 7 }\n\nfunc f() int { return 42 }"
    case = 'import "fmt"\n\nfunc main() { fmt.Println(min(len("ab"), 3), f(), true) }'
    ran = run_in_sandbox(program >> GoRun(case))
    assert ran.output == "2 42 true\n", ran.text
