"""What our own providers have in common: a schema or pictures that are refused, and what a failed attempt
means."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import ClassVar

from assay.errors import ProviderError, Refused
from assay.extensions import is_ours
from assay.models import mistakes
from assay.models.failures import (
    ABSENT,
    Misread,
    StatusError,
    Unanswered,
    Unreadable,
    WebPage,
    disconnected,
    error_from_page,
    error_from_status,
)
from assay.models.pictures import SEES_NONE, shown_by_tools, without_pictures
from assay.models.plain_http import HTTPError
from assay.models.provider import Call, ProviderSettings
from assay.records import Completion, Schema


class WireProvider:
    """A subclass says what one attempt sends and what its reply means. `absent`: what to check where nothing
    listens."""

    absent: ClassVar[str] = ABSENT

    def __init__(self, settings: ProviderSettings) -> None:
        self.settings = settings
        self._without_schema: set[str] = set()  # models whose servers refused one
        self._blind: set[str] = set()  # models that see no pictures
        self._answered = False  # it has replied, so the address is that of an API

    async def attempt(self, call: Call) -> Completion:
        """One request, with the form of the reply that the call asks for. Besides errors of Assay it may
        raise StatusError, Unreadable and HTTPError."""
        raise NotImplementedError

    async def ask(self, call: Call) -> Completion:
        """One attempt. Pictures of tools are left out, and their results say so, for a model that is found to
        see none."""
        if not shown_by_tools(call.messages):
            return await self._in_form(call)
        seen = dataclasses.replace(call, messages=without_pictures(call.messages))
        if call.model in self._blind:
            return await self._in_form(seen)
        try:
            return await self._in_form(call)
        except ProviderError as error:
            if not SEES_NONE.search(str(error)):
                raise
        reply = await self._in_form(seen)
        self._blind.add(call.model)
        return reply

    async def _in_form(self, call: Call) -> Completion:
        """One attempt. A schema that is refused is left out, and JSON mode asked for instead; if that is
        answered, for that model from then on."""
        if not isinstance(call.json, Schema):
            return await self._explained(call)
        in_json = dataclasses.replace(call, json=True)
        if call.model in self._without_schema:
            return await self._explained(in_json)
        try:
            return await self._explained(call)
        except Refused as error:
            if not error.form:
                raise
        reply = await self._explained(in_json)
        self._without_schema.add(call.model)
        return reply

    async def _explained(self, call: Call) -> Completion:
        try:  # `explains` costs more
            reply = await self.attempt(call)
            self._answered = True
            return reply
        except (StatusError, Unreadable, HTTPError) as error:
            failure = mistakes.behind(error) or self._explanation(call.model, error)
        raise failure

    @contextlib.contextmanager
    def explains(self, model: str) -> Iterator[None]:
        """Around a request about `model`, or '' for all: what goes wrong becomes an error that says what
        to do."""
        try:
            yield
            return
        except (StatusError, Unreadable, HTTPError) as error:
            failure = self._explanation(model, error)
        raise failure

    def _explanation(self, model: str, error: StatusError | Unreadable | HTTPError) -> BaseException:
        if isinstance(error, StatusError):
            path = "" if is_ours(type(self)) else str(getattr(self, "path", ""))
            return error_from_status(self.settings, model, error, path)
        if isinstance(error, WebPage) and not self._answered:
            return error_from_page(self.settings, model, error)
        if isinstance(error, Unreadable):
            where = mistakes.line_in(error, self)
            kind = Misread if where and isinstance(error.__context__, mistakes.OF_CODE) else Unanswered
            return kind(f"{self.settings.naming(model)}: unreadable reply: {error}{where}")
        return disconnected(self.settings, model, error, self.absent)
