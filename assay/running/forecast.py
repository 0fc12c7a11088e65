"""An estimate in words: one line for each model, and one for the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.report import wording
from assay.running.estimate import Estimate, Range, together

FEW = 10  # trials of other tests
NOT_ALIKE = "of kinds that were never tried (by suite, pictures, judges, agents and calls)"


def lines(
    estimates: Sequence[Estimate],
    max_cost: float | None = None,
    max_tokens: int | None = None,
    batch: bool = False,
) -> list[str]:
    """The messages before the first call; none for models that cost nothing. `batch`: of a run by batch."""
    paid = [each for each in estimates if not each.free and each.asking]
    said = [f"{each.model}: {_line(each, batch)}" for each in paid]
    if batch:
        paid = [replace(each, cost=each.batch_cost) for each in paid]
    if paid:
        tokens, cost = together(paid)
        if max_cost is not None:
            flag = f"--max-cost {max_cost:g}"
            if all(each.priced for each in paid):
                said.append(against(flag, max_cost, cost))
            else:
                said.append(f"{flag} ends the run at the first reply whose cost is unknown")
        if max_tokens is not None:
            untold = ", or at the first reply that tells no tokens"
            said.append(against(f"--max-tokens {max_tokens}", max_tokens, tokens, untold))
    return said


def _line(one: Estimate, batch: bool) -> str:
    calls = f"{wording.count(one.calls, 'call')} or more" if one.calls else "no calls that are sure"
    pieces = [calls, _cached(one)]
    if one.tokens is None and not one.priced:
        pieces.append(f"the cost is unknown ({one.price_hint})")
    elif one.tokens is None:
        unknown = f"the cost is {wording.money(0)}, tokens" if one.cost else "tokens and cost"
        others = "the only earlier trials are of other kinds of tests"
        pieces.append(
            f"{unknown} are unknown: {others if one.unlike else 'these tests have no earlier trials'}"
        )
    elif not one.tokens.expected:
        pieces.append(f"nothing to pay{' for the model itself' if one.judged else ''}")
    else:
        cost = _cost(one)
        if batch and one.batch_cost is not None:
            cost = f"{_cost(replace(one, cost=one.batch_cost))} by batch, instead of {cost},"
        most = "at least " if one.unlike else "at most " if one.cached and one.hidden else ""
        of_others = one.other_tests == "other tests" or one.untried > one.known
        guess = "a rough guess: " if of_others and one.earlier < FEW else ""
        pieces.append(f"{guess}{most}about {_tokens(one.tokens)} and {cost} {basis(one)}")
        if one.unlike:
            pieces.append(f"without {wording.count(one.unlike, 'test')} {NOT_ALIKE}")
    if one.judged and (one.tokens is not None or not one.priced):
        ask = f"{one.judged:,} trials ask" if one.judged > 1 else "one trial asks"
        pieces.append(f"but {ask} a judge that was never asked before, so what it will cost is unknown")
    return ", ".join(filter(None, pieces))


def _cached(one: Estimate) -> str:
    """How many trials begin in the cache; an estimate from a sample if there are too many."""
    if not one.cached:
        return ""
    if one.looked_at >= one.asking:
        return f"{one.cached:,} of {one.asking:,} trials in the cache"
    if one.looked_at + one.hidden < one.asking:  # there are too many to look up, so these stand for all
        return f"{one.cached:,} of the {one.looked_at:,} trials that could be looked up are in the cache"
    of = f"{one.cached:,} of {one.asking:,} trials {'is' if one.cached == 1 else 'are'} in the cache"
    others = f"another {one.hidden:,} depend" if one.hidden > 1 else "another one depends"
    return f"{of}; {others} on a sandbox and cannot be looked up"


def _tokens(found: Range) -> str:
    return f"{rounded(found.expected)} tokens"


def rounded(number: float) -> str:
    """
    >>> rounded(987), rounded(12_345), rounded(1_234_567)
    ('987', '12,300', '1,230,000')
    """
    digits = max(0, len(str(round(number))) - 3)
    return f"{round(number, -digits):,.0f}"


def _cost(one: Estimate) -> str:
    if one.cost is None:
        return f"an unknown price ({one.price_hint})"
    cost = one.cost
    if cost.high - cost.low < 0.01 * cost.expected:
        return wording.money(cost.expected)
    return f"{wording.money(cost.expected)} ({wording.money(cost.low)} to {wording.money(cost.high)})"


def basis(one: Estimate) -> str:
    """What the numbers are based on: 'by 12 earlier trials'."""
    if not one.earlier:
        return ""
    of_others = f" of {one.other_tests}" if one.other_tests else ""
    trials = f"by {wording.count(one.earlier, 'earlier trial')}{of_others}"
    if one.by_others == one.known:
        of = "and" if one.other_tests else "of"
        trials += f" {of} other models{', at this price' if one.cost else ''}"
    elif one.by_others:
        trials += f", for {wording.count(one.by_others, 'test')} of other models"
    if one.untried:
        like = "like it" if one.untried == 1 else "like them"
        trials += f", for {wording.count(one.untried, 'untried test')} of others {like}"
    return trials


def against(flag: str, limit: float, expected: float | None, or_at: str = "") -> str:
    """How far a budget will go. `or_at`: where else the run stops if that is unknown."""
    if expected is None:
        return f"{flag}: it is unknown how far it will go; the run stops there{or_at}, and --resume continues"
    if expected <= limit:
        return f"{flag} is enough: {100 * expected / limit if limit else 0:.0f}% is expected to be used"
    return (
        f"{flag} would end the run after about {100 * limit / expected:.0f}%; --resume continues from there"
    )
