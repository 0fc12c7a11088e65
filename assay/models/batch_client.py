"""Calls to one provider that go by batch: the waves take the place of connections, time limits and pauses."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
import time
from collections.abc import Callable, Mapping
from typing import Any

from assay.dialogue import tokens_in
from assay.errors import AssayError, ConfigError, ProviderError, Transient
from assay.models import prices
from assay.models.batches import BatchAPI
from assay.models.failures import Misread, Unanswered
from assay.models.ledger import Ledger, Ticket
from assay.models.provider import Call, Provider, ProviderSettings
from assay.models.provider_client import ProviderClient, clean
from assay.models.registry import Row
from assay.models.retry import Retry
from assay.models.secrets import Scrubber
from assay.models.waves import Channel, Waves
from assay.records import Completion, Usage

LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


class BatchClient(ProviderClient):
    """`api`: the provider's batches. A request that failed, or expired, is in the next wave again."""

    def __init__(
        self,
        settings: ProviderSettings,
        provider: Provider,
        retry: Retry,
        ledger: Ledger,
        scrub: Scrubber,
        waves: Waves,
        api: BatchAPI,
    ) -> None:
        super().__init__(settings, provider, retry, ledger, scrub)
        self.waves, self._channel = waves, Channel(api, settings, retry.attempts)

    async def ask(
        self, call: Call, cost_of: Callable[[Usage], float | None], judges: bool = False
    ) -> Completion:
        """As of ProviderClient. The wait for the batch counts as one for a connection. `judges` means nothing
        here: what a judge's wave is asked about is paid for."""
        began = time.monotonic()
        self.open()
        for attempt in range(1, self.retry.attempts + 1):
            prompt = tokens_in(call.messages, call.tools)
            ticket = Ticket(self._name(call), prompt, cost_of, most=self._longest(call))
            sent: list[str] = []
            failure: AssayError
            try:
                reply = self._believed(await self.provider.ask(self._by_batch(call, ticket, sent)), call)
                cost = cost_of(reply.usage) if reply.cost is None else reply.cost
                self.ledger.paid(ticket, reply.usage, cost)
                self.waves.used(sent)
                queued = time.monotonic() - began
                return dataclasses.replace(
                    reply, cost=cost, attempts=attempt, queued_seconds=queued, by_batch=True
                )
            except asyncio.CancelledError:
                raise
            except AssayError as error:
                failure = error
            except Exception as error:  # noqa: BLE001 - its text may hold the key
                failure = self._raised(error, call)
            finally:
                self.ledger.left(ticket)
            if isinstance(failure, Unanswered):
                self.ledger.lost(ticket)
            message = self.scrub(str(failure))
            if not isinstance(failure, Transient):
                raise clean(failure, message)
            if self.retry.is_last(attempt, isinstance(failure, Misread)):
                plural = "es" if attempt > 1 else ""
                raise ProviderError(f"{message} (gave up after {attempt} batch{plural})")
        raise ConfigError("a call needs at least one attempt")

    def _by_batch(self, call: Call, ticket: Ticket, sent: list[str]) -> Call:
        """The call with a way into the next wave. `sent` gets the ids of its requests that were answered."""

        async def reply(path: str, body: Mapping[str, Any]) -> dict[str, Any]:
            request, found = await self.waves.reply(self._channel, call.key, call.model, ticket, path, body)
            sent.append(request)
            return found

        return dataclasses.replace(call, by_batch=reply)

    def _longest(self, call: Call) -> int:
        """Tokens of its longest reply."""
        given = next((call.wire[name] for name in LIMITS if isinstance(call.wire.get(name), int)), 0)
        return int(given or prices.facts(self.settings.provider, call.model).get("max_output") or 0)


def batch_client(
    row: Row,
    waves: Waves,
    settings: ProviderSettings,
    provider: Provider,
    retry: Retry,
    ledger: Ledger,
    scrub: Scrubber,
) -> BatchClient:
    """The client of a provider whose module has `batches`."""
    api = importlib.import_module(row.module).batches(provider)
    return BatchClient(settings, provider, retry, ledger, scrub, waves, api)
