"""Runs as traces of OpenTelemetry (docs/tracing.md). Nothing here is imported without --otel."""
