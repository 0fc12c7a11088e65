"""Calls to one provider: the limit on concurrent calls, retries, and errors without keys."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable
from operator import attrgetter

from assay.blocking import Held, Watched
from assay.dialogue import tokens_in
from assay.errors import (
    AssayError,
    BudgetExceeded,
    ConfigError,
    NobodyThere,
    ProviderError,
    Refused,
    Rejected,
    RunEnds,
    Transient,
)
from assay.extensions import is_ours
from assay.mistakes import must_be_raised, not_wanted
from assay.models import mistakes
from assay.models.call_clock import CallClock
from assay.models.failures import (
    ABSENT,
    Misread,
    RateLimited,
    Unanswered,
    Unreachable,
    count,
    disconnected,
    dollars,
    ended,
    is_lost,
)
from assay.models.gate import Gate
from assay.models.ledger import Ledger
from assay.models.pictures import without_pictures
from assay.models.provider import Call, Provider, ProviderSettings
from assay.models.reading import reads
from assay.models.retry import Retry
from assay.models.secrets import Scrubber
from assay.records import Completion, Usage
from assay.trial_clock import holding_all, standing_still

CLOSE_TIME_LIMIT_S = 10.0  # of a provider
GIVEN_UP = 3  # calls in a row, after the server had answered, until it is taken to be gone
REFUSALS = 20  # attempts of all calls, if it never answered
NO_CHANCE = 3  # calls in a row of a model that never answered: its name or key refused, or a mistake of code
REJECTED = 20  # the same of one that did answer, or refusals (403) that may be about the prompt
ENDINGS = {
    **dict.fromkeys(
        ("max_tokens", "max_output_tokens", "max_new_tokens", "max_length", "model_length"), "length"
    ),
    **dict.fromkeys(("safety", "content_filtered", "content-filter"), "content_filter"),
    "refused": "refusal",
}  # what providers call them -> what their readers know (assay/results/causes.py)
TOKENS = tuple(each.name for each in dataclasses.fields(Usage))
NUMBERS = attrgetter(*TOKENS)


class ProviderClient:
    """Shared by all calls to one provider in one event loop.

    Where nothing ever answered, REFUSALS attempts or the first call that is given up end the run: every
    further trial would only wait as long for the same. A server that did answer may be back in a moment: then
    GIVEN_UP calls do. A model whose calls are all refused for its name, its key or the account ends it too,
    a judge at its first call, and so does a mistake in a package's provider.
    """

    def __init__(
        self, settings: ProviderSettings, provider: Provider, retry: Retry, ledger: Ledger, scrub: Scrubber
    ) -> None:
        self.settings, self.provider, self.retry = settings, provider, retry
        self.ledger, self.scrub = ledger, scrub
        self.gate = Gate(settings.max_connections)
        self.retrying = 0  # calls that wait for their next attempt
        self.failed = ""  # what the last of them failed with
        self._answered = False  # the server, ever
        self._given_up = 0  # calls in a row for which nothing listened
        self._refusals = 0  # attempts
        self._gone: str = ""  # what was said when the run was ended
        self._rejected: dict[str, list[tuple[str, bool]]] = {}  # by model: its last calls' refusals, `always`
        self._worked = set[str]()  # models that have answered
        self._opened = False
        self._theirs = not is_ours(type(provider))
        self._held = Held(self._tell_blocked)
        self.message: Callable[[str], None] = lambda text: None  # shows one to the user

    def open(self) -> None:
        """Imports, before the run's first call."""
        if not self._opened:
            with holding_all(), mistakes.blamed(self.provider, self.settings.provider, "open"):
                self.provider.open()
            self._opened = True

    @property
    def wrote(self) -> str:
        """The method that gives its replies, for messages."""
        return mistakes.wrote(self.provider, self.settings.provider)

    def reads(self) -> set[str]:
        """What its provider reads of a call from now on (reading.py)."""
        return reads(self.provider)

    async def close(self) -> None:
        """If it was opened. A provider that does not end is told, and left."""
        if not self._opened:
            return
        with mistakes.blamed(self.provider, self.settings.provider, "close"):
            try:
                async with asyncio.timeout(CLOSE_TIME_LIMIT_S) as clock:
                    await self.provider.close()
            except TimeoutError:
                if not clock.expired():
                    raise
                its = mistakes.wrote(self.provider, self.settings.provider, "close")
                self.message(
                    f"{its} did not end within {CLOSE_TIME_LIMIT_S:g} s, and the run goes on without"
                )

    async def ask(
        self, call: Call, cost_of: Callable[[Usage], float | None], judges: bool = False
    ) -> Completion:
        """The reply, after as many attempts as it takes. `cost_of`: where the server does not say. `judges`:
        whether what is asked about was paid for.

        Raises ProviderError (given up), Refused, RunEnds or ConfigError; the message holds
        no key, and the error has no context that could.
        """
        began = time.monotonic()
        call = self._seen(call)
        with standing_still():
            self.open()
        queued = time.monotonic() - began
        rejected = self._rejected.setdefault(call.model, [])
        for attempt in range(1, self.retry.attempts + 1):
            waits = time.monotonic()
            entered = await self.gate.enter()
            queued += time.monotonic() - waits
            if self._gone:
                self.gate.leave()
                raise NobodyThere(self._gone)
            if why := self._no_chance(call.model):
                self.gate.leave()
                raise Rejected(why)
            failure: AssayError
            ticket, clock = None, CallClock(self.settings)
            call = Call(call.model, call.messages, call.wire, call.json, call.tools, clock.heard)
            try:
                waits = time.monotonic()
                prompt = tokens_in(call.messages, call.tools)
                ticket = await self.ledger.enter(self._name(call), prompt, cost_of)
                queued += time.monotonic() - waits
                async with clock:
                    reply = self._believed(await self._asked(call), call)
                self.gate.succeeded()
                self._heard()
                self._worked.add(call.model)
                rejected.clear()
                cost = cost_of(reply.usage) if reply.cost is None else reply.cost
                self.ledger.paid(ticket, reply.usage, cost)
                seconds = time.monotonic() - began - queued
                return dataclasses.replace(
                    reply, cost=cost, attempts=attempt, seconds=seconds, queued_seconds=queued
                )
            except TimeoutError as error:
                failure = Unanswered(f"{self._name(call)}: {clock.why if clock.over else self._told(error)}")
            except RateLimited as error:
                self.gate.rate_limited(entered, self._pause_s(attempt, error.retry_after_s))
                failure = error
            except AssayError as error:
                failure = error
            except BaseException as error:  # an SDK may raise anything, with the key in its text
                if must_be_raised(error) or not (self._theirs or isinstance(error, Exception)):
                    if ticket is not None:  # the server goes on with what it was asked
                        self.ledger.lost(ticket)
                    raise
                failure = self._raised(error, call)
            finally:
                if ticket is not None:
                    self.ledger.left(ticket)
                self.gate.leave()
            if ticket is not None and isinstance(failure, Unanswered):
                self.ledger.lost(ticket)
            if not isinstance(failure, (Unreachable, RunEnds)):
                self._heard()
            message = self.scrub(self._naming(failure, call))
            if isinstance(failure, Refused) and not failure.content:
                rejected.append((message, failure.always))
            elif isinstance(failure, mistakes.Mistaken) and call.model not in self._worked:
                rejected.append((message, True))
            else:
                rejected.clear()
            if isinstance(failure, NobodyThere):  # in the other calls' next attempts too
                self._gone = message
            if judges and self._is_no_judge(failure, call.model):
                raise Rejected(
                    f"the judge {ended(message)} The run ends before more answers are paid for; fix that "
                    "and continue with --resume, or name another judge",
                    judge=True,
                )
            if not isinstance(failure, Transient):
                raise clean(failure, message)
            seconds = time.monotonic() - began - queued
            asked = failure.retry_after_s
            if asked is not None and asked > self.retry.max_retry_after_s:
                raise ProviderError(
                    f"{message} (the provider asks to wait {asked:.0f} s; continue later with --resume)"
                )
            if isinstance(failure, Unreachable):
                self._refusals += 1
                if not self._answered and self._refusals >= REFUSALS:
                    self._count_out(message)
            # of a stream the end may be missing
            if self.retry.is_last(attempt, isinstance(failure, Misread) and not clock.streams):
                plural = "s" if attempt > 1 else ""
                if isinstance(failure, Unreachable):
                    self._count_out(message)
                raise ProviderError(f"{message} (gave up after {attempt} attempt{plural} in {seconds:.1f} s)")
            self.failed = message
            self.retrying += 1
            try:
                await asyncio.sleep(self.retry.delay_s(attempt, asked))
            finally:
                self.retrying -= 1
        raise ConfigError("a call needs at least one attempt")

    def _asked(self, call: Call) -> Awaitable[Completion]:
        asked = self.provider.ask(call)
        return Watched(asked, self._held) if self._theirs and hasattr(asked, "__await__") else asked

    def _tell_blocked(self, seconds: float) -> None:
        self.message(
            f"the provider {self.settings.provider} blocked the event loop for {seconds:.1f} s in "
            f"{self.wrote}, so calls go one by one; use an async client or asyncio.to_thread"
        )

    def _heard(self) -> None:
        """Record that the server answers."""
        self._answered, self._given_up = True, 0

    def _count_out(self, message: str) -> None:
        """Record that a call was given up because nothing listens. Raises NobodyThere if there were enough of
        them."""
        self._given_up += 1
        if self._given_up >= (GIVEN_UP if self._answered else 1):
            self._gone = (
                f"{ended(message)} The server cannot be reached, so the run ends; continue it with --resume"
            )
            raise NobodyThere(self._gone)

    def _no_chance(self, model: str) -> str:
        """Why a further call of the model would be refused as its last ones were; '' if it might not be."""
        refusals = self._rejected[model]
        always = model not in self._worked and all(each for _, each in refusals)
        if len(refusals) < (NO_CHANCE if always else REJECTED):
            return ""
        calls = f"the last {len(refusals)} calls" if model in self._worked else "all calls"  # more may end so
        return (
            f"{ended(refusals[-1][0])} So it was with {calls} of this model, and the run ends; fix that and "
            "continue with --resume"
        )

    def _is_no_judge(self, failure: AssayError, model: str) -> bool:
        """Whether a refusal means that the model never judges: at once, as each trial pays for what it would
        be asked about."""
        named = isinstance(failure, Refused) and failure.always and not failure.form
        return named and model not in self._worked

    def _pause_s(self, attempt: int, asked: float | None) -> float:
        """How long a 429 also delays all other calls."""
        if asked is None:
            return self.retry.delay_s(attempt, None)
        return asked if asked <= self.retry.max_retry_after_s else 0.0

    def _name(self, call: Call) -> str:
        return f"{self.settings.provider}/{call.model}"

    def _naming(self, failure: AssayError, call: Call) -> str:
        """What a failure says, with the model's name before what a package's provider says without it."""
        told = isinstance(failure, RunEnds) or not isinstance(failure, ProviderError)
        told = told or is_ours(type(self.provider)) or self.settings.provider in str(failure)
        return str(failure) if told else f"{self._name(call)}: {failure}"

    def _believed(self, reply: Completion, call: Call) -> Completion:
        """`believed`; Mistaken naming the method that its author wrote, for what is none."""
        if not mistakes.gives_replies(self.provider) or not (fault := fault_of(reply)):
            return believed(reply)
        raise mistakes.Mistaken(f"{self._name(call)}: {self.wrote} must return {fault}")

    def _raised(self, error: BaseException, call: Call) -> ProviderError:
        if is_lost(error):
            return disconnected(self.settings, call.model, error, ABSENT)
        theirs = mistakes.gives_replies(self.provider) and isinstance(error, mistakes.OF_CODE)
        kind = mistakes.Mistaken if theirs else ProviderError
        return kind(f"{self._name(call)}: {self._told(error)}")

    def _told(self, error: BaseException) -> str:
        return mistakes.raised(error, self.provider, self.settings.provider)

    def _seen(self, call: Call) -> Call:
        """The call as the provider takes it: without pictures of tools if it sends none. Raises Refused for
        tools and for other pictures that it does not say that it sends: they would be lost unseen."""
        if not getattr(self.provider, "takes_pictures", False):
            call = dataclasses.replace(call, messages=without_pictures(call.messages))
            if any(message.images for message in call.messages):
                raise self._takes_no("pictures", "message.images", call)
        if call.tools and not getattr(self.provider, "takes_tools", False):
            raise self._takes_no("tools", "call.tools", call)
        return call

    def _takes_no(self, what: str, where: str, call: Call) -> Refused:
        return Refused(
            f"{self._name(call)} takes no {what}. If the provider is yours, send {where} in {self.wrote}, "
            f"and write `takes_{what} = True` in its class"
        )


