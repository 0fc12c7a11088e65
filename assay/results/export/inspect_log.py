"""Runs as logs of inspect_ai (https://inspect.aisi.org.uk), in its .eval format, version 2: a zip file with
the run's description, a file for each sample, and what lists and tables need. No module of inspect_ai is
imported."""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Iterable, Sequence
from operator import attrgetter
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from assay import __version__
from assay.records import VERDICTS, Outcome, TrialRecord, suite_title
from assay.results.clustered import Spread, clustered_wilson
from assay.results.export.inspect_sample import (
    METRICS,
    PASSED,
    SCORE,
    Json,
    begin_of,
    end_of,
    epoch_of,
    sample_id,
    sample_of,
    short_hash,
    summary_of,
    usage_of,
)
from assay.results.export.junit_file import groups
from assay.results.export.registry import Export, whole_file
from assay.results.export.source import Source, run_name
from assay.results.serialize import plain

VERSION = 2
REDUCER = "mean"  # reduces the epochs of a sample to one value
# The model parameters that inspect_ai has a name for; the rest are model_args.
PARAMETERS = {
    "temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "max_tokens": "max_tokens",
    "seed": "seed", "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "reasoning_effort": "reasoning_effort", "thinking_budget": "reasoning_tokens",
    "system_prompt": "system_message",
}  # fmt: skip
Values = dict[str, list[float]]  # sample id -> the values of its epochs


def write_logs(runs: Source, folder: Path) -> int:
    """Write a log for each run, suite and model, and return the number of logs. Unlike tables, which show the
    newest trial of each test, a log has its whole run. Raises StoreError."""
    logs = 0
    for path in runs.files:
        source = runs.of_run(path)
        for (suite, model), records in groups(source.records).items():
            header = _header(records, path)
            created = re.sub("[^0-9T-]", "-", header["eval"]["created"])
            name = f"{created}_{_clean(suite)}_{header['eval']['task_id']}.eval"
            with (
                whole_file(folder / name) as part,
                zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as log,
            ):
                _write(source, (suite, model), header, log)
            logs += 1
    return logs


def _clean(name: str) -> str:
    return re.sub("[^A-Za-z0-9.-]", "-", name)[:100]


