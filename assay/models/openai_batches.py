"""OpenAI's batches: a file of requests is uploaded, and a batch made of it. A token of ours is in its
metadata, so that it is found again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.models.batch_store import Batch
from assay.models.batches import (
    SLACK_S,
    Result,
    Standing,
    Take,
    canceled,
    expired,
    explained,
    got,
    id_in,
    read_lines,
)
from assay.models.failures import StatusError, Unreadable, count, message_in
from assay.models.http_provider import HTTPProvider, Upload, answer_in, parsed, written

ENDS = ("completed", "expired", "cancelled", "failed")
CROWDED = "token_limit_exceeded"


class OpenAIBatches:
    most, most_bytes = 50_000, 200_000_000

    def __init__(self, provider: HTTPProvider) -> None:
        self._provider = provider

    def line(self, request: str, path: str, body: Mapping[str, Any]) -> bytes:
        return written({"custom_id": request, "method": "POST", "url": f"/v1{path}", "body": body})

    async def create(self, batch: Batch, lines: Sequence[bytes]) -> str:
        file = Upload(f"assay-{batch.token}.jsonl", b"\n".join(lines) + b"\n", {"purpose": "batch"})
        with explained(self._provider, batch.model):
            uploaded = answer_in(parsed(await self._provider.send("/files", file)))
            asked = {
                "input_file_id": id_in(uploaded),
                "endpoint": f"/v1{batch.path}",
                "completion_window": "24h",
                "metadata": {"assay": batch.token},
            }
            return id_in(await self._provider.post(asked, "/batches"))

    async def find(self, batch: Batch, known: set[str]) -> str | None:
        after = ""
        with explained(self._provider, batch.model):
            while True:
                page = await got(self._provider, f"/batches?limit=100{after}")
                for each in page["data"]:
                    if (each.get("metadata") or {}).get("assay") == batch.token:
                        return id_in(each)
                    if each["created_at"] < batch.made - SLACK_S:  # the newest come first
                        return None
                if not page.get("has_more") or not page["data"]:
                    return None
                after = f"&after={id_in(page['data'][-1])}"

    async def look(self, batch: Batch) -> Standing:
        with explained(self._provider, batch.model):
            found = await got(self._provider, f"/batches/{batch.remote}")
            status, counts = found["status"], found.get("request_counts") or {}
            files = tuple(id_in(found, n) for n in ("output_file_id", "error_file_id") if found.get(n))
            failure, lines, crowded = "", frozenset[int](), False
            if status == "failed":
                faults = [each for each in (found.get("errors") or {}).get("data") or () if each]
                failure = "; ".join(str(each.get("message")) for each in faults[:3]) or "no reason given"
                lines = frozenset(each["line"] for each in faults if isinstance(each.get("line"), int))
                crowded = any(each.get("code") == CROWDED for each in faults)
            more = {"expired": {"rest": expired}, "cancelled": {"rest": canceled}}.get(status, {})
            return Standing(
                status in ENDS,
                count(counts.get("completed")) + count(counts.get("failed")),
                count(counts.get("total")),
                float(found.get("expires_at") or 0),
                failure=failure,
                lines=lines,
                crowded=crowded,
                files=files,
                **more,
            )

    async def results(self, batch: Batch, standing: Standing, take: Take) -> int:
        def line(row: dict[str, Any]) -> None:
            take(str(row["custom_id"]), _result(row, self._provider.settings.naming(batch.model)))

        broken = 0
        with explained(self._provider, batch.model):
            for file in standing.files:
                broken += await read_lines(self._provider, f"/files/{file}/content", line)
        return broken


def _result(row: dict[str, Any], what: str) -> Result:
    response = row.get("response")
    if not response:
        error = row.get("error") or {}
        if error.get("code") == "batch_expired":
            return expired(what)
        if error.get("code") == "batch_cancelled":
            return canceled(what)
        return StatusError(500, *message_in(row, "the batch has an error without a message"))
    status, body = response["status_code"], response.get("body")
    if status >= 300:
        return StatusError(status, *message_in(body, f"Error code: {status}"))
    return body if isinstance(body, dict) else Unreadable("no JSON object")
