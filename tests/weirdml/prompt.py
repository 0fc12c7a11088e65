"""What the model is told: at the start, and after each submission."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .tasks import PREDICTIONS, Task

SHOWN = 8000  # characters of terminal output; of more, the first and the last half

SYSTEM = """\
You solve a machine-learning task by writing one Python script, which is run for you.

The machine it runs on:
- {device}
- {memory} of memory and {threads}; whatever takes more is killed
- {seconds} for the whole script, training and prediction together; time in which it waits for a core that other \
programs use is not counted
- Python {python} with {libraries}; nothing else can be installed
- no internet, no pretrained weights

The script starts in a folder that holds data/ (the files described below; they cannot be changed) and results/ \
(empty). It must write its predictions to {predictions}.

Answer with the whole script in one fenced code block. If an answer has several blocks, the longest one is run; the \
script may have at most {kilobytes} KiB. You have {iterations}. After each one you are told the score on the test set, \
or why there is none, how long the script took, and what it printed (of more than {shown} characters the first and \
the last {half}){again}. A script that crashes or comes to a limit scores 0, even if it has written predictions by \
then. Nothing is kept from one submission to \
the next: each runs by itself, from an empty results/. The best score counts."""

QUESTION = """\
{about}

Files in data/:
{files}

Write {predictions}: plain text, {lines}, in the order of the test items. Nothing else may be in it.

Score: {metric}. {scale} The test labels are not in data/."""

NEXT = "You have {left} left. Improve the script, and answer with the whole of it in one fenced code block."
LAST = "That was the last submission."


@dataclass(frozen=True)
class Machine:
    """The sandbox as a program finds it. `libraries`: name -> version, of those that are there."""

    device: str
    python: str
    libraries: Mapping[str, str]
    memory: int
    threads: int
    time_limit_s: float


def system_prompt(machine: Machine, iterations: int, max_source: int) -> str:
    """What every task begins with: the machine, the rules, the form of an answer."""
    libraries = ", ".join(f"{name} {version}" for name, version in machine.libraries.items())
    threads = f"{machine.threads} CPU core{'s'[: machine.threads != 1]}"
    if machine.threads > 1:
        threads += f" (libraries are told to use {machine.threads} threads)"
    else:
        threads += " (libraries are told to use one thread)"
    return SYSTEM.format(
        device=machine.device,
        memory=f"{machine.memory / (1 << 30):.3g} GiB",
        threads=threads,
        seconds=f"{machine.time_limit_s:g} seconds",
        python=machine.python,
        libraries=libraries or "its standard library alone",
        predictions=PREDICTIONS,
        kilobytes=max_source >> 10,
        iterations="one submission" if iterations == 1 else f"{iterations} submissions",
        shown=SHOWN,
        half=SHOWN // 2,
        again="" if iterations == 1 else ", and may improve the script",
    )


def question(task: Task) -> str:
    """The task itself."""
    rows, width = task.shape
    each = "one integer a line" if width == 1 else f"{width} integers a line, with spaces between them"
    return QUESTION.format(
        about=task.about,
        files="\n".join(f"- {name}: {what}" for name, what in task.files.items()),
        predictions=PREDICTIONS,
        lines=f"{rows} lines with {each}",
        metric=task.metric,
        scale=scale(task),
    )


def scale(task: Task) -> str:
    """What little effort has, to compare with."""
    return f"Guessing has {task.chance:.2g}, a simple program ({task.simple}) {task.baseline:.2g}."


def excerpt(output: str, shown: int = SHOWN, *, incomplete: bool = False) -> str:
    """The first and the last half of what was printed, if it is too long. `incomplete`: more was printed than
    there is in `output`, somewhere in its middle.

    >>> excerpt("abcdefgh", 4)
    'ab\\n[... 4 characters left out ...]\\ngh'
    """
    if len(output) <= shown:
        return output
    half = shown // 2
    left_out = f"{'more than ' * incomplete}{len(output) - 2 * half} characters left out"
    return f"{output[:half]}\n[... {left_out} ...]\n{output[-half:]}"


def feedback(verdict: str, output: str | None, left: int) -> str:
    """What a submission came to, what it printed (an `excerpt`; None where nothing ran), and how many are
    left."""
    shown = (output or "").strip("\n")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    printed = f"Terminal output:\n{fence}\n{shown}\n{fence}" if shown.strip() else "It printed nothing."
    more = NEXT.format(left="one submission" if left == 1 else f"{left} submissions") if left else LAST
    return "\n\n".join([verdict, *([] if output is None else [printed]), more])
