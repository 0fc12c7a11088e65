"""The steps of a trial: the agent works in the task's container, then the verifier judges what is there."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.errors import GraderError, MissingData, NodeError
from assay.language.dsl import Branch, Branches, Context, Node, Reason
from assay.records import Block, Cause, ExecResult, Sandbox, Score, traits_of
from assay.sandboxes.backends.task_container import CHANGED, OUTPUT, SOLUTION, TESTS
from assay.sandboxes.image.task_image import TaskImage

from .rewards import of_json, of_text, score_of
from .task_folder import Task

START = ".start.sh"  # beside the solution: sets its variables
SHOWN = 8_000  # characters of an output that a record keeps, at each end
LARGEST_REWARD = 64 << 10
SWEEP_LIMIT_S = 10.0
NAMED = 50  # changed programs
READERS = {"reward.json": of_json, "reward.txt": of_text}  # the first that is there


@dataclass(frozen=True)
class Skipped(Node):
    """Stands for a task that cannot run here: the trial is SKIPPED and says why."""

    why: str

    async def run(self, value: Any, ctx: Context) -> Branches:
        raise MissingData(self.why)
        yield  # an async generator has one


@dataclass(frozen=True)
class Broken(Node):
    """Stands for a task folder with a mistake: the trial is an ERROR of the grader."""

    why: str

    async def run(self, value: Any, ctx: Context) -> Branches:
        raise GraderError(self.why)
        yield


@dataclass(frozen=True)
class InContainer(Node):
    """Runs an agent in the task's container, which later steps find as the agent has left it. The image is
    built before. Only the oracle and the saboteur find the task's solution in /solution."""

    task: Task
    image: TaskImage
    agent: Node
    in_sandbox = True

    async def run(self, value: Any, ctx: Context) -> Branches:
        await self.image.build()
        sandbox = await ctx.open_sandbox()
        if traits_of(ctx.llm).self_judged:
            files = files_of(self.task.folder / "solution", SOLUTION)
            start = "".join(
                f"export {name}={shlex.quote(each)}\n" for name, each in self.task.solution_env.items()
            )
            files[SOLUTION + START] = f"{start}exec bash {SOLUTION}solve.sh\n".encode()
            await sandbox.run(["true"], files=files)

        async def stay(files: bytes) -> None:
            """The container is what is judged, not files that leave it."""

        ctx.rewinds = False
        # nor are files kept: if the trial is judged again, the agent's calls are done again
        inside = replace(ctx, renew_sandbox=stay, saved_work=lambda: None)
        async with aclosing(self.agent.run(value, inside)) as branches:
            async for branch in branches:
                yield branch


def _shown(result: ExecResult) -> str:
    text = result.output
    if len(text) > 2 * SHOWN:
        text = f"{text[:SHOWN]}\n[... {len(text) - 2 * SHOWN} characters left out ...]\n{text[-SHOWN:]}"
    code = result.returncode
    return text if code == 0 else f"{text}\n[exit status {code}]".lstrip()


@dataclass(frozen=True)
class Verify(Node):
    """The verdict of the task's own verifier, tests/test.sh, about the container that the agent worked in.

    What the agent left running is killed first. If no reward is left, a verifier that leaves none in a fresh
    container either is to blame (an ERROR), and otherwise what the agent did: a FAIL.
    """

    task: Task
    is_judge = True
    in_sandbox = True

    async def run(self, value: Any, ctx: Context) -> Branches:
        files = files_of(self.task.folder / "tests", TESTS)
        sandbox = await ctx.open_sandbox()
        await sandbox.run(["true"], time_limit_s=SWEEP_LIMIT_S)  # with its end everything ends
        changed = (await sandbox.read_file(CHANGED)).decode("utf-8", "replace").splitlines()
        result, rewards = await self._judged(sandbox, files)
        shown = [Block("text", "verifier", _shown(result))]
        if changed:
            names = "\n".join([*changed[:NAMED], *(["..."] if len(changed) > NAMED else [])])
            shown.insert(
                0, Block("text", "programs changed or added, which the verifier may have run", names)
            )
        if rewards is not None:
            score = replace(score_of(rewards), extra={"programs changed": len(changed)} if changed else {})
            said = ", ".join(f"{name} {reward:g}" for name, reward in rewards.items())
            yield Branch(score, Reason(self, (*shown, Block("verdict", "", said, passed=score.passed))))
            return
        async with ctx.beside() as fresh:
            alone, there = await self._judged(fresh, files)
        limit = f"within its {self.task.verifier_limit_s:g} s"
        if there is None:
            with ctx.attempting(self, *shown):
                raise GraderError(
                    f"the verifier left no reward {limit}, nor in a container in which no agent had been:\n"
                    + _shown(alone)[-2000:]
                )
        why = f"the verifier left no reward {limit} after the agent's work; without it, it does"
        cause = Cause.TIMED_OUT if result.timed_out else Cause.WRONG
        score = Score(0.0, False, share=True)
        yield Branch(score, Reason(self, (*shown, Block("verdict", "", why, passed=False, cause=cause))))

    async def _judged(
        self, sandbox: Sandbox, files: Mapping[str, bytes]
    ) -> tuple[ExecResult, Mapping[str, float] | None]:
        """What the verifier printed, and its rewards."""
        result = await sandbox.run(
            ["/bin/sh", "-c", f"exec {TESTS}test.sh"],
            files=files,
            env=self.task.verifier_env,
            time_limit_s=self.task.verifier_limit_s,
        )
        for name, read in READERS.items():
            try:
                content = await sandbox.read_file(f"{OUTPUT}{name}", max_bytes=LARGEST_REWARD)
            except FileNotFoundError:
                continue
            except NodeError:
                return result, None
            return result, read(content)
        return result, None


def files_of(folder: Path, inside: str) -> dict[str, bytes]:
    """Name inside -> content of every file of a task's folder. Raises GraderError for a link that leaves the
    task, and for what is no file."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        if not path.resolve().is_relative_to(folder.parent.resolve()) or not path.is_file():
            raise GraderError(f"{path}: not a file of the task")
        found[inside + path.relative_to(folder).as_posix()] = path.read_bytes()
    return found
