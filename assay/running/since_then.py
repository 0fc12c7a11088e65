"""What has changed since the trials of a run that is gone on with: told before anything is paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from assay.extensions import CODED, GROUPS
from assay.few import few
from assay.report.wording import count
from assay.results.store import Earlier, read_file
from assay.running.session import Session
from assay.running.trial import UNBOUNDED, Planned
from assay.suites.sample import Sample

CODES = {"assay code": "code that judges in Assay", "suite files": "files of the suite"}  # told without hash
NAMED = 3  # tests in a message
BY_NAME = tuple(f"{GROUPS[each]} " for each in CODED)  # as assay.extensions.versions_of names code


def warning(session: Session, model: str, earlier: Earlier, left: int) -> str:
    """What to say of a run that keeps trials; ''. `left`: how many trials it makes."""
    then = "; ".join(dict.fromkeys(changes(session, model, earlier)))
    would = "not mix them" if left else "run them again"
    said = f"warning: {model}: trials done before had {then}; a new run (without --resume) would {would}"
    return said if then else ""


def of_earlier_versions(kept: int, anew: int, skipping: bool) -> Iterator[str]:
    """What to say of so many trials by earlier versions of their tests, kept and run again. `skipping`: by
    --skip-existing, not --resume."""
    if kept:
        flag = "--skip-existing" if skipping else "--resume"
        yield f"{kept} of these {_made_before(kept)} kept; a new run (without {flag}) runs them again"
    if anew:
        yield f"{count(anew, 'trial')} done before {_made_before(anew)} run again"


def _made_before(number: int) -> str:
    words = ("were", "their", "are") if number > 1 else ("was", "its", "is")
    return "{} made by an earlier version of {} test and {}".format(*words)


def renamed(samples: Iterable[Sample], plan: Iterable[Planned], run_file: Path) -> str:
    """What to say of tests to run that were done before under names that are gone; ''. `samples`: of the
    run; `plan`: the trials that are left."""
    gone = {each.test: each.expression for each in read_file(run_file, [], light=True) if each.expression}
    for sample in samples if gone else ():
        gone.pop(sample.id, None)
    before = {expression: test for test, expression in gone.items()}
    first = (trial.sample for trial in plan if trial.epoch == 1) if before else ()
    found = [f"{sample.id} as {test}" for sample in first if (test := before.get(sample.expression, ""))]
    if not found:
        return ""
    again = "asks and checks" if len(found) == 1 else "ask and check"
    return (
        f"{count(len(found), 'test')} to run {again} the same as one done before under another name "
        f"({few(found, NAMED)}): with that name again, it would not run again"
    )


def changes(session: Session, model: str, earlier: Earlier) -> Iterator[str]:
    """Each in words. `model`: its name in records. Only what is known on both sides can differ."""
    for suite, kinds in earlier.versions.items():
        now = session.trial_options.versions_for(suite, model, session.config.sandbox)
        for name, value in now.items():
            then = list(dict.fromkeys(each[name] for each in kinds if each.get(name, value) != value))
            if then and (name in CODES or name.startswith(BY_NAME)):
                yield f"other {CODES.get(name, f'code of the {name}')}"
            elif then:
                yield f"{name} {' and '.join(then)} (now {value})"
    if not earlier.sandboxes or session.request.engine != "local":
        return
    from assay.sandboxes.backends.registry import backend
    from assay.sandboxes.pool import lowered

    config, limits = session.config, session.config.limits
    if config.sandbox != "auto":
        if others := sorted({tier.partition("+")[0] for tier, _ in earlier.sandboxes} - {config.sandbox}):
            yield f"the sandbox {' and '.join(others)} (now {config.sandbox})"
            return
        limits = lowered(backend(config.sandbox), limits)
    before = {words.removesuffix(UNBOUNDED) for _, words in earlier.sandboxes}
    profile = limits.profile.partition(", ")[0]
    alike = sorted(each for each in before if each.partition(", ")[0] == profile)
    if alike and limits.profile not in alike:  # a suite's own limits have another name
        yield f"the limits {' and '.join(alike)} (now {limits.profile})"
