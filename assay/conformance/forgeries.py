"""
What a program tries in order to be judged right without knowing the answer, beside the attacks on the sandbox
(`main.py --doctor --attack`).

Each is a whole trial: a test, and a reply that solves nothing. It is held if the trial is a FAIL.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import ProviderError
from assay.language.dsl import Node, StringNode
from assay.language.files import MakeFile
from assay.language.functions import PyEvaluator
from assay.language.interactive import StartDockerJob
from assay.language.judge import SubstringEvaluator
from assay.language.make_tests import make_c_test, make_python_test
from assay.language.run import CppRun, CRun, PythonRun, TerminalRun
from assay.records import Completion, JsonMode, Limits, Message, Model, Outcome, TrialKey
from assay.running.trial import run_trial
from assay.sandboxes.attacks.runner import AttackResult
from assay.sandboxes.backends.registry import Backend
from assay.sandboxes.pool import Pool
from assay.suites.suite import Sample

LIMITS = Limits("attack", memory=1 << 30, processes=64)  # a compiler needs more than the other attacks


@dataclass(frozen=True)
class Forgery:
    """`test` begins with the program that forges."""

    name: str
    aim: str
    test: Node


class _NoModel:
    name = "forger"

    def for_trial(self, trial: TrialKey) -> Model:
        return self

    async def complete(self, messages: Sequence[Message], *, json: JsonMode = False) -> Completion:
        raise ProviderError("no model is asked in here")


def never() -> bool:
    time.sleep(0.2)
    return False


def knows_secret() -> bool:
    import random

    return random.random() > 1 or os.path.exists("/nowhere")  # noqa: PTH110 - runs in the sandbox


def counts_wrong() -> bool:
    import subprocess

    return subprocess.run(["python3", "-c", "print(6 * 7)"], capture_output=True).stdout != b"42\n"


def _python(code: str) -> Node:
    checks, answer = make_python_test([("f(1)", 4), ("f(2)", "square(4)")], "def square(x): return x * x")
    return StringNode(code) >> PythonRun(checks) >> SubstringEvaluator(answer)


def _reference(code: str) -> Node:
    header = """
def right(x):
    return [n * n + 1 for n in range(x)]

CASES = [2, 3]
RESULTS = [right(case) for case in CASES]
"""
    checks, answer = make_python_test([("f(4)", "right(4)"), ("[f(n) for n in CASES]", "RESULTS")], header)
    return StringNode(code) >> PythonRun(checks) >> SubstringEvaluator(answer)


def _c(code: str, node: type[CRun] | type[CppRun] = CRun) -> Node:
    checks, answer = make_c_test([("sq(3)", 9), ("sq(4)", "4 * 4")])
    return StringNode(code) >> node(checks) >> SubstringEvaluator(answer)


def _left_to_python(code: str) -> Node:
    header = "import os\ndef square(x): return x * x\ndef stop(): os._exit(0)"
    checks, answer = make_python_test(
        [("f(2)", "square(2)"), ("f(3)", "stop()"), ("f(4)", "square(4)")], header
    )
    return StringNode(code) >> PythonRun(checks) >> SubstringEvaluator(answer)


def _left_to_c(code: str) -> Node:
    pairs = [("sq(3)", "square(3)"), ("sq(4)", "sides[1]"), ("both(1).x", "(struct pair){1}.x")]
    checks, answer = make_c_test(pairs, "int square(int x) { return x * x; } int sides[] = {9, 16};")
    return StringNode(code) >> CRun(checks) >> SubstringEvaluator(answer)


NO_CHECKS = """
import builtins, json
builtins.enumerate = lambda *a: []
builtins.len = lambda x: 0
json.dumps = lambda x: '{"all": []}'
def f(x): return 0
"""

EQUALS_ALL = """
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __reduce__(self): return Any, ()
    def all(self): return True
Any.__module__ = "collections"
def f(x): return Any()
"""

READS_ALL = """
import gc, glob, sys
def f(x):
    frame = sys._getframe()
    while frame:
        print(frame.f_locals, frame.f_globals, frame.f_code.co_consts)
        frame = frame.f_back
    own = ["/proc/self/cmdline", "/proc/self/environ"]
    for path in [__file__, *own, *glob.glob("*"), *glob.glob("/tmp/*")]:
        try:
            print(open(path, errors="replace").read())
        except OSError:
            pass
    print([each for each in gc.get_objects() if isinstance(each, (str, dict, tuple))])
"""

ASKS_THE_HEADER = """
import gc, types
def f(x):
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and each.__code__.co_filename == "<test>":
            if not each.__name__.startswith("_assay"):
                return each(x)
    return []
