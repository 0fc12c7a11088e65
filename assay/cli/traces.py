"""--otel: whether a run is traced, and by whom."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Callable, Mapping
from typing import Any

from assay.errors import ConfigError
from assay.extras import need
from assay.running.observe import SILENT, Observer


def check_traces(options: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> None:
    """Raises ConfigError if spans were asked for and cannot be sent."""
    if not options.otel:
        return
    need("otel", "--otel")
    protocol = environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environ.get("OTEL_EXPORTER_OTLP_PROTOCOL")
    if protocol not in (None, "", "http/protobuf"):
        raise ConfigError(f"--otel speaks http/protobuf, not OTEL_EXPORTER_OTLP_PROTOCOL={protocol}")


def traced(
    options: argparse.Namespace,
    facts: Mapping[str, Any],
    scrub: Callable[[str], str],
    say: Callable[[str], None],
) -> contextlib.AbstractContextManager[Observer]:
    """Who watches the run: nobody without --otel."""
    if not options.otel:
        return contextlib.nullcontext(SILENT)
    from assay.plugins.otel.sending import sending, wants_content

    return sending(facts, scrub, say, content=wants_content(options.otel_content))
