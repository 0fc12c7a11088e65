"""The calls, tokens and cost of a run before its first call, from the cache and earlier trials."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from assay.dialogue import tokens_in
from assay.records import EVAL_LLM, VISION_EVAL_LLM, Usage
from assay.results.past_usage import Judged, PastUsage, Test, Used, past_usage, rows_of
from assay.results.store import Results
from assay.running.cost_traits import Costs, what_costs
from assay.running.first_call import FIRST_STEP_TIME_LIMIT_S, first_call, may_ask
from assay.running.plan import variants
from assay.running.roles import ModelSource, roles_asked
from assay.running.trial import Planned
from assay.suites.sample import Sample

EACH_KIND = Usage(3, 1, 0, 1, 1)  # of tokens that may have a price
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
    """An estimate of one model's run, without trials that will be SKIPPED. `silent` trials ask no model.
    `calls`: at least. `looked_at`: trials whose first call is known; of these, `cached` need no call.
    `hidden`: trials whose first call depends on what only a run can tell, such as a sandbox; they count as to
    be paid.

    `tokens` and `cost` (US dollars) are of the paid calls, None if unknown, without the judges' cost of
    `judged` trials; where all prices are 0, the cost is known without the tokens. `batch_cost`: by batch,
    None if that is impossible. `known` tests have earlier trials, `by_others` of them only by other models.
    `priced`: whether all prices are known."""

    model: str
    trials: int = 0
    epochs: dict[str, int] = field(default_factory=dict)  # suite -> the most of a test
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
    untried: int = 0  # tests that were never tried, and cost what others of their kind did
    priced: bool = True
    free: bool = False
    replays: bool = False  # each reference of a test in a trial
    # where `earlier` are not trials of these tests, of which none was tried: "other tests" or "other rows"
    other_tests: str = ""
    price_hint: str = ""  # what to do about an unknown price
    judged: int = 0  # trials that begin in the cache and ask a judge with unknown usage
    # tests of kinds of which none was tried, such as with a judge; `tokens` and `cost` are without them
    unlike: int = 0
    silent: int = 0

    @property
    def asking(self) -> int:
        """Trials that may ask a model."""
        return self.trials - self.silent


@dataclass
class _Sums:
    """Sums that grow while the trials of a model are examined."""

    tokens: Range = field(default_factory=Range)
    cost: Range = field(default_factory=Range)
    batch_cost: Range = field(default_factory=Range)
    paid: float = 0.0  # trials not in the cache whose use is known


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
        one.replays = self._source.traits(model).self_judged
        sampled = _Sampled()
        for trial in trials:
            if not variants(self._source, model, trial.sample):
                continue
            asks = await may_ask(trial, names)
            if asks is None:
                continue
            one.trials += 1
            suite = trial.sample.suite
            one.epochs[suite] = max(trial.epoch, one.epochs.get(suite, 1))
            one.calls += trial.sample.test.fewest_calls
            one.silent += not asks
            if asks and not one.free:
                sampled.add(trial)
        planned = sampled.tests
        if one.free:
            one.tokens = one.cost = Range()
            one.looked_at = one.cached = one.trials
            return one
        cached = await self._cached(planned, names, one)
        scale = one.asking / max(1, sum(map(len, planned.values())))  # 1 for up to SAMPLED tests
        self._learn(set(planned))
        begun = {test: len(its) * cached[test] for test, its in planned.items() if cached.get(test)}
        samples = {test: planned[test][0].sample for test in begun}
        anew = {test: new for test, its in samples.items() if (new := self._by_new_judges(its, model, names))}
        judged = {test: number for test, number in begun.items() if test not in anew}
        one.judged = round(scale * self._judged(planned, judged, names))
        each = {test: len(its) * (1 - cached.get(test, self._share(one))) for test, its in planned.items()}
        times = {test: number for test, number in each.items() if number}  # the others cost nothing
        sums = _Sums()
        tried = {test: its for test in times if (its := self._tried(planned[test][0].sample, model))[0]}
        for test, (used, own) in tried.items():
            one.by_others += not own
            self._add(used, own, times[test], names, one, sums)
        for test, new in anew.items():
            self._add(new, True, begun[test], names, one, sums)
        by_judges = [each.judges for test in anew if test not in tried for each in anew[test] if each.judges]
        one.known = len(tried.keys() | anew.keys())
        one.earlier = sum(len(used) for used, _ in tried.values()) + len({id(its[0]) for its in by_judges})
        untried = {test: number for test, number in times.items() if test not in tried}
        if untried:
            costs = {test: what_costs(planned[test][0].sample) for test in untried}
            await self._add_untried(planned, untried, costs, names, one, sums)
        one.unlike, one.untried = round(one.unlike * scale), round(one.untried * scale)
        batched = self._source.batch_price(model, Usage()) is not None
        if not (times or anew):
            one.tokens = one.cost = Range()
            one.batch_cost = Range() if batched else None
        elif sums.paid:
            one.tokens = sums.tokens.stretched(scale)
            one.cost = sums.cost.stretched(scale) if one.priced else None
            one.batch_cost = sums.batch_cost.stretched(scale) if one.priced and batched else None
        else:
            one.priced = self._source.price(model, Usage()) is not None
            judges = {names.get(role) for its in planned.values() for role in roles_asked(its[0].sample)}
            if all(self._costs_nothing(name) for name in (model, *filter(None, judges))):
                one.cost, one.batch_cost = Range(), Range() if batched else None
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

    def _tried(self, sample: Sample, model: str) -> tuple[Sequence[Used], bool]:
        """Earlier trials of a test as `PastUsage.of` has them; none if it asks now and never did."""
        assert self._past is not None
        used, own = self._past.of((sample.suite, sample.id), model)
        return (used if any(each.calls for each in used) or not sample.test.fewest_calls else ()), own

    async def _add_untried(
        self,
        planned: Mapping[Test, Sequence[Planned]],
        times: Mapping[Test, float],
        costs: Mapping[Test, Costs],
        names: Mapping[str, str],
        one: Estimate,
        sums: _Sums,
    ) -> None:
        """Tests that were never tried: as other rows of the same test, or else as tests of the suite of the
        same kind, but that no trial reads less than its own prompt."""
        past = self._past
        assert past is not None

        @cache
        def like(suite: str, its: Costs) -> tuple[Sequence[Used], bool]:
            return past.like(suite, one.model, its.like)

        rows = {each: past.rows_like(each, one.model) for each in set(map(rows_of, times))}
        alike = {test: rows[rows_of(test)] for test in times}
        by_rows = all(used for used, _ in alike.values())
        alike |= {test: like(test[0], costs[test]) for test, (used, _) in alike.items() if not used}
        found = {test: its for test, its in alike.items() if its[0]}
        one.unlike += (len(times) - len(found)) * past.any
        prompts = await self._prompts(planned, found, names)
        by_others, earlier = 0, 0
        for test, (used, own) in found.items():
            its = [self._reading(one.model, each, round(prompts[test])) for each in used]
            self._add(its, own, times[test], names, one, sums)
            by_others, earlier = by_others + (not own), max(earlier, len(its))
        if one.known:
            one.untried = len(found)
        elif found:
            one.known, one.by_others, one.earlier = len(found), by_others, earlier
            one.other_tests = "other rows" if by_rows else "other tests"

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
            one.looked_at = one.asking
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
        self, planned: Mapping[Test, Sequence[Planned]], begun: Mapping[Test, float], names: Mapping[str, str]
    ) -> float:
        """The number of trials that begin in the cache, of these tests, and ask a judge that was never asked:
        no cached trial is complete without it."""
        new = {
            role
            for role in (EVAL_LLM, VISION_EVAL_LLM)
            if (name := names.get(role))
            and not self._is_free(name)
            and not self._source.has_answered(name, role)
        }
        return sum(number for test, number in begun.items() if new & roles_asked(planned[test][0].sample))

    def _by_new_judges(self, sample: Sample, model: str, names: Mapping[str, str]) -> list[Used]:
        """What judges use in a test's trials that no trial of it asked: one that begins in the cache pays
        these."""
        assert self._past is not None
        if not (new := {role for role in roles_asked(sample) if names.get(role)}):
            return []
        used, own = self._past.of((sample.suite, sample.id), model)
        asked = [each for trial in used for each in trial.judges]
        new -= {each.role for each in asked if own and self._is_asked(each, names)}
        if not asked and not (own and used and used[0].kind.calls >= sample.test.fewest_calls):
            used, _ = self._past.like(sample.suite, model, what_costs(sample).like)
        judges = [tuple(each for each in trial.judges if each.role in new) for trial in used]
        return [Used(Usage(), 0.0, 0, judges=its) for its in judges] if any(judges) else []

    def _is_asked(self, judged: Judged, names: Mapping[str, str]) -> bool:
        """Whether the run's judge is the one that was asked, or none is given."""
        name = names.get(judged.role)
        return not name or self._source.identity(name)[0] == judged.judge

    def _is_free(self, model: str) -> bool:
        return self._source.traits(model).free

    def _costs_nothing(self, model: str) -> bool:
        """Whether all its prices are 0."""
        return self._is_free(model) or self._source.price(model, EACH_KIND) == 0

    def _learn(self, tests: set[Test]) -> None:
        if self._past is None or not tests <= self._tests:
            self._tests |= tests
            self._past = past_usage(self._results.files(), self._tests, self._is_free)

    def _add(
        self,
        used: Sequence[Used],
        own: bool,
        times: float,
        names: Mapping[str, str],
        one: Estimate,
        sums: _Sums,
    ) -> None:
        """Add trials of a test, which are like those `used`, the model's own or other models'."""
        sums.paid += times
        sums.tokens.add([each.tokens for each in used], times)
        parts = [self._prices(one.model, each, own, names) for each in used]
        costs = [_sum([cost for _, cost in each]) for each in parts]
        known = [each for each in costs if each is not None]
        if one.priced and (unpriced := [name for each in parts for name, cost in each if cost is None]):
            one.priced = False
            whose = "" if unpriced[0] == one.model else f"{unpriced[0]}: "
            one.price_hint = f"{whose}{self._source.price_hint(unpriced[0])}"
        if known:
            sums.cost.add(known, times)
            shares = [self._share_by_batch(one.model, each) for each in used]
            batched = [c * share for c, share in zip(costs, shares, strict=True) if c is not None]
            sums.batch_cost.add(batched, times)

    def _prices(
        self, model: str, used: Used, own: bool, names: Mapping[str, str]
    ) -> list[tuple[str, float | None]]:
        """The expected cost of a trial, call by call: its own cost, or its tokens at the model's price; and
        of its judges, at the price of those that will be asked. Each with the name of who is paid."""
        if not own or used.cost is None:
            cost = self._source.price(model, used.usage, used.calls)
        else:
            cost = used.cost / self._share_by_batch(model, used) if used.by_batch else used.cost
        parts = [(model, cost)]
        for each in used.judges:
            cost, name = each.cost, names.get(each.role)
            if name and (cost is None or used.by_batch or not self._is_asked(each, names)):
                cost = self._source.price(name, each.usage, each.calls)
            parts.append((name or model, cost))
        return parts

    def _share_by_batch(self, model: str, used: Used) -> float:
        """What the calls of a trial cost by batch, as a share of what they cost otherwise."""
        usual = self._source.price(model, used.usage, used.calls)
        batch = self._source.batch_price(model, used.usage, used.calls)
        return batch / usual if usual and batch else 1.0


def together(estimates: Sequence[Estimate]) -> tuple[float | None, float | None]:
    """The expected tokens and US dollars of all of them; None if one is unknown."""
    tokens, costs = list[float | None](), list[float | None]()
    for each in estimates:
        whole = not (each.judged or each.unlike)
        tokens.append(each.tokens.expected if each.tokens and whole else None)
        costs.append(each.cost.expected if each.cost and (whole or not each.tokens) else None)
    return _sum(tokens), _sum(costs)


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
