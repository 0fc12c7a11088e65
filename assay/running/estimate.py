"""The calls, tokens and cost of a run before its first call, from the cache and earlier trials."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.dialogue import tokens_in
from assay.records import EVAL_LLM, VISION_EVAL_LLM, Usage
from assay.results.past_usage import PastUsage, Test, Used, past_usage, rows_of
from assay.results.store import Results
from assay.running.cost_traits import alike, what_costs
from assay.running.first_call import FIRST_STEP_TIME_LIMIT_S, first_call, is_skipped
from assay.running.plan import variants
from assay.running.roles import ModelSource, roles_asked
from assay.running.trial import Planned

SAMPLED = 2_000  # tests that an estimate examines; a random sample if there are more


@dataclass
class Range:
    """A sum over trials of the expected use, and of the least and the most ever used."""

    expected: float = 0.0
    low: float = 0.0
    high: float = 0.0

    def add(self, values: Sequence[float], times: float) -> None:
        self.expected += times * sum(values) / len(values)
        self.low += times * min(values)
        self.high += times * max(values)

    def stretched(self, factor: float) -> Range:
        return Range(self.expected * factor, self.low * factor, self.high * factor)


@dataclass
class Estimate:
    """An estimate of one model's run, without trials that will be SKIPPED. `calls`: at least. `looked_at`:
    trials whose first call is known; of these, `cached` need no call. `hidden`: trials whose first call
    depends on what only a run can tell, such as a sandbox; they count as to be paid.

    `tokens` and `cost` (US dollars) are of the paid calls, None if unknown, without the judges' cost of
    `judged` trials. `batch_cost`: by batch, None if that is impossible. `known` tests have earlier trials,
    `by_others` of them only by other models. `priced`: whether all prices are known."""

    model: str
    trials: int = 0
    calls: int = 0
    looked_at: int = 0
    cached: int = 0
    hidden: int = 0
    tokens: Range | None = None
    cost: Range | None = None
    batch_cost: Range | None = None
    known: int = 0
    by_others: int = 0
    earlier: int = 0  # earlier trials that this is based on
    priced: bool = True
    free: bool = False
    # where `earlier` are not trials of these tests, which were never tried: "other tests" or "other rows"
    other_tests: str = ""
    price_hint: str = ""  # what to do about an unknown price
    judged: int = 0  # trials that begin in the cache and ask a judge with unknown usage
    # tests that were never tried and have what the tried ones have not, such as a judge; `tokens` and `cost`
    # are without them
    unlike: int = 0


@dataclass
class _Sums:
    """Sums that grow while the trials of a model are examined."""

    tokens: Range = field(default_factory=Range)
    cost: Range = field(default_factory=Range)
    batch_cost: Range = field(default_factory=Range)
    paid: float = 0.0  # trials not in the cache, of tests with earlier trials
    to_pay: float = 0.0  # trials not in the cache, of all tests


class _Sampled:
    """The trials of at most SAMPLED tests, those with the lowest hashes."""

    def __init__(self) -> None:
        self.tests: dict[Test, list[Planned]] = {}
        self._highest: list[tuple[int, Test]] = []  # a heap of negated hashes

    def add(self, trial: Planned) -> None:
        test = (trial.sample.suite, trial.sample.id)
        if test in self.tests:
            its = self.tests[test]
            its.append(Planned(its[0].sample, trial.epoch))  # one Sample shared by all its trials
            return
        heapq.heappush(self._highest, (-hash(test), test))
        self.tests[test] = [trial]
        if len(self.tests) > SAMPLED:
            del self.tests[heapq.heappop(self._highest)[1]]


class Estimator:
    """Estimate runs of several models on the same tests. `results`: earlier runs. `cache`: the file of cached
    replies, None for --no-cache. `time_limit_s`: for looking up trials in the cache, for each model; the
    trials found by then represent the rest."""

    def __init__(
        self, source: ModelSource, results: Results, cache: Path | None, time_limit_s: float = 1.0
    ) -> None:
        self._source, self._results = source, results
        self._cache = cache if cache is not None and cache.exists() else None
        self._time_limit_s = time_limit_s
        self._past: PastUsage | None = None
        self._tests: set[Test] = set()

    async def estimate(self, model: str, trials: Iterable[Planned], names: Mapping[str, str]) -> Estimate:
        """The estimate of one model's trials. `names`: role -> model."""
        one = Estimate(model, free=self._is_free(model), price_hint=self._source.price_hint(model))
        sampled = _Sampled()
        for trial in trials:
            if variants(self._source, model, trial.sample) and not await is_skipped(trial, names):
                one.trials += 1
                one.calls += trial.sample.test.fewest_calls
                if not one.free:
                    sampled.add(trial)
        planned = sampled.tests
        if one.free:
            one.tokens = one.cost = Range()
            one.looked_at = one.cached = one.trials
            return one
        cached = await self._cached(planned, names, one)
        scale = one.trials / max(1, sum(map(len, planned.values())))  # 1 for up to SAMPLED tests
        one.judged = round(scale * self._judged(planned, cached, names))
        self._learn(set(planned))
        assert self._past is not None
        sums = _Sums()
        each = {test: len(its) * (1 - cached.get(test, self._share(one))) for test, its in planned.items()}
        times = {test: number for test, number in each.items() if number}  # the others cost nothing
        costs = {test: what_costs(planned[test][0].sample) for test in times}
        tried = [costs[test] for test in times if self._past.of(test, model)[0]]
        for test, number in times.items():
            if tried and costs[test] and not any(costs[test] <= its for its in tried):
                one.unlike += 1
            else:
                self._add(test, number, one, sums)
        if not one.earlier and sums.to_pay:
            sums = self._by_others(model, times, costs, one, await self._prompts(planned, times, names))
        one.unlike = round(one.unlike * scale)
        if sums.to_pay == 0 and one.looked_at and not one.unlike:
            one.tokens = one.cost = Range()
            one.batch_cost = None if self._source.batch_price(model, Usage()) is None else Range()
        elif sums.paid:  # tests that were never tried are assumed to be like the others
            stretch = scale * sums.to_pay / sums.paid
            one.tokens = sums.tokens.stretched(stretch)
            one.cost = sums.cost.stretched(stretch) if one.priced else None
            if one.priced and self._source.batch_price(model, Usage()) is not None:
                one.batch_cost = sums.batch_cost.stretched(stretch)
        else:
            one.priced = self._source.price(model, Usage()) is not None
        return one

    async def _prompts(
        self, planned: Mapping[Test, Sequence[Planned]], tests: Iterable[Test], names: Mapping[str, str]
    ) -> dict[Test, float]:
        """About how many tokens the first call of each test sends; of those that could not be examined in
        time, the mean."""
        found: dict[Test, float] = {}
        until = time.monotonic() + self._time_limit_s
        for test in sorted(tests, key=hash):
            if (left := until - time.monotonic()) <= 0:
                break
            call = await first_call(planned[test][0], names, min(left, FIRST_STEP_TIME_LIMIT_S))
            if call is not None:
                found[test] = tokens_in(call.messages, call.tools)
        mean = sum(found.values()) / len(found) if found else 0.0
        return {test: found.get(test, mean) for test in tests}

    def _by_others(
        self,
        model: str,
        times: Mapping[Test, float],
        costs: Mapping[Test, frozenset[str]],
        one: Estimate,
        prompts: Mapping[Test, float],
    ) -> _Sums:
        """Of tests that were never tried: as for other rows of the same tests, or else for other tests, but
        that no trial reads less than its own prompt."""
        assert self._past is not None
        rows = {each: self._past.rows_like(each, model) for each in set(map(rows_of, times))}
        suites = {suite: self._past.like(suite, model) for suite in {suite for suite, _ in times}}
        by_rows = all(used for used, _ in rows.values())
        one.other_tests = "other rows" if by_rows else "other tests"
        sums = _Sums()
        for test, number in times.items():
            used, own = rows[rows_of(test)] if by_rows else suites[test[0]]
            like = used if by_rows else alike(costs[test], used)
            if used and not like:
                one.unlike += 1
            else:
                its = [self._reading(model, each, round(prompts[test])) for each in like]
                self._add(test, number, one, sums, (its, own))
        return sums

    def _reading(self, model: str, used: Used, prompt: int) -> Used:
        """The use of a trial if its prompt had so many tokens at least."""
        more = Usage(prompt - used.usage.input_tokens)
        if more.input_tokens <= 0:
            return used
        price = self._source.batch_price if used.by_batch else self._source.price
        cost = None if used.cost is None else used.cost + (price(model, more) or 0.0)
        return replace(used, usage=used.usage + more, cost=cost)

    def _share(self, one: Estimate) -> float:
        return one.cached / one.looked_at if one.looked_at else 0.0

    async def _cached(
        self, planned: Mapping[Test, Sequence[Planned]], names: Mapping[str, str], one: Estimate
    ) -> dict[Test, float]:
        """The share of each test's trials whose first call is in the cache, for tests examined in time."""
        asked = any(name and self._source.has_answered(name, role) for role, name in names.items())
        if self._cache is None or not asked:  # nothing is in the cache
            one.looked_at = one.trials
            return {}
        found: dict[Test, float] = {}
        until = time.monotonic() + self._time_limit_s
        order = sorted(planned, key=hash)  # in any order, but not only the first file's tests
        for test in order:
            known = hits = 0
            for trial in planned[test]:
                if (left := until - time.monotonic()) <= 0:
                    return found
                call = await first_call(trial, names, min(left, FIRST_STEP_TIME_LIMIT_S))
                if call is not None:
                    known += 1
                    hits += self._source.cached(
                        call.name, call.messages, call.json, trial.key, call.role, call.tools
                    )
            one.looked_at += known
            one.cached += hits
            one.hidden += len(planned[test]) - known
            # what cannot be looked up, such as a picture that the sandbox decodes first, counts as to be paid
            found[test] = hits / known if known else 0.0
        return found

    def _judged(
        self,
        planned: Mapping[Test, Sequence[Planned]],
        cached: Mapping[Test, float],
        names: Mapping[str, str],
    ) -> float:
        """The number of trials that begin in the cache and ask a judge that was never asked: no cached trial
        is complete without it."""
        new = {
            role
            for role in (EVAL_LLM, VISION_EVAL_LLM)
            if (name := names.get(role))
            and not self._is_free(name)
            and not self._source.has_answered(name, role)
        }
        return sum(
            len(its) * cached.get(test, 0.0)
            for test, its in planned.items()
            if new and new & roles_asked(its[0].sample)
        )

    def _is_free(self, model: str) -> bool:
        return self._source.traits(model).free

    def _learn(self, tests: set[Test]) -> None:
        if self._past is None or not tests <= self._tests:
            self._tests |= tests
            self._past = past_usage(self._results.files(), self._tests, self._is_free)

    def _add(
        self,
        test: Test,
        times: float,
        one: Estimate,
        sums: _Sums,
        like: tuple[Sequence[Used], bool] | None = None,
    ) -> None:
        assert self._past is not None
        sums.to_pay += times
        earlier, own = like or self._past.of(test, one.model)
        if not earlier:
            return
        one.known += 1
        one.by_others += not own
        one.earlier = max(one.earlier, len(earlier)) if one.other_tests else one.earlier + len(earlier)
        sums.paid += times
        used = [each.usage for each in earlier]
        sums.tokens.add([float(each.input_tokens + each.output_tokens) for each in used], times)
        costs = [self._price(one.model, each, own) for each in earlier]
        known = [each for each in costs if each is not None]
        one.priced = one.priced and len(known) == len(costs)
        if known:
            sums.cost.add(known, times)
            shares = [self._share_by_batch(one.model, each) for each in earlier]
            batched = [c * share for c, share in zip(costs, shares, strict=True) if c is not None]
            sums.batch_cost.add(batched, times)

    def _price(self, model: str, used: Used, own: bool) -> float | None:
        """The expected cost of a trial, call by call: its own cost, or its tokens at the model's price."""
        if own and used.cost is not None:
            return used.cost / self._share_by_batch(model, used) if used.by_batch else used.cost
        return self._source.price(model, used.usage, used.calls)

    def _share_by_batch(self, model: str, used: Used) -> float:
        """What the calls of a trial cost by batch, as a share of what they cost otherwise."""
        usual = self._source.price(model, used.usage, used.calls)
        batch = self._source.batch_price(model, used.usage, used.calls)
        return batch / usual if usual and batch else 1.0


def together(estimates: Sequence[Estimate]) -> tuple[float | None, float | None]:
    """The expected tokens and US dollars of all of them; None if one is unknown."""
    known = [each for each in estimates if each.tokens and not (each.judged or each.unlike)]
    if len(known) < len(estimates):
        return None, None
    tokens = [each.tokens.expected if each.tokens else None for each in estimates]
    costs = [each.cost.expected if each.cost else None for each in estimates]
    return _sum(tokens), _sum(costs)


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