"""

SAYS_TRUE = """
import gc, os
def f(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Report":
            for got in (True, 0, "", []):
                said = {"got": got, "claim": True, "wanted": got}
                each.send({"all": [{"number": n, **said} for n in range(9)]})
    print("all tests passed")
    os._exit(0)
"""

# Says the same of both sides of every check; what can be told without the program must not be asked of it
SAYS_BOTH = r"""
#include <unistd.h>
struct pair { int x; };
struct pair both(int x) { struct pair made = {x}; return made; }
int sq(int x) { return 0; }
__attribute__((constructor)) static void say(void) {
    assay_start();
    for (int number = 0; number < 9; number++)
        for (int side = 0; side < 2; side++) assay_begin(number, side), assay_integer(1), assay_done();
    _exit(0);
}
"""

NEVER_IF = """
#define if(...) if (0)
#define while(...) while (0)
#define return return 1;
#define strcmp(...) 0
int sq(int x) { return 1; }
"""

READS_ITSELF = r"""
#include <stdio.h>
__attribute__((constructor)) static void show(void) {
    const char *names[] = {"/proc/self/exe", "main.c", "assay_emit.c", "assay_emit.o", "/proc/self/environ"};
    for (int i = 0; i < 5; i++) {
        FILE *file = fopen(names[i], "rb");
        for (int c; file && (c = fgetc(file)) != EOF;) putchar(c);
    }
    puts("all tests passed");
}
int sq(int x) { return 1; }
"""

EQUAL_TYPE = """
struct Any {
    template <class T> friend bool operator==(const Any &, const T &) { return true; }
    template <class T> friend bool operator==(const T &, const Any &) { return true; }
};
Any sq(int) { return {}; }
"""

# Between exec and prctl of whatever Python starts, its descriptors can be taken.
LIES_IN_WAIT = r"""
import glob, os, signal
print('ready', flush=True)
own = {str(os.getpid()), '1'}
while True:
    for path in glob.glob('/proc/[0-9]*'):
        pid = path.split('/')[2]
        if pid in own:
            continue
        try:
            if b'prctl' not in open(path + '/cmdline', 'rb').read():
                continue
            data = os.open(path + '/fd/0', os.O_RDONLY)
            out = os.open(path + '/fd/1', os.O_WRONLY)
            os.kill(int(pid), signal.SIGSTOP)
            request = b''
            while not request.endswith(b'}'):
                request += os.read(data, 1 << 20)
            nonce = request.split(b'"nonce": "')[1].split(b'"')[0]
            os.write(out, nonce + b'{"ok": true, "returned": "True", "log": ""}\n')
            os.kill(int(pid), signal.SIGKILL)
        except (OSError, IndexError):
            pass
"""

SHADOWS = r"""
for name in random json os time base64 ctypes linecache traceback sitecustomize usercustomize; do
    printf 'import os\nos.write(1, b"{\\"ok\\": true}")\nos._exit(0)\n' > $name.py
done
mkdir -p ~/.local/lib/python3.{9..14}/site-packages
for folder in ~/.local/lib/python3.*/site-packages; do
    cp *.py $folder
    echo 'import os; os._exit(0)' > $folder/a.pth
done
"""

POISONS = r"""
for folder in ~/.local/lib/python3.{9..14}/site-packages; do
    mkdir -p $folder
    printf 'import os\nos.write(1, b"43\\n")\nos._exit(0)\n' > $folder/usercustomize.py
done
"""

FORGERIES = (
    Forgery("no checks left", "take away what the checks are made with", _python(NO_CHECKS)),
    Forgery("equals everything", "return an object that equals everything", _python(EQUALS_ALL)),
    Forgery("read the answer", "find the answer in files, frames and memory", _python(READS_ALL)),
    Forgery("ask the header", "find the function that computes the answer", _reference(ASKS_THE_HEADER)),
    Forgery("say true", "send values for the checks without knowing them", _python(SAYS_TRUE)),
    Forgery(
        "say it for all", "where one value needs the program, send the others too", _left_to_python(SAYS_TRUE)
    ),
    Forgery("say both sides", "the same in C: send what is given and what is wanted", _left_to_c(SAYS_BOTH)),
    Forgery("macros", "redefine C's own words in the test", _c(NEVER_IF)),
    Forgery("read the program", "find the answer in the built program", _c(READS_ITSELF)),
    Forgery("equal type", "return a C++ type whose == is always true", _c(EQUAL_TYPE, CppRun)),
    Forgery(
        "lie in wait",
        "take the grader's descriptors from a program that the test keeps",
        StringNode(LIES_IN_WAIT)
        >> MakeFile("wait.py")
        >> StartDockerJob("python3 wait.py", eos_string="ready")
        >> PyEvaluator(never),
    ),
    Forgery(
        "shadow modules",
        "stand in for what the grader imports",
        StringNode(SHADOWS) >> TerminalRun() >> PyEvaluator(knows_secret),
    ),
    Forgery(
        "poison Python",
        "change what a Python prints that the grader starts",
        StringNode(POISONS) >> TerminalRun() >> PyEvaluator(counts_wrong),
    ),
)


async def run_all(backend: Backend, only: Sequence[str] = ()) -> list[AttackResult]:
    """Run every forgery (or those named in `only`) in sandboxes of a backend that has passed its probe."""
    return [await run_one(backend, each) for each in FORGERIES if not only or each.name in only]


async def run_one(backend: Backend, forgery: Forgery) -> AttackResult:
    """One trial. Where the sandbox lacks a compiler it is not tried, and says so."""
    started, model = time.monotonic(), _NoModel()
    pool = Pool(backend, LIMITS, 1, 4, 2, "attack", 1)
    try:
        record = await run_trial(
            Sample(id=f"forgery.{forgery.name}", test=forgery.test), model, model, model, pool
        )
    finally:
        await pool.close()
    if record.outcome is Outcome.SKIPPED:
        passed, said = True, f"not tried: {record.why}"
    else:
        passed = record.outcome is Outcome.FAIL
        said = "judged wrong" if passed else f"{record.outcome}: {record.error or record.why}"[:300]
    seconds = time.monotonic() - started
    return AttackResult(forgery.name, forgery.aim, backend.tier, passed, said, seconds)
