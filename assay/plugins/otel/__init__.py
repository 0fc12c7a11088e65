"""Runs as OpenTelemetry traces (docs/tracing.md): the observer of --otel."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from assay.errors import ConfigError
from assay.extras import need
from assay.running.observe import Observer

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"  # other instrumentations read it too
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")


class OpenTelemetry:
    """An observer (assay.running.observe.ObserverPlugin). Its library is imported when a run begins."""

    def __init__(self, *, content: bool) -> None:
        """Raises ConfigError if spans cannot be sent."""
        need("otel", "--otel")
        protocol = next(filter(None, map(os.environ.get, PROTOCOLS)), "http/protobuf")
        if protocol != "http/protobuf":
            raise ConfigError(f"--otel speaks http/protobuf, not OTEL_EXPORTER_OTLP_PROTOCOL={protocol}")
        asked = os.environ.get(CAPTURE, "").lower() in ("true", "1", "span_only", "span_and_event")
        self._content = content or asked

    def watch(
        self, facts: Mapping[str, Any], scrub: Callable[[str], str], say: Callable[[str], None]
    ) -> AbstractContextManager[Observer]:
        from assay.plugins.otel.sending import sending

        return sending(facts, scrub, say, content=self._content)
