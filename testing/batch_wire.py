"""The batch APIs of OpenAI and Anthropic, as the model server has them: files, batches, results.

A batch ends `batch_s` seconds after it was made. Its requests are answered as the server answers others
(misbehaviour.py: a status is an error of that request), the last one first. `batch_room`: requests that may
wait at once; OpenAI's batches fail beyond it. `hold`: moments at which the server falls silent after it did
what it was asked for: upload, create, results (in the middle); error: it answers 500 after it made a batch.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs

from testing.model_desk import Desk
from testing.model_wire import api_of, read, write, write_error

BATCHES = re.compile(r"(/v1/batches|/v1/messages/batches)(?:/([\w-]+))?(?:/(results|cancel))?")
FILE = re.compile(r"/v1/files(?:/([\w-]+)/content)?")


@dataclass
class Made:
    id: str
    path: str
    requests: list[dict[str, Any]]
    about: dict[str, Any]
    created: float = field(default_factory=time.time)
    results: list[tuple[str, str, bytes]] | None = None  # (kind, custom id, line), once it ended
    failure: dict[str, Any] | None = None


class Batches:
    def __init__(self, desk: BatchDesk, seconds: float, room: int, hold: Sequence[str]) -> None:
        self.desk, self.seconds, self.room, self.hold = desk, seconds, room, set(hold)
        self.files: dict[str, bytes] = {}
        self.made: list[Made] = []
        self.charged: Counter[str] = Counter()  # answered requests, by a hash of their bodies

    def stats(self) -> dict[str, Any]:
        for each in self.made:
            self._over(each)
        return {
            "made": len(self.made),
            "sizes": [len(each.requests) for each in self.made],
            "models": [each.requests[0][_body(each.requests[0])]["model"] for each in self.made],
            "files": len(self.files),
            "charged": sum(self.charged.values()),
            "charged_twice": sum(number - 1 for number in self.charged.values()),
            "ended": sum(self._over(each) for each in self.made),
        }

    def answer(
        self, method: str, path: str, query: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, bytes, str] | None:
        """Status, content, and at which moment the server falls silent; None for other paths."""
        given = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        file, batch = FILE.fullmatch(path), BATCHES.fullmatch(path)
        if not file and not batch:
            return None
        if self.desk.key and given != self.desk.key:
            return 401, write_error("openai", 401, "wrong key", ""), ""
        if file:
            return self._file(method, file[1], headers, body)
        assert batch is not None
        api = "anthropic" if "messages" in path else "openai"
        if method == "POST" and not batch[2]:
            return self._create(api, json.loads(body))
        its = [each for each in self.made if each.id.startswith("msgbatch") == (api == "anthropic")]
        if not batch[2]:
            return 200, json.dumps(self._page(api, its[::-1], parse_qs(query))).encode(), ""
        found = next((each for each in its if each.id == batch[2]), None)
        if found is None:
            return 404, write_error(api, 404, f"no batch {batch[2]}", ""), ""
        if batch[3] == "results":
            return 200, b"".join(line for _, _, line in found.results or ()), self._held("results")
        return 200, json.dumps(self._shown(api, found)).encode(), ""

    def _held(self, moment: str) -> str:
        return moment if moment in self.hold else ""

    def _file(
        self, method: str, name: str | None, headers: dict[str, str], body: bytes
    ) -> tuple[int, bytes, str]:
        if method == "GET":
            found = self.files.get(name or "")
            if found is None:
                return 404, write_error("openai", 404, "no such file", ""), ""
            return 200, found, self._held("results") if found else ""
        edge = re.search(r"boundary=(\S+)", headers["content-type"])
        assert edge is not None
        parts = body.split(b"--" + edge[1].strip('"').encode())[1:-1]
        fields = {}
        for part in parts:
            head, _, content = part.partition(b"\r\n\r\n")
            told = re.search(rb'name="([^"]+)"', head)
            assert told is not None
            fields[told[1].decode()] = content.removesuffix(b"\r\n")
        if fields.get("purpose") != b"batch" or len(fields["file"]) > 200_000_000:
            return 400, write_error("openai", 400, "purpose must be batch, and 200 MB are the most", ""), ""
        name = self._store(fields["file"])
        shown = {"id": name, "object": "file", "bytes": len(fields["file"]), "purpose": "batch"}
        return 200, json.dumps(shown).encode(), self._held("upload")

    def _store(self, content: bytes) -> str:
        name = f"file-{len(self.files) + 1}"
        self.files[name] = content
        return name

    def _create(self, api: str, asked: dict[str, Any]) -> tuple[int, bytes, str]:
        number = len(self.made) + 1
        if api == "anthropic":
            requests, most = asked["requests"], 100_000
            made = Made(f"msgbatch_{number:04}", "/v1/messages", requests, {})
        else:
            content = self.files.get(asked["input_file_id"], b"")
            requests, most = [json.loads(line) for line in content.splitlines()], 50_000
            made = Made(f"batch_{number:04}", asked["endpoint"], requests, asked)
        ids = [each["custom_id"] for each in requests]
        wrong = [each for each in ids if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", each)]
        streamed = any(each[_body(each)].get("stream") for each in requests)
        if not ids or len(ids) > most or len(set(ids)) < len(ids) or wrong or streamed:
            return 400, write_error(api, 400, "empty, too many, or a custom_id that is wrong", ""), ""
        if api == "openai":
            models = {each["body"]["model"] for each in requests}
            waiting = sum(len(each.requests) for each in self.made if not self._over(each))
            for line, each in enumerate(requests, 1):
                asked_in = read(api_of(each["url"]), json.dumps(each["body"]).encode(), {}, "", 1)
                if "[[invalid]]" in asked_in.prompt or each["url"] != made.path or len(models) > 1:
                    made.failure = {"code": "invalid_request", "message": "this line is wrong", "line": line}
            if waiting + len(requests) > self.room:
                made.failure = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}
        self.made.append(made)
        if "error" in self.hold:
            return 500, write_error(api, 500, "something broke behind us", ""), ""
        return 200, json.dumps(self._shown(api, made)).encode(), self._held("create")

    def _page(self, api: str, its: list[Made], asked: dict[str, list[str]]) -> dict[str, Any]:
        after = asked.get("after_id" if api == "anthropic" else "after", [""])[0]
        at = next((n for n, each in enumerate(its, 1) if each.id == after), 0)
        limit = int(asked.get("limit", ["20"])[0])
        page = its[at : at + limit]
        return {"data": [self._shown(api, each) for each in page], "has_more": len(its) > at + limit}

    def _shown(self, api: str, its: Made) -> dict[str, Any]:
        over = self._over(its)
        kinds = Counter(kind for kind, _, _ in its.results or ())
        if api == "anthropic":
            names = ("succeeded", "errored", "canceled", "expired")
            counts = {name: kinds[name] for name in names} if over else dict.fromkeys(names, 0)
            counts["processing"] = 0 if over else len(its.requests)
            url = f"https://elsewhere.example/v1/messages/batches/{its.id}/results"
            return {
                "id": its.id,
                "type": "message_batch",
                "processing_status": "ended" if over else "in_progress",
                "request_counts": counts,
                "created_at": datetime.fromtimestamp(its.created, UTC).isoformat(),
                "expires_at": datetime.fromtimestamp(its.created + 86_400, UTC).isoformat(),
                "results_url": url if over else None,
            }
        status = "in_progress"
        if over:
            status = "expired" if kinds["expired"] else "cancelled" if kinds["canceled"] else "completed"
        status = "failed" if its.failure else status
        done, total = (0, 0) if its.failure else (kinds["succeeded"], len(its.requests))
        if not over and not its.failure:  # half of it by half of the time
            done = int(total * min(1.0, (time.time() - its.created) / self.seconds))
        counts = {"total": total, "completed": done, "failed": kinds["errored"]}
        return {
            "id": its.id,
            "object": "batch",
            "endpoint": its.path,
            "input_file_id": its.about["input_file_id"],
            "completion_window": "24h",
            "metadata": its.about.get("metadata"),
            "created_at": int(its.created),
            "expires_at": int(its.created) + 86_400,
            "status": status,
            "errors": {"object": "list", "data": [its.failure]} if its.failure else None,
            "request_counts": counts,
            "output_file_id": its.about.get("output"),
            "error_file_id": its.about.get("errors"),
        }

    def _over(self, its: Made) -> bool:
        """Whether it has ended; its requests are answered then."""
        if its.failure:
            return True
        if its.results is None and time.time() >= its.created + self.seconds:
            found = [self._answered(its.path, each) for each in reversed(its.requests)]
            its.results = [line for lines in found for line in lines]
            for name, good in (("output", True), ("errors", False)):
                lines = [line for kind, _, line in its.results if (kind == "succeeded") == good]
                if lines and its.path != "/v1/messages":
                    its.about[name] = self._store(b"".join(lines))
        return its.results is not None

    def _answered(self, path: str, request: dict[str, Any]) -> list[tuple[str, str, bytes]]:
        """The lines about one request."""
        desk, api, name = self.desk, api_of(path), request["custom_id"]
        body = request[_body(request)]
        raw = json.dumps(body).encode()
        digest = hashlib.blake2b(raw, digest_size=8).hexdigest()
        desk.prompts[digest] += 1
        asked = read(api, raw, {}, digest, desk.prompts[digest])
        if desk.record:
            desk.log.append(asked)
        order = desk.order_for(asked)
        if order.kind in ("expired", "canceled"):
            code = {"expired": "batch_expired", "canceled": "batch_cancelled"}[order.kind]
            error = {"code": code, "message": f"this request was {order.kind}"}
            return [_line(order.kind, name, api, {"type": order.kind}, {"response": None, "error": error})]
        if order.kind.isdigit():
            said = json.loads(write_error(api, int(order.kind), f"ordered to answer {order.kind}", ""))
            code = {"400": "invalid_request_error", "529": "overloaded_error"}.get(order.kind, "api_error")
            if api == "anthropic":
                said["error"]["type"] = code
            response = {"status_code": int(order.kind), "request_id": "r", "body": said}
            result = {"type": "errored", "error": said}
            return [_line("errored", name, api, result, {"response": response, "error": None})]
        self.charged[digest] += 1
        message = json.loads(write(asked, desk.reply_to(asked)))
        response = {"status_code": 200, "request_id": "r", "body": message}
        result = {"type": "succeeded", "message": message}
        line = _line("succeeded", name, api, result, {"response": response, "error": None})
        if order.kind == "lost":
            return []
        if order.kind == "broken":
            return [("succeeded", name, line[2][:40] + b"\n")]
        if order.kind == "stranger":
            other = _line("succeeded", "somebody-elses", api, result, {"response": response, "error": None})
            return [other, line]
        return [line]


def _body(request: dict[str, Any]) -> str:
    return "params" if "params" in request else "body"


def _line(
    kind: str, name: str, api: str, result: dict[str, Any], row: dict[str, Any]
) -> tuple[str, str, bytes]:
    more = {"result": result} if api == "anthropic" else {"id": "batch_req_1", **row}
    return kind, name, json.dumps({"custom_id": name, **more}).encode() + b"\n"


class BatchDesk(Desk):
    """What the model server knows, batches among it."""

    def __init__(
        self,
        *,
        batch_s: float = 0.05,
        batch_room: int = 10**9,
        batch_hold: Sequence[str] = (),
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.batches = Batches(self, batch_s, batch_room, batch_hold)

    def stats(self) -> dict[str, Any]:
        return {**super().stats(), "batches": self.batches.stats()}