def _put(log: zipfile.ZipFile, name: str, value: Any) -> None:
    # inspect_ai reads NaN as a number; a lone surrogate cannot be encoded
    log.writestr(name, json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def _write(source: Source, group: tuple[str, str], header: Json, log: zipfile.ZipFile) -> None:
    _put(log, "_journal/start.json", {"version": VERSION, "eval": header["eval"], "plan": header["plan"]})
    summaries = []
    for trial in source.trials(lambda record: (record.suite, record.model) == group):
        sample = sample_of(trial.record, source.images)
        _put(log, f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample)
        summaries.append(summary_of(sample))
    _put(log, "summaries.json", summaries)
    _put(log, "reductions.json", header.pop("reductions"))
    _put(log, "header.json", header)


def _header(records: Sequence[TrialRecord], path: Path) -> Json:
    """A log without its samples, and its `reductions`. Needs no explanations."""
    first = min(records, key=begin_of)
    commit, folder, run = path.parent.parent.name, path.parent.name, run_name(path)
    ids = list(dict.fromkeys(sample_id(record.test) for record in records))
    epochs = max(map(epoch_of, records))
    scorers, scores, reductions = _results(records, epochs)
    config = {ours: plain(value) for ours, value in first.parameters.items()}
    version = first.versions.get("assay", __version__)
    spec: Json = {
        "eval_id": short_hash("eval", commit, folder, run, first.suite, first.model),
        "run_id": short_hash("run", commit, run),
        "created": begin_of(first).isoformat(timespec="seconds"),
        "task": suite_title(first),
        "task_id": short_hash("task", commit, folder, run, first.suite, first.model),
        "task_version": 0,
        "task_attribs": {},
        "task_args": plain(first.conditions),
        "dataset": {"name": suite_title(first), "samples": len(ids), "sample_ids": ids, "shuffled": False},
        "model": first.model,
        "model_generate_config": {
            PARAMETERS[ours]: value for ours, value in config.items() if _fits(ours, value)
        },
        "model_args": {ours: value for ours, value in config.items() if not _fits(ours, value)},
        "model_roles": {
            role: {"model": name, "config": {}, "args": {}} for role, name in first.judges.items() if name
        },
        "config": {"epochs": epochs, "epochs_reducer": [REDUCER], "fail_on_error": False},
        "revision": {"type": "git", "origin": "", "commit": first.commit},
        "packages": {"assay": version},
        "metadata": {"exported_by": f"assay {__version__}", "commit": commit, "run": run},
        "scorers": scorers,
    }
    verdicts = _once(records)
    passed, counted = sum(record.outcome is Outcome.PASS for record in verdicts), len(verdicts)
    low, high = clustered_wilson(passed, counted, spread_of(verdicts))
    # One scored sample must not represent all.
    headline = SCORE if any(s["scorer"] == SCORE and not s["unscored_samples"] for s in scores) else PASSED
    return {
        "version": VERSION,
        "status": "success",
        "eval": spec,
        "plan": {"name": "plan", "steps": [{"solver": "assay", "params": {}}], "config": {}},
        "results": {
            "total_samples": len(records),
            "completed_samples": sum(record.outcome is not Outcome.ERROR for record in records),
            "scores": scores,
            "headline": {
                "scorer": headline, "score": headline, "metric": "mean" if headline == SCORE else "accuracy",
            },
            "metadata": {"passed": passed, "counted": counted, "interval_95": [low, high]},
        },
        "stats": {
            "started_at": spec["created"],
            "completed_at": max(map(end_of, records)).isoformat(timespec="seconds"),
            "model_usage": _total_usage(records),
        },
        "reductions": reductions,
    }  # fmt: skip


def _once(records: Iterable[TrialRecord]) -> list[TrialRecord]:
    """The verdicts, of a test with several names only those under the one with the newest, as in tables."""
    verdicts = [record for record in records if record.outcome in VERDICTS]
    newest = {record.expression: record.test for record in sorted(verdicts, key=attrgetter("started_at"))}
    return [each for each in verdicts if not each.expression or newest[each.expression] == each.test]


def spread_of(records: Iterable[TrialRecord]) -> Spread:
    """The spread of the tests of one suite and model."""
    tests: dict[str, list[bool]] = {}
    for record in records:
        if record.outcome in (Outcome.PASS, Outcome.FAIL):
            tests.setdefault(record.test, []).append(record.outcome is Outcome.PASS)
    return Spread.of((sum(its), len(its)) for its in tests.values())


def _fits(name: str, value: Any) -> bool:
    """Whether inspect_ai's field of this name accepts the value."""
    if name == "reasoning_effort":
        return value in ("none", "minimal", "low", "medium", "high", "xhigh", "max")
    if name == "system_prompt":
        return isinstance(value, str)
    whole = name in ("top_k", "max_tokens", "seed", "thinking_budget")
    right = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    return name in PARAMETERS and right


def _total_usage(records: Sequence[TrialRecord]) -> Json:
    """The summed usage; the price is unknown as soon as that of one trial is."""
    total: Json = {}
    for record in records:
        ((model, usage),) = usage_of(record).items()
        before = total.setdefault(model, dict.fromkeys(usage, 0))
        for name, value in usage.items():
            unknown = name == "total_cost" and (value is None or before[name] is None)
            before[name] = None if unknown else (before[name] or 0) + (value or 0)
    return total


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else math.nan  # inspect_ai's value if nothing was scored


def _stderr(values: Sequence[float]) -> float:
    """Standard error of a mean, as inspect_ai's metric of this name: over samples, not epochs."""
    if not values:
        return math.nan
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def _results(records: Sequence[TrialRecord], epochs: int) -> tuple[list[Json], list[Json], list[Json]]:
    """The scorers, their results, and the reduced values of the samples."""
    scored = [record for record in records if record.outcome in (Outcome.PASS, Outcome.FAIL)]
    values: dict[tuple[str, str], Values] = {(PASSED, PASSED): {}}
    for record in scored:
        id = sample_id(record.test)
        its = {(PASSED, PASSED): float(record.outcome is Outcome.PASS)}
        if record.score is not None:
            its[SCORE, SCORE] = record.score
        its |= {(METRICS, name): value for name, value in record.metrics.items()}
        for key, value in its.items():
            if math.isfinite(value):
                values.setdefault(key, {}).setdefault(id, []).append(value)
    scorers: list[Json] = []
    scores: list[Json] = []
    reductions: list[Json] = []
    samples = len({sample_id(record.test) for record in records})
    for (scorer, name), found in values.items():
        reduced = {id: fmean(its) for id, its in found.items()}
        metric = "accuracy" if scorer == PASSED else "mean"
        named = {metric: _mean(list(reduced.values())), "stderr": _stderr(list(reduced.values()))}
        scores.append(
            {
                "name": name,
                "scorer": scorer,
                "reducer": REDUCER if epochs > 1 else None,
                "scored_samples": len(reduced),
                "unscored_samples": samples - len(reduced),
                "metrics": {each: {"name": each, "value": value} for each, value in named.items()},
            }
        )
        if scorer != METRICS:
            reductions.append(
                {
                    "scorer": scorer,
                    "reducer": REDUCER,
                    "samples": [{"value": value, "sample_id": id} for id, value in reduced.items()],
                }
            )
        if not any(each["name"] == scorer for each in scorers):
            metrics = [{"name": f"inspect_ai/{each}"} for each in named]
            scorers.append({"name": scorer, "metrics": {"*": metrics} if scorer == METRICS else metrics})
    return scorers, scores, reductions


EXPORT = Export(write_logs, folder=True, unit="log", hint="inspect view --log-dir {path}")