def fault_of(reply: object) -> str:
    """What a provider of a user's must return and did not; '' for a whole Completion."""
    if not isinstance(reply, Completion):
        return f"a Completion, not {not_wanted(reply)}"
    for name, kind in (("text", str), ("usage", Usage), ("calls", tuple)):
        if not isinstance(value := getattr(reply, name), kind):
            return f"a Completion whose {name} is a {kind.__name__}, not {value!r:.60}"
    if not isinstance(ending := reply.finish_reason, str | None):
        return f"a Completion whose finish_reason is a str, not {ending!r:.60}"
    for name, tokens in zip(TOKENS, NUMBERS(reply.usage), strict=True):
        if type(tokens) is not int or tokens < 0:
            return f"a Completion whose usage has whole numbers from 0 on: its {name} is {tokens!r:.60}"
    if reply.cost is not None and dollars(reply.cost) is None:
        return f"a Completion whose cost is US dollars from 0 on, or None, not {reply.cost!r:.60}"
    return ""


def believed(reply: Completion) -> Completion:
    """The reply without impossible numbers: no cost below nothing, no more tokens than there are, no more of
    them cached than were read; and with its ending in our words."""
    if ending := ENDINGS.get(str(reply.finish_reason).lower()):
        reply = dataclasses.replace(reply, finish_reason=ending)
    read, wrote, reasoning, cached, kept, hour = map(count, NUMBERS(reply.usage))
    cached = min(cached, read)
    kept = min(kept, read - cached)
    usage, cost = Usage(read, wrote, reasoning, cached, kept, min(hour, kept)), dollars(reply.cost)
    if usage == reply.usage and cost == reply.cost:
        return reply
    return dataclasses.replace(reply, usage=usage, cost=cost)


def clean(failure: AssayError, message: str) -> AssayError:
    """A new error of the same kind: the old one's context may hold request headers."""
    if isinstance(failure, Refused):
        its = {name: getattr(failure, name) for name in ("form", "content", "too_long", "always")}
        return Refused(message, **its)
    if isinstance(failure, BudgetExceeded):
        return failure  # it has seen no request
    if isinstance(failure, RunEnds):
        return type(failure)(message)
    return (ConfigError if isinstance(failure, ConfigError) else ProviderError)(message)
