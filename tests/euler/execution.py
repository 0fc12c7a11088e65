"""How a program is built and started: the standard library only, and every language at its full speed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.language.java_source import java_types, main_type, package_of
from assay.language.languages import LANGUAGES
from assay.language.programs import assemble, plain
from assay.records import Standby

# A virtual environment of its own, by hand (venv would take a second): the interpreter then looks for
# packages below the work directory and nowhere else, whatever the image holds.
BARE_PYTHON = (
    "set -e; python=$(command -v python3); "
    "printf 'home = %s\\ninclude-system-site-packages = false\\n' \"${python%/*}\" > pyvenv.cfg; "
    'ln -s "$python" python'
)
# The image's JVM counts on 2 GB of memory and would give a program a quarter of it. Its clojure has the
# second compiler turned off, for programs that live half a second; ours may run for a minute. That compiler
# starts late (8 times the usual counts): programs of a second take 0.7 of the time, long ones no more.
JVM_MEMORY = "-XX:MaxRAMPercentage=70"
CLOJURE_ENV = {"_JAVA_OPTIONS": f"-XX:TieredStopAtLevel=4 -XX:CompileThresholdScaling=8 {JVM_MEMORY}"}
# A JVM with Clojure loaded, 0.35 s of CPU, that reads one byte and then does as `clojure main.clj` does.
WAITING_CLOJURE = f"exec clojure -e '(do (.read System/in) nil)' {LANGUAGES['clojure'].filename}"
JVM_NOTICE = b"Picked up _JAVA_OPTIONS:"


@dataclass(frozen=True)
class Recipe:
    """The file to write and the shell commands that build and run it. `compiles`: whether `build` is a
    compiler, whose failure is the program's; else it prepares and must succeed."""

    filename: str
    source: str
    run: str
    build: str = ""
    compiles: bool = True
    env: Mapping[str, str] = field(default_factory=dict)


def recipe_for(language: str, code: str) -> Recipe:
    """How to build and run `code`."""
    if language == "java":
        return _java(code)
    program = assemble(language, code, "")
    run = f"exec {program.run}"
    if language == "python":
        return Recipe(program.filename, program.source, "exec ./python main.py", BARE_PYTHON, compiles=False)
    env = CLOJURE_ENV if language == "clojure" else {}
    return Recipe(program.filename, program.source, run, program.build, env=env)


def shell(command: str) -> tuple[str, ...]:
    """The argument vector of a recipe's `build` or `run`."""
    return ("sh", "-c", command)


def standby_for(language: str) -> Standby | None:
    """What a sandbox starts ahead, so that the program need not wait for it; None where a start is quick."""
    if language != "clojure":
        return None
    run = recipe_for(language, "").run
    return Standby(shell(run), shell(WAITING_CLOJURE), tuple(CLOJURE_ENV.items()))


def _java(code: str) -> Recipe:
    """Compiled for itself, so that the compiler's time is not the program's. The class to start is the
    public one with a main, else the one called Main, else the first."""
    code = plain(code)
    types = java_types(code)
    start = main_type(types)
    public = next((each.name for each in types if each.public), start.name if start else "Main")
    package = package_of(code)
    name = start.name if start else public
    name = f"{package}.{name}" if package else name
    build = f"javac -encoding UTF-8 -nowarn -d classes {shlex.quote(public)}.java"
    return Recipe(f"{public}.java", code, f"exec java {JVM_MEMORY} -cp classes {shlex.quote(name)}", build)
