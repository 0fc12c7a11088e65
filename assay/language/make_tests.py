"""Test programs from lists of (expression, expected), to be appended to a model's code.

The answer is a token that the test program prints at its end if every check held. A program that stops early,
replaces `print` or returns an object that equals everything does not obtain it. One that reads its own source
file could.
"""

from __future__ import annotations

import hashlib
import re
import symtable
from collections.abc import Sequence
from functools import partial
from typing import Any

from assay.errors import NodeError
from assay.language.c_checks import CChecks
from assay.language.c_source import split_header
from assay.language.checks import Checks, check_body, indented, with_globals, without_stars
from assay.language.inside import filled


def _answer(*parts: str) -> str:
    """A token that no program prints by chance; the same each time, so that runs can be compared."""
    return "assay-" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def _token_source(answer: str) -> str:
    """The token as adjacent literals: the source that an error message quotes does not contain it."""
    return " ".join(f'"{answer[i : i + 5]}"' for i in range(0, len(answer), 5))


def _pairs(q_and_a: Sequence[tuple[Any, Any]], maker: str) -> list[tuple[str, Any]]:
    pairs = []
    for pair in q_and_a:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], str):
            raise NodeError(f"{maker} needs pairs (expression, expected), not {pair!r}")
        pairs.append((pair[0], pair[1]))
    if not pairs:
        raise NodeError(f"{maker} needs at least one pair (expression, expected)")
    return pairs


def make_python_test(q_and_a: Sequence[tuple[str, Any]], header: str = "") -> tuple[Checks, str]:
    """(test_case, answer) for PythonRun(test_case) >> SubstringEvaluator(answer).

    Each pair is an expression and what it should equal: as Python source if it is a string
    ("'abc'" for the string abc), any other value as it is. The expression may also be several lines of
    statements; its value is that of the last assignment or expression. `header` runs first, after the
    program, in a function of its own: what it defines is seen by the checks, and by the program where that
    does not define the name itself; it hides no name of the program, which might call jax.numpy np. To
    replace something in the program it says `global name`. The program's `if __name__ == "__main__":` does
    not run.

    The values leave the sandbox as data. The expected values are evaluated separately, without the program,
    if they need nothing of it; they are compared outside. Every failed check is reported with the value that
    it gave.
    """
    try:
        header = with_globals(header)
        body, own = indented(without_stars(header)[0]) or "    pass", _header_names(header)
    except (SyntaxError, ValueError) as error:
        raise NodeError(f"make_python_test: the header is not valid Python ({error})") from None
    pairs = _pairs(q_and_a, "make_python_test")
    functions, checks, bodies = [], [], []
    for number, (expression, expected) in enumerate(pairs):
        wanted = expected if isinstance(expected, str) else repr(expected)
        _check_expression(wanted)
        others = [part for place, pair in enumerate(pairs) if place != number for part in pair]
        bodies.append(check_body(expression, partial(_declared, own=own, others=(expected, *others))))
        functions += [f"    def _assay_{number}():", indented(bodies[-1], " " * 8)]
        text = " ".join(expression.split())
        checks.append(f"        ({text!r}, _assay_{number}, lambda: ({wanted}\n)),")
    answer = _answer(header, *bodies, *checks)
    text = "\n" + filled(
        "self_checking.py.txt",
        header=body,
        functions="\n".join(functions),
        checks="\n".join(checks),
        token=_token_source(answer),
    )
    return Checks.of(text, header=header, pairs=pairs, bodies=bodies, answer=answer), answer


def _check_expression(source: str) -> None:
    try:
        compile(f"({source}\n)", "<test>", "eval")
    except (SyntaxError, ValueError) as error:
        raise NodeError(f"make_python_test: {source!r} is not a Python expression ({error})") from None


def _header_names(header: str) -> set[str]:
    """The names that the header binds in its function."""
    source = f"def header():\n{indented(without_stars(header)[0]) or '    pass'}\n    pass"
    table = symtable.symtable(source, "<header>", "exec").get_children()[0]
    return {name.get_name() for name in table.get_symbols() if name.is_local()}


def _declared(name: str, own: set[str], others: Sequence[Any]) -> str:
    """The declaration of a name that a question assigns: it is the header's, or one that other questions
    use."""
    if name in own:
        return "nonlocal"
    used = any(isinstance(each, str) and re.search(rf"\b{re.escape(name)}\b", each) for each in others)
    return "global" if used else ""


def _c_literal(value: Any) -> str:
    """A Python value as C source; a string is C source already."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return f"{value}" if abs(value) < 1 << 31 else f"({value}LL)"
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    raise NodeError(f"make_c_test: {value!r} has no C literal; write it as C source in a string")


def _c_text(text: str) -> str:
    """Text as a C string literal that printf can take as an argument."""
    escaped = re.sub(r'(["\\?])', r"\\\1", " ".join(text.split()))
    return f'"{escaped}"'


def make_c_test(
    q_and_a: Sequence[tuple[str, Any]], header: str = "", extra_methods: str = ""
) -> tuple[CChecks, str]:
    """(test_case, answer) for CRun(test_case) or CppRun(test_case) >> SubstringEvaluator(answer).

    Each pair is a C expression and what it should equal: C source if it is a string ("\\"abc\\""
    for the string abc), or a Python number. Strings are compared by content, doubles within 1e-9
    and floats within 1e-5 of their size. Statements of `header` stand inside main, before the checks; its
    includes, functions and types before that, as `extra_methods` (functions for the checks) do.

    The values leave the sandbox as data and are compared outside. The expected values are literals, or come
    from a separate program if they need nothing of the model's.
    """
    pairs = [(expression, _c_literal(expected)) for expression, expected in _pairs(q_and_a, "make_c_test")]
    checks = []
    for number, (expression, wanted) in enumerate(pairs, 1):
        checks.append(
            f"    if (!ASSAY_SAME(({expression}), ({wanted}))) {{\n        failed++;\n"
            f'        printf("test {number} failed: %s is %s, should be %s\\n", {_c_text(expression)}, '
            f"assay_got, {_c_text(wanted)});\n        fflush(stdout);\n    }}"
        )
    answer = _answer(header, extra_methods, *checks)
    outside, inside = split_header(header, extra_methods, "cpp")
    text = "\n" + filled(
        "self_checking.c",
        header=outside,
        extra_methods=extra_methods,
        statements=inside,
        checks="\n".join(checks),
        count=str(len(checks)),
        token=_token_source(answer),
    )
    return CChecks.of(text, header=header, helpers=extra_methods, pairs=pairs, answer=answer), answer
