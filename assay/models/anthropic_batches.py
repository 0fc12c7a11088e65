"""Anthropic's message batches. They hold no metadata: one whose id is not known is recognized by its time and
size, and then by the ids in its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from assay.errors import Transient
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
from assay.models.http_provider import HTTPProvider, answer_in, parsed, written

PATH = "/v1/messages/batches"
COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")
MADE_WITHIN_S = 2 * 3600.0  # after it was written down: uploads and retries take a while


class AnthropicBatches:
    most, most_bytes = 100_000, 256_000_000

    def __init__(self, provider: HTTPProvider) -> None:
        self._provider = provider

    def line(self, request: str, path: str, body: Mapping[str, Any]) -> bytes:
        return written({"custom_id": request, "params": body})

    async def create(self, batch: Batch, lines: Sequence[bytes]) -> str:
        with explained(self._provider, batch.model):
            body = b'{"requests":[' + b",".join(lines) + b"]}"
            return id_in(answer_in(parsed(await self._provider.send(PATH, body))))

    async def find(self, batch: Batch, known: set[str]) -> str | None:
        """While one that may be it is not done, Transient: its results alone tell."""
        unclear = ""
        with explained(self._provider, batch.model):
            for each in await self._since(batch.made - SLACK_S):
                remote, counts = id_in(each), each["request_counts"]
                late = _time(each["created_at"]) > batch.made + MADE_WITHIN_S
                if remote in known or late or sum(count(counts.get(n)) for n in COUNTS) != batch.size:
                    continue
                if each["processing_status"] != "ended":
                    unclear = remote
                elif await self._is(remote, batch.token):
                    return remote
        if unclear:
            raise Transient(
                f"waiting until batch {unclear} is done: only its results tell whether it is ours"
            )
        return None

    async def _since(self, earliest: float) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        after = ""
        while True:
            page = await got(self._provider, f"{PATH}?limit=100{after}")
            for each in page["data"]:
                if _time(each["created_at"]) < earliest:  # the newest come first
                    return found
                found.append(each)
            if not page.get("has_more") or not page["data"]:
                return found
            after = f"&after_id={id_in(page['data'][-1])}"

    async def _is(self, remote: str, token: str) -> bool:
        found = False

        def line(row: dict[str, Any]) -> None:
            nonlocal found
            found = found or str(row["custom_id"]).endswith(f"-{token}")

        await read_lines(self._provider, f"{PATH}/{remote}/results", line)
        return found

    async def look(self, batch: Batch) -> Standing:
        with explained(self._provider, batch.model):
            found = await got(self._provider, f"{PATH}/{batch.remote}")
            numbers = [count(found["request_counts"].get(name)) for name in COUNTS]
            return Standing(
                found["processing_status"] == "ended",
                sum(numbers[1:]),
                sum(numbers),
                _time(found["expires_at"]),
            )

    async def results(self, batch: Batch, standing: Standing, take: Take) -> int:
        def line(row: dict[str, Any]) -> None:
            take(str(row["custom_id"]), _result(row["result"], self._provider.settings.naming(batch.model)))

        with explained(self._provider, batch.model):  # not where `results_url` leads: that might be anywhere
            return await read_lines(self._provider, f"{PATH}/{batch.remote}/results", line)


def _time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _result(result: dict[str, Any], what: str) -> Result:
    if result["type"] == "succeeded":
        message = result["message"]
        return message if isinstance(message, dict) else Unreadable("no JSON object")
    if result["type"] == "expired":
        return expired(what)
    if result["type"] == "canceled":
        return canceled(what)
    return StatusError(200, *message_in(result["error"], "the batch has an error without a message"))
