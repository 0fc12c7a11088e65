"""What inspect_ai reads in a folder of logs, as JSON. Runs in inspect_ai's environment, without ours.

python inspect_reader.py LOGS BUNDLE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inspect_ai.analysis import evals_df, samples_df
from inspect_ai.log import (
    bundle_log_dir,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
    recompute_metrics,
)

folder = sys.argv[1]


def results(log):
    return {f"{s.scorer}/{s.name}/{m.name}": m.value for s in log.results.scores for m in s.metrics.values()}


def told(sample):
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "scores": {name: score.value for name, score in (sample.scores or {}).items()},
        "why": {name: score.explanation for name, score in (sample.scores or {}).items()},
        "messages": [[m.role, m.text] for m in sample.messages],
        "pictures": sum(
            p.type == "image" for m in sample.messages if not isinstance(m.content, str) for p in m.content
        ),
        "completion": sample.output.completion,
        "events": [event.event for event in sample.events],
        "information": "".join(str(e.data) for e in sample.events if e.event == "info"),
        "asked": [e.model for e in sample.events if e.event == "model"],
        "usage": {model: usage.model_dump() for model, usage in sample.model_usage.items()},
        "error": sample.error.message if sample.error else None,
        "metadata": sample.metadata,
        "seconds": sample.total_time,
        "started_at": sample.started_at,
    }


found = []
for info in list_eval_logs(folder):
    header = read_eval_log(info, header_only=True)
    log = read_eval_log(info)
    before = results(log)
    recompute_metrics(log)
    one = log.samples[0]
    found.append(
        {
            "task": info.task,
            "model": header.eval.model,
            "status": header.status,
            "epochs": header.eval.config.epochs,
            "ids": header.eval.dataset.sample_ids,
            "results": results(header),
            "computed": results(log),
            "same_in_header": before == results(header),
            "unscored": {s.name: s.unscored_samples for s in header.results.scores},
            "headline": header.results.headline.model_dump(),
            "usage": {model: usage.model_dump() for model, usage in header.stats.model_usage.items()},
            "config": header.eval.model_generate_config.model_dump(exclude_none=True),
            "args": header.eval.model_args,
            "task_args": header.eval.task_args,
            "commit": header.eval.revision.commit,
            "reductions": {r.scorer: {s.sample_id: s.value for s in r.samples} for r in log.reductions},
            "summaries": len(read_eval_log_sample_summaries(info)),
            "one": told(read_eval_log_sample(info, id=one.id, epoch=one.epoch)),
            "samples": [told(sample) for sample in log.samples],
        }
    )
evals, samples = evals_df(folder, quiet=True), samples_df(folder, quiet=True)
bundle_log_dir(folder, sys.argv[2])
print(
    json.dumps(
        {
            "logs": found,
            "evals_df": [len(evals), evals["model"].tolist(), evals["score_headline_value"].tolist()],
            "samples_df": [
                len(samples),
                samples["total_time"].sum(),
                samples["score_passed"].astype(str).tolist(),
            ],
            "bundle": sorted(path.name for path in Path(sys.argv[2]).iterdir()),
        },
        default=str,
    )
)
