"""Tasks in the Harbor format: folders with a container, an instruction for an agent and a verifier."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.language.agents.agent_run import AgentRun
from assay.language.agents.programs import Shell
from assay.language.dsl import Node, StringNode
from assay.records import TrialKey
from assay.sandboxes.backends.task_container import SOLUTION
from assay.sandboxes.image.task_image import TaskImage
from assay.suites.suite import Sample, Suite
from assay.turns import Script

from .machine import Machine, limits_of
from .nodes import START, Broken, InContainer, Skipped, Verify
from .task_folder import TASK, Task, read_task, task_folders

NAME = "harbor"
AGENT_LIMIT_S = 3600.0  # of a task that does not say
COMMAND_LIMIT_S = 600.0  # of one command of the agent's
MAX_TURNS = 100
SYSTEM = "You work in a container, as root, without a network. Do the task; nobody can answer questions."
SLACK_S = 120.0  # for opening containers


def why_skipped(task: Task, machine: Machine, *, offline: bool) -> str:
    """What the task asks for and cannot get, as a sentence; '' if it can run."""
    asked = [*task.asks, *machine.lacks(task)]
    if task.internet and not offline:
        asked.append(f"the internet ({task.internet}); --offline runs it without")
    return f"the task asks for what it cannot have here: {'; '.join(asked)}" if asked else ""


def image_of(task: Task, bases: Mapping[str, str]) -> TaskImage:
    """The image of its container."""
    return TaskImage(task.folder / "environment", task.docker_image, bases, task.build_limit_s)


def test_of(task: Task, image: TaskImage, max_turns: int) -> Node:
    """The pipeline of one trial."""
    limit_s = task.agent_limit_s or AGENT_LIMIT_S
    shell = Shell(time_limit_s=min(COMMAND_LIMIT_S, limit_s))
    agent = AgentRun([shell], max_turns=max_turns, time_limit_s=limit_s, system=SYSTEM)
    return StringNode(task.instruction) >> InContainer(task, image, agent) >> Verify(task)


def fingerprint_of(folder: Path) -> str:
    """A hash of every file of a task: what is asked, where, and what is right."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        if path.is_symlink():
            digest.update(os.fsencode(path.readlink()))
        elif path.is_file():
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def sample_of(
    name: str,
    folder: Path,
    machine: Machine,
    *,
    offline: bool = False,
    bases: Mapping[str, str] | None = None,
    max_turns: int = MAX_TURNS,
) -> Sample:
    """One task; if its folder is broken, one whose trials are an ERROR that says why."""
    common: dict[str, Any] = {"id": f"{NAME}.{name}", "source": str((folder / TASK).resolve())}
    try:
        task = read_task(name, folder)
    except ConfigError as error:
        return Sample(test=Broken(str(error)), description="broken task", **common)
    common |= {
        "description": task.description or _first_line(task.instruction),
        "tags": task.tags,
        "fingerprint": fingerprint_of(folder),
        "extra": {**task.facts, **({"notes": list(task.notes)} if task.notes else {})},
    }
    if why := why_skipped(task, machine, offline=offline):
        return Sample(test=Skipped(why), **common)
    image = image_of(task, bases or {})
    limits = limits_of(task, image.name())
    return Sample(
        test=test_of(task, image, max_turns), limits=limits, time_limit_s=trial_limit_s(task), **common
    )


def trial_limit_s(task: Task) -> float:
    """Of all its parts, each of which has a limit of its own; the verifier may run twice."""
    agent = 2 * (task.agent_limit_s or AGENT_LIMIT_S)  # it is asked between turns
    return task.build_limit_s + agent + 2 * task.verifier_limit_s + SLACK_S


def _first_line(text: str) -> str:
    line = next(filter(None, (each.strip("# \t") for each in text.splitlines())), "")
    return line if len(line) <= 100 else f"{line[:97]}..."


def base_images(text: str) -> dict[str, str]:
    """
    >>> base_images("ubuntu:24.04=localhost/base, python:*=localhost/python")
    {'ubuntu:24.04': 'localhost/base', 'python:*': 'localhost/python'}
    """
    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    if not all(name and image for name, _, image in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list such as ubuntu:24.04=localhost/base")
    return {name: image for name, _, image in pairs}


class Harbor(Suite):
    """Its samples are the task folders in --tasks."""

    name = NAME
    description = "Task folders in the Harbor format, such as terminal-bench: an agent works in a container."
    conditions = ("offline", "max_turns")

    def samples(self, options: Any) -> Iterable[Sample]:
        """One a task folder."""
        if options.tasks is None:
            named = (*getattr(options, "suite", ()), *getattr(options, "words", ()))
            if "all" in named or (NAME not in named and vars(options).get("tier")):
                return
            raise ConfigError("suite harbor needs --tasks DIR, a task folder or a folder of them")
        if not isinstance(options.base_images, dict):
            raise ConfigError("suites.harbor.base_images in config.json must be an object of names of images")
        machine = Machine.here()
        for name, folder in task_folders(options.tasks):
            yield sample_of(
                name, folder, machine,
                offline=options.offline, bases=options.base_images, max_turns=options.max_turns,
            )  # fmt: skip

    def flags(self, parser: Any) -> None:
        parser.add_argument(
            "--tasks",
            type=Path,
            metavar="DIR",
            help="a task folder (task.toml, instruction.md, environment/, tests/), or a folder of task folders",
        )
        parser.add_argument(
            "--offline",
            action="store_true",
            help="run tasks that ask for the internet without it, instead of skipping them; a verifier that "
            "downloads its tools then fails the task",
        )
        parser.add_argument(
            "--max-turns",
            type=int,
            metavar="N",
            default=MAX_TURNS,
            help=f"replies of the model in one trial, at most (default {MAX_TURNS})",
        )
        parser.add_argument(
            "--base-images",
            type=base_images,
            metavar="FROM=IMAGE,...",
            default={},
            help="images to build on in the place of those that Dockerfiles name, on machines without a "
            "registry, e.g. ubuntu:24.04=localhost/base,python:*=localhost/python (in config.json: an object, "
            '"suites": {"harbor": {"base_images": {...}}})',
        )

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any]:
        """The oracle runs the task's solution, if it has one; the saboteur does nothing."""
        folder = Path(trial.source).parent
        if right and not (folder / "solution" / "solve.sh").is_file():
            with contextlib.suppress(ConfigError):  # a broken task has its own message
                read_task(trial.test, folder)
                return ()
        return (Script(f"bash {SOLUTION}{START}"),) if right else ("I leave it as it is.",)


SUITE = Harbor
