"""Right and wrong work on operate_schedule: files that do what the policy says, and such that nearly do."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator import Call, Script

from ..operate_schedule import right_files_of, story


def _work(seed: int, change: Mapping[str, str | None] = {}) -> Script:
    files = {**right_files_of(story(seed)), **change}
    parts = ["rm -rf jobs calendars zones; mkdir jobs calendars zones"]
    parts += [
        f"cat > {path} <<'END_OF_FILE'\n{text}END_OF_FILE" for path, text in files.items() if text is not None
    ]
    return Script("\n".join(parts))


def _by_dates(seed: int) -> Script:
    """The new jobs with every date of ten years."""
    from datetime import date

    from ..operate_schedule import engine

    told, change = story(seed), dict[str, str]()
    world = engine().World(right_files_of(told))
    for name in ("forecast", "returns", "expiry"):
        days = [day for _, day in world.due(name, date(2024, 1, 1), date(2033, 12, 31))]
        (job,) = (each for each in told.jobs if each.name == name)
        when, zone, _ = job.right.splitlines()
        change[f"jobs/{name}.job"] = f"{when}\n{zone}\non = {name}\ntakes = {job.takes}\n"
        change[f"calendars/{name}.cal"] = "".join(f"date {day}\n" for day in days)
    return _work(seed, change)


def right(seed: int) -> list[Script]:
    return [_work(seed), _by_dates(seed)]


def wrong(seed: int) -> list[object]:
    told = story(seed)
    found: list[object] = [
        _work(seed, {f"jobs/{name}.job": told.files[f"jobs/{name}.job"]}) for name in list(told.chosen)[:2]
    ]
    found += [
        _work(seed, {f"jobs/{each.name}.job": f"{each.before}\ntakes = {each.takes}\n"})
        for each in told.jobs
        if each.name in ("deploy", "fortnight", "digest")
    ]
    found += [_work(seed, {f"calendars/{name}.cal": text}) for name, text in told.broken_calendars.items()]
    found += [_work(seed, {f"zones/{name}.zone": text}) for name, text in told.broken_zones.items()]
    found += [
        _work(seed, {"jobs/cleanup.job": told.files["jobs/cleanup.job"]}),
        _work(seed, {"calendars/returns.cal": "nth 2 work-west\n-all freeze\n"}),
        [Call("shell", command="cat POLICY.md"), "Everything runs as it should."],
    ]
    return found
