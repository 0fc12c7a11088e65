"""What a run that is gone on with says of the versions, sandboxes and limits of its earlier trials."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from assay.config import Config
from assay.records import Limits
from assay.results.conditions import mixed
from assay.results.store import Earlier
from assay.running.since_then import changes
from assay.sandboxes.backends import registry
from testing.harness.test_merging import Outcome, record

THEN = {"assay": "0.1", "assay code": "0a", "acme": "1.0", "provider acme": "12", "gcc": "14"}


def said(earlier, now=THEN, **config):
    options = SimpleNamespace(versions_for=lambda suite, model: now)
    request = SimpleNamespace(engine="local")
    session = SimpleNamespace(trial_options=options, request=request, config=Config(**config))
    return list(changes(session, "m", earlier))


def test_other_versions_are_told():
    earlier = Earlier(versions={"applied": [THEN]})
    now = {"assay": "0.1", "assay code": "0b", "acme": "2.0", "provider acme": "13", "python": "3.12"}
    assert said(earlier) == []
    assert said(earlier, now) == [
        "other code that judges in Assay",
        "acme 1.0 (now 2.0)",
        "other code of the provider acme",
    ]


@pytest.mark.parametrize(
    ("then", "config", "told"),
    [
        (("small+host", "default, memory 256 MB"), {"sandbox": "small"}, "the limits default, memory 256 MB"),
        (("small+host", "default, memory 512 MB"), {"sandbox": "small"}, ""),
        (("small+host", "default, memory 512 MB, memory watched, not bounded"), {"sandbox": "small"}, ""),
        (("small+host", "10 s"), {"sandbox": "small"}, ""),  # a suite's own
        (("podman", "default"), {"sandbox": "small"}, "the sandbox podman (now small)"),
        (("podman", "default"), {}, ""),
        (("podman", "default"), {"limits": Limits("large", 8 << 30)}, ""),
    ],
)
def test_another_sandbox_and_other_limits_are_told(monkeypatch, then, config, told):
    small = SimpleNamespace(lowered=lambda limits: replace(limits, memory=512 << 20))
    monkeypatch.setattr(registry, "backend", lambda name: small)
    found = said(Earlier(sandboxes={then}), **config)
    assert len(found) == bool(told) and all(each.startswith(told) for each in found)


def test_tables_say_that_verdicts_of_one_model_had_different_limits():
    def limited(epoch, limits):
        return record(Outcome.PASS, epoch, sandbox="small+host", limits=limits)

    both = [limited(1, "default, memory 256 MB"), limited(2, "default, memory 384 MB")]
    (told,) = mixed(both)
    assert told.startswith("suite applied: not all verdicts had the same limits: default, memory 256 MB (m)")
    assert mixed([both[0], limited(2, "10 s")]) == [], "a suite may have its own"
