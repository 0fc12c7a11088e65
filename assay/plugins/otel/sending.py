"""Send spans to a collector by OTLP over HTTP, in a separate thread, even if there is no collector."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from assay import __version__
from assay.plugins.otel.spans import Spans

LAST_S = 5.0  # for the spans left at the end of the run


class Counted(SpanExporter):
    """An exporter that counts the spans that arrived and those that did not."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self.sent = 0
        self.lost = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._exporter.export(spans)
        if result is SpanExportResult.SUCCESS:
            self.sent += len(spans)
        else:
            self.lost += len(spans)
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        return self._exporter.force_flush(timeout_millis)


@contextlib.contextmanager
def sending(
    facts: Mapping[str, Any], scrub: Callable[[str], str], say: Callable[[str], None], *, content: bool
) -> Iterator[Spans]:
    """The spans of a run, sent until LAST_S after its end to OTEL_EXPORTER_OTLP_ENDPOINT (or localhost:4318).
    `say` is told at the end if some did not arrive."""
    # The library logs each failed try, which would write into the progress display.
    logger = logging.getLogger("opentelemetry")
    before = logger.propagate, logger.disabled
    logger.propagate, quiet = False, logging.NullHandler()
    logger.addHandler(quiet)
    exporter = Counted(OTLPSpanExporter())
    resource = Resource.create({"service.name": "assay", "service.version": __version__})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    spans = Spans(provider.get_tracer("assay", __version__), scrub, content=content, facts=facts)
    try:
        yield spans
    finally:
        spans.end()
        # In a daemon thread: the library's own limit is for each try, not for all.
        last = threading.Thread(target=_finish, args=(provider,), daemon=True, name="assay-otel")
        last.start()
        last.join(LAST_S)
        where = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or os.environ.get(
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"
        )
        if last.is_alive() or exporter.lost:
            say(
                f"traces: {exporter.sent} spans sent, the rest lost: no collector took them at {where} "
                "(OTEL_EXPORTER_OTLP_ENDPOINT says where to)"
            )
        if not last.is_alive():  # otherwise its thread still logs
            logger.removeHandler(quiet)
            logger.propagate, logger.disabled = before


def _finish(provider: TracerProvider) -> None:
    provider.force_flush(int(LAST_S * 1000))
    provider.shutdown()
