"""A collector of traces: OTLP over HTTP, decoded with the protocol's own classes."""

from __future__ import annotations

import gzip
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


def plain(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(each) for each in value.array_value.values]
    return getattr(value, kind) if kind else None


@dataclass
class Seen:
    """A span as it came over the wire."""

    name: str
    id: bytes
    parent: bytes
    trace: bytes
    kind: int
    attributes: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]]
    error: bool
    seconds: float
    children: list[Seen] = field(default_factory=list)


class Collector:
    """With `stuck` it takes requests and never answers them."""

    def __init__(self, *, stuck: bool = False) -> None:
        self.spans: list[Seen] = []
        self.resource: dict[str, Any] = {}
        self.headers: list[dict[str, str]] = []
        self.raw = b""
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if stuck:
                    time.sleep(600)
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
                collector.take(body, dict(self.headers))
                answer = ExportTraceServiceResponse().SerializeToString()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def take(self, body: bytes, headers: dict[str, str]) -> None:
        self.raw += body
        self.headers.append(headers)
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            self.resource = {each.key: plain(each.value) for each in resource.resource.attributes}
            for scope in resource.scope_spans:
                for span in scope.spans:
                    facts = {each.key: plain(each.value) for each in span.attributes}
                    events = [(e.name, {a.key: plain(a.value) for a in e.attributes}) for e in span.events]
                    seconds = (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9
                    place = (span.name, span.span_id, span.parent_span_id, span.trace_id, span.kind)
                    self.spans.append(Seen(*place, facts, events, span.status.code == 2, seconds))

    def tree(self) -> Seen:
        """The run, with its trials and theirs below it, in the order of their beginnings."""
        by_id = {span.id: span for span in self.spans}
        for span in self.spans:
            if span.parent:
                by_id[span.parent].children.append(span)
        (root,) = (span for span in self.spans if not span.parent)
        assert {span.trace for span in self.spans} == {root.trace}
        return root

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()
