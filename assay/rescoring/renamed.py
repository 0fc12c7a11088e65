"""A saved trial's test under the name that it has now: a variable may have been renamed since the run."""

from __future__ import annotations

from collections.abc import Container, Iterable

from assay.language.dsl import Node, StringNode, ThenNode
from assay.language.models import LLMConversation, LLMRun
from assay.records import LLM, Message, TrialRecord
from assay.results.replies import question_hash
from assay.suites.questions import first_step, last_step
from assay.suites.sample import Sample


class Renamed:
    """Find a test among the current ones by what it asks and checks or, if none does the same, by its first
    question, to which the saved reply is an answer. Of several none is meant."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._by_expression: dict[str, list[Sample]] = {}
        self._by_question: dict[str, list[Sample]] = {}
        for sample in samples:
            self._by_expression.setdefault(sample.expression, []).append(sample)
            self._by_question.setdefault(first_question(sample.test), []).append(sample)

    def find(self, record: TrialRecord, known: Container[str]) -> Sample | None:
        """The test of the record, None if there is none or it cannot be told. `known`: the names of other
        tests."""
        same = self._by_expression.get(record.expression, []) if record.expression else []
        if not (new := [each for each in same if each.id not in known]):
            alike = self._by_question.get(record.question, []) if record.question else []
            new = [each for each in alike if each.id not in known]
        return new[0] if len(new) == 1 else None


def first_question(test: Node) -> str:
    """The hash of the question that a test puts to the model under test at once (TrialRecord.question); '' if
    it depends on a run."""
    for node in test.walk():
        if isinstance(node, ThenNode) and isinstance(text := last_step(node.left), StringNode):
            step = first_step(node.right)
            if isinstance(step, LLMRun | LLMConversation) and LLM in step.asks:
                prompt = Message("user", step.check_prompt.replace("<A>", text.text))
                return question_hash([prompt], getattr(step, "json", False), vars(step).get("_tools", ()))
    return ""
