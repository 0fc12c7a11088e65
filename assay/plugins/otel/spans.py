"""The spans of a run: run > trial > chat and command."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context

from assay.plugins.otel import attributes as said
from assay.records import Completion, ExecResult, JsonMode, Message, Outcome, TrialKey, TrialRecord
from assay.results.serialize import clean
from assay.running.observe import Answered, Ran


class Spans:
    """Create the spans of one run (assay.running.observe.Observer). `scrub` removes keys from a text.
    `content`: include messages and commands."""

    def __init__(
        self, tracer: Tracer, scrub: Callable[[str], str], *, content: bool, facts: Mapping[str, Any]
    ) -> None:
        self.tracer = tracer
        self.content = content
        self._scrub = scrub
        self.run = tracer.start_span("run", attributes=self.fit(facts))
        self._context = set_span_in_context(self.run)

    def fit(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes without keys and lone surrogates."""
        return {name: self._fit(value) for name, value in facts.items()}

    def _fit(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._scrub(clean(value, len(value)))
        return [self._fit(each) for each in value] if isinstance(value, (list, tuple)) else value

    def trial(self, key: TrialKey, model: str) -> TrialSpans:
        facts = {
            "assay.test": key.test,
            "assay.suite": key.suite,
            "assay.epoch": key.epoch,
            "assay.model": model,
        }
        span = self.tracer.start_span(f"trial {key.test}", self._context, attributes=self.fit(facts))
        return TrialSpans(self, span)

    def end(self) -> None:
        self.run.end()


class TrialSpans:
    """The spans of one trial (assay.running.observe.TrialWatch)."""

    def __init__(self, spans: Spans, span: Span) -> None:
        self._spans = spans
        self._span = span
        self._context = set_span_in_context(span)

    @contextlib.contextmanager
    def chat(self, model: Any, role: str, messages: Sequence[Message], json: JsonMode) -> Iterator[Answered]:
        facts = said.of_request(model, role, json=json)
        if self._spans.content:
            facts |= said.of_input(messages)
        name = f"chat {facts['gen_ai.request.model']}"
        with _inside(self._spans, name, SpanKind.CLIENT, facts, self._context) as span:

            def answered(completion: Completion) -> None:
                found = said.of_completion(completion)
                if self._spans.content:
                    found |= said.of_output(completion)
                span.set_attributes(self._spans.fit(found))

            yield answered

    @contextlib.contextmanager
    def command(self, argv: Sequence[str], tier: str) -> Iterator[Ran]:
        program = PurePosixPath(argv[0]).name if argv else ""
        facts: dict[str, Any] = {"process.executable.name": program, "assay.sandbox": tier}
        if self._spans.content:
            facts["process.command_args"] = [clean(each, 1000) for each in argv[:100]]
        with _inside(self._spans, "sandbox command", SpanKind.INTERNAL, facts, self._context) as span:

            def ran(result: ExecResult) -> None:
                found = {
                    "assay.timed_out": result.timed_out,
                    "assay.out_of_memory": result.out_of_memory,
                    "assay.cpu_seconds": result.cpu_seconds,
                    "assay.max_rss": result.max_rss,
                    "assay.output_bytes": len(result.stdout) + len(result.stderr),
                }
                if result.returncode is not None:
                    found["process.exit.code"] = result.returncode
                span.set_attributes(found)

            yield ran

    def end(self, record: TrialRecord | None) -> None:
        if record is None:
            self._span.set_attribute("assay.outcome", "cancelled")
        else:
            self._span.set_attributes(self._spans.fit(said.of_record(record)))
            result = self._spans.fit(said.of_evaluation(record))
            self._span.add_event("gen_ai.evaluation.result", result)
            if record.outcome is Outcome.ERROR:
                self._span.set_attribute("error.type", said.error_type(record))
                self._span.set_status(Status(StatusCode.ERROR))
        self._span.end()


@contextlib.contextmanager
def _inside(
    spans: Spans, name: str, kind: SpanKind, facts: Mapping[str, Any], parent: Context
) -> Iterator[Span]:
    """A span around a block. It has the class of an exception, not its text, which may quote anything."""
    attributes = spans.fit(facts)
    span = spans.tracer.start_span(spans.fit({"": name})[""], parent, kind, attributes)
    try:
        yield span
    except BaseException as error:
        span.set_attribute("error.type", type(error).__name__)
        span.set_status(Status(StatusCode.ERROR))
        raise
    finally:
        span.end()
