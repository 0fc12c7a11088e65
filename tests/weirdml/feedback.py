"""The feedback loop: ask, run, tell the score, ask again; the best of all submissions counts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from assay.language.dsl import Branch, Branches, Context, Node, Reason
from assay.records import LLM, Block, Cause, Completion, Limits, Message, Score

from . import source
from .learn_tasks import EVERY
from .machine import examine
from .prompt import Machine, feedback, question, scale, system_prompt
from .submission import Submission, SubmissionScorer, blocks
from .supply import data_for
from .tasks import RULES


@dataclass(frozen=True)
class FeedbackLoop(Node):
    """`iterations` submissions to one task, each by `scorer`; outputs the Score of the best.

    What is finished is kept in the trial's journal: after a kill the run goes on with the next submission.
    """

    scorer: SubmissionScorer
    limits: Limits
    iterations: int = 5
    # For --rescore: what the model is told holds measurements, so its replies come as they came then.
    answers_in_order = True
    asks = (LLM,)
    in_sandbox = is_judge = repeats = True

    @property
    def fewest_calls(self) -> int:
        """For --dry-run: one call a submission, whatever comes of it."""
        return self.iterations

    async def run(self, value: Any, ctx: Context) -> Branches:
        scorer = self.scorer
        task = EVERY[scorer.recipe.task]
        machine = await examine(await ctx.open_sandbox(), self.limits, scorer.threads, scorer.time_limit_s)
        data = await data_for(scorer.recipe, scorer.cache)
        asked = question(task)
        system = system_prompt(machine, self.iterations, source.MAX_BYTES)
        messages = [Message("system", system), Message("user", asked)]
        shown = [
            Block("chat", "the rules", system, role="system"),
            Block("chat", "the task", asked, role="user"),
        ]
        done: list[Submission] = []
        tokens: list[int] = []
        stamp = _stamp(system, asked, data.identity)
        for part in ctx.journal.recall(stamp)[: self.iterations]:
            submission = Submission.of(part["submission"])
            self._note(messages, shown, done, part["reply"], submission)
            tokens.append(part["tokens"])
        while len(done) < self.iterations:
            with ctx.attempting(self, *shown):
                completion: Completion = await ctx.llm.complete(tuple(messages))
                submission = await scorer.submit(completion.text, ctx)
            self._note(messages, shown, done, completion.text, submission)
            tokens.append(completion.usage.output_tokens)
            ctx.journal.keep(
                {"reply": completion.text, "submission": submission.kept(), "tokens": tokens[-1]}
            )
        score = score_of(done, tokens, task.floor, data.identity, machine)
        shown.append(
            Block(
                "verdict",
                f"best of {len(done)}",
                _summary(done, task.floor),
                passed=score.passed,
                cause="" if score.passed else cause_of(done),
            )
        )
        yield Branch(score, Reason(self, tuple(shown)))

    def _note(
        self,
        messages: list[Message],
        shown: list[Block],
        done: list[Submission],
        reply: str,
        submission: Submission,
    ) -> None:
        """One more turn of the dialogue, for the model and for the report."""
        done.append(submission)
        printed = None if submission.kind == "no_code" else submission.output
        told = feedback(self._said(done), printed, self.iterations - len(done))
        messages += [Message("assistant", reply), Message("user", told)]
        name = f"submission {len(done)}: {submission.kind.replace('_', ' ') or f'{submission.accuracy:.4f}'}"
        said = Block("chat", "", reply, role="assistant")
        shown.append(Block("group", name, children=(said, *blocks(submission))))

    def _said(self, done: list[Submission]) -> str:
        """What the model is told of its last submission, the best one and what little effort has."""
        last = done[-1]
        lines = [last.verdict(), *last.details()]
        best = max(done, key=lambda each: each.accuracy)
        if best.accuracy > 0:
            lines.append(f"Best so far: {best.accuracy:.4f} (submission {done.index(best) + 1}).")
        return "\n".join([*lines, scale(EVERY[self.scorer.recipe.task])])


CAUSES = {
    "no_code": Cause.NO_CODE,
    "crash": Cause.CRASHED,
    "timeout": Cause.TIMED_OUT,
    "out_of_memory": Cause.OUT_OF_MEMORY,
}


def cause_of(done: list[Submission]) -> Cause:
    """Of a run below its floor: what the last submission failed by, if none scored."""
    if not done or any(not each.kind for each in done):
        return Cause.WRONG
    return CAUSES.get(done[-1].kind, Cause.WRONG)


def _stamp(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def best_so_far(accuracies: list[float]) -> list[float]:
    """The best of the first, of the first two, ...

    >>> best_so_far([0.2, 0.5, 0.0])
    [0.2, 0.5, 0.5]
    """
    return [max(accuracies[:count]) for count in range(1, len(accuracies) + 1)]


def score_of(done: list[Submission], tokens: list[int], floor: float, data: str, machine: Machine) -> Score:
    """A run's score: the best accuracy of its submissions. It passes if it reaches the task's floor."""
    accuracies = [each.accuracy for each in done]
    best = max(accuracies, default=0.0)
    metrics = {
        "accuracy": best,
        "first": accuracies[0] if accuracies else 0.0,
        "failed": float(sum(bool(each.kind) for each in done)),
    }
    extra = {
        "submissions": [{**each.facts(), "tokens": count} for each, count in zip(done, tokens, strict=True)],
        "data": data,
        "rules": RULES,
        "device": machine.device,
        "libraries": dict(machine.libraries),
    }
    return Score(best, best >= floor, metrics, extra)


def _summary(done: list[Submission], floor: float) -> str:
    each = ", ".join(one.kind.replace("_", " ") or f"{one.accuracy:.4f}" for one in done)
    return f"{each}: {max((one.accuracy for one in done), default=0.0):.4f} (to pass: {floor:g})"
