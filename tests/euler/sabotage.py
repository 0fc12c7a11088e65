"""Wrong answers that a careless scorer would take for right ones, in every language.

Problem 1 gets all of them, every other problem two in turn of those that do not take until the time limit.
"""

from __future__ import annotations

from collections.abc import Mapping

from .facts import Problem, problems

SLOW = ("hang", "answer, then no end")  # they take the whole time limit


def _other_answer(problem: Problem) -> str:
    """The answer of the next problem: a number of this kind, and not this one's."""
    known = problems()
    other = known.get(problem.number + 1) or known[problem.number - 1]
    return other.answer or "0"


# What each language says. {answer} is the right one, {other} another problem's. Double braces are braces.
BODIES: Mapping[str, Mapping[str, str]] = {
    "python": {
        "another problem's answer": 'print("{other}")',
        "answer in the middle": 'print("{answer}")\nprint("done")',
        "answer within a line": 'print("the answer is {answer}")',
        "allocate without end": "data = []\nwhile True:\n    data.append(bytearray(1 << 26))",
        "crash before printing": 'result = 1 // 0\nprint("{answer}")',
        "print nothing": 'result = "{answer}"',
        "answer only in a comment": "# The answer is {answer}\nprint(0)",
        "does not compile": 'print("{answer}"',
        "answer on stderr": 'import sys\nprint("{answer}", file=sys.stderr)',
        "hang": "while True:\n    pass",
        "answer, then no end": 'print("{answer}", flush=True)\nwhile True:\n    pass',
    },
    "java": {
        "another problem's answer": 'System.out.println("{other}");',
        "answer in the middle": 'System.out.println("{answer}"); System.out.println("done");',
        "answer within a line": 'System.out.println("the answer is {answer}");',
        "allocate without end": "var data = new java.util.ArrayList<byte[]>(); "
        "while (true) data.add(new byte[1 << 24]);",
        "crash before printing": 'System.out.println(args[0] + "{answer}");',
        "print nothing": 'String result = "{answer}";',
        "answer only in a comment": "// The answer is {answer}\n        System.out.println(0);",
        "does not compile": 'System.out.println("{answer}")',
        "answer on stderr": 'System.err.println("{answer}");',
        "hang": "while (true);",
        "answer, then no end": 'System.out.println("{answer}"); while (true);',
    },
    "rust": {
        "another problem's answer": 'println!("{other}");',
        "answer in the middle": 'println!("{answer}"); println!("done");',
        "answer within a line": 'println!("the answer is {answer}");',
        "allocate without end": "let mut data = Vec::new(); loop {{ data.push(vec![1u8; 1 << 26]); }}",
        "crash before printing": 'let none: Option<u8> = std::env::args().nth(9).map(|_| 1); '
        'println!("{{}}", none.unwrap()); println!("{answer}");',
        "print nothing": 'let _result = "{answer}";',
        "answer only in a comment": '// The answer is {answer}\n    println!("0");',
        "does not compile": 'println!("{answer}"',
        "answer on stderr": 'eprintln!("{answer}");',
        "hang": "loop {{ std::hint::spin_loop(); }}",
        "answer, then no end": 'println!("{answer}"); loop {{ std::hint::spin_loop(); }}',
    },
    "clojure": {
        "another problem's answer": '(println "{other}")',
        "answer in the middle": '(println "{answer}")\n(println "done")',
        "answer within a line": '(println "the answer is {answer}")',
        "allocate without end": "(loop [data []] (recur (conj data (byte-array 16777216))))",
        "crash before printing": '(quot 1 0)\n(println "{answer}")',
        "print nothing": '(def result "{answer}")',
        "answer only in a comment": "; The answer is {answer}\n(println 0)",
        "does not compile": '(println "{answer}"',
        "answer on stderr": '(binding [*out* *err*] (println "{answer}"))',
        "hang": "(loop [] (recur))",
        "answer, then no end": '(println "{answer}")\n(flush)\n(loop [] (recur))',
    },
    "c": {
        "another problem's answer": 'puts("{other}");',
        "answer in the middle": 'puts("{answer}"); puts("done");',
        "answer within a line": 'puts("the answer is {answer}");',
        "allocate without end": "for (;;) memset(malloc(1 << 26), 1, 1 << 26);",
        "crash before printing": 'abort(); puts("{answer}");',
        "print nothing": 'const char *result = "{answer}"; (void)result;',
        "answer only in a comment": "/* The answer is {answer} */ puts(\"0\");",
        "does not compile": 'puts("{answer}"',
        "answer on stderr": 'fputs("{answer}\\n", stderr);',
        "hang": "for (volatile int i = 0;;) i++;",
        "answer, then no end": 'puts("{answer}"); fflush(stdout); for (volatile int i = 0;;) i++;',
    },
    "javascript": {
        "another problem's answer": 'console.log("{other}");',
        "answer in the middle": 'console.log("{answer}");\nconsole.log("done");',
        "answer within a line": 'console.log("the answer is {answer}");',
        "allocate without end": "const data = [];\nfor (;;) data.push(Buffer.alloc(1 << 26, 1));",
        "crash before printing": 'null.answer;\nconsole.log("{answer}");',
        "print nothing": 'const result = "{answer}";',
        "answer only in a comment": "// The answer is {answer}\nconsole.log(0);",
        "does not compile": 'console.log("{answer}"',
        "answer on stderr": 'console.error("{answer}");',
        "hang": "for (;;);",
        "answer, then no end": 'console.log("{answer}");\nfor (;;);',
    },
}  # fmt: skip
FRAMES = {
    "java": "public class Main {\n    public static void main(String[] args) {\n        %s\n    }\n}",
    "rust": "fn main() {\n    %s\n}",
    "c": "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {\n    %s\n    return 0;\n}",
}


def saboteurs(problem: Problem, language: str) -> list[tuple[str, str]]:
    """(what is wrong, the reply) for one problem: programs, and replies that hold none."""
    basis = "c" if language == "cpp" else language
    answers = {"answer": problem.answer, "other": _other_answer(problem)}
    found = []
    for name, body in BODIES[basis].items():
        program = FRAMES.get(basis, "%s") % body.format(**answers)
        found.append((name, f"```{language}\n{program}\n```\n"))
    found.append(("only the answer", problem.answer))
    found.append(("nothing", ""))
    if problem.number == 1:
        return found
    quick = [each for each in found if each[0] not in SLOW]
    return [quick[(2 * problem.number + at) % len(quick)] for at in (0, 1)]
