"""The races' questions as a task of inspect_ai, for its command line. Runs in an environment of its own."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, csv_dataset
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


@task
def race_questions(questions: str) -> Task:
    """`questions`: a CSV file with the columns question and answer."""
    dataset = csv_dataset(questions, FieldSpec(input="question", target="answer"))
    return Task(dataset=dataset, solver=generate(), scorer=includes())
