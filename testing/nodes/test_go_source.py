"""A Go program and a test case become two files of one package."""

from __future__ import annotations

import pytest

from assay.nodes.go_source import as_main, join_go
from assay.nodes.programs import assemble

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
