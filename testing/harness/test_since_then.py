"""What a run that is gone on with says of the versions, sandboxes and limits of its earlier trials."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from assay.config import Config
from assay.extensions import GROUPS, extensions, versions_of
from assay.package_code import code_of, is_package
from assay.records import Limits
from assay.results.conditions import mixed
from assay.results.store import Earlier
from assay.running.since_then import changes, warning
from assay.running.trial import TrialOptions
from assay.sandboxes.backends import registry
from assay.suites.finding import find_suite
from testing.harness.test_merging import Outcome, record

THEN = {
    "assay": "0.1",
    "assay code": "0a",
    "acme": "1.0",
    "provider acme": "12",
    "sandbox small": "5",
    "gcc": "14",
}


OWN = Limits(cpus=2.0).named_after(Limits())


def session(now=THEN, **config):
    options = SimpleNamespace(versions_for=lambda suite, model, tier: now)
    request = SimpleNamespace(engine="local")
    return SimpleNamespace(trial_options=options, request=request, config=Config(**config))


def said(earlier, now=THEN, **config):
    return list(changes(session(now, **config), "m", earlier))


def test_other_versions_are_told():
    earlier = Earlier(versions={"applied": [THEN]})
    now = {
        "assay": "0.1",
        "assay code": "0b",
        "acme": "2.0",
        "provider acme": "13",
        "sandbox small": "6",
        "python": "3.12",
    }
    assert said(earlier) == []
    assert said(earlier, now) == [
        "other code that judges in Assay",
        "acme 1.0 (now 2.0)",
        "other code of the provider acme",
        "other code of the sandbox small",
    ]


@pytest.mark.parametrize(("left", "would"), [(0, "run them again"), (2, "not mix them")])
def test_a_run_that_has_nothing_left_says_so_too(left, would):
    earlier, now = Earlier(versions={"applied": [THEN]}), session({"acme": "2.0"})
    told = warning(now, "m", earlier, left)
    assert "had acme 1.0 (now 2.0); a new run" in told and told.endswith(f"would {would}")
    assert warning(session(), "m", earlier, left) == ""


def test_the_files_of_an_installed_suite_are_also_what_it_imports_of_its_package(tmp_path, monkeypatch):
    info = tmp_path / "its_name-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-name\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[assay.suites]\nmine = suited.mine.suite:SUITE\n")
    (tmp_path / "suited" / "mine").mkdir(parents=True)
    (tmp_path / "suited" / "mine" / "suite.py").write_text(
        "from assay.suites.suite import Suite\nfrom suited import helper\n"
        "SUITE = Suite(name='mine', samples=lambda options: [])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def code(text):
        (tmp_path / "suited" / "helper.py").write_text(text)
        for each in (extensions, is_package, code_of):
            each.cache_clear()
        try:
            return find_suite("mine", [tmp_path / "tests"]).code
        finally:
            extensions.cache_clear()
            for name in [each for each in sys.modules if each.partition(".")[0] == "suited"]:
                del sys.modules[name]

    assert code("A = 1") == code("A = 1") != code("A = 2")


@pytest.mark.parametrize("kind", ["provider", "sandbox"])
def test_records_keep_the_code_of_what_a_package_adds(tmp_path, monkeypatch, kind):
    info = tmp_path / "its_name-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-name\nVersion: 1.0\n")
    group = next(each for each, word in GROUPS.items() if word == kind)
    (info / "entry_points.txt").write_text(f"[{group}]\nmine = coded.it:It\n")
    (tmp_path / "coded").mkdir()
    (tmp_path / "coded" / "it.py").write_text("from coded import helper\n")
    monkeypatch.syspath_prepend(tmp_path)

    def kept(text):
        (tmp_path / "coded" / "helper.py").write_text(text)
        for each in (extensions, is_package, code_of):
            each.cache_clear()
        its = TrialOptions(providers={"m": versions_of("assay.providers", "mine")})
        return its.versions_for("mine", "m", "mine+host")

    try:
        first, second = kept("A = 1"), kept("A = 2")
    finally:
        extensions.cache_clear()
    assert first["its-name"] == second["its-name"] == "1.0"
    assert first[f"{kind} mine"] != second[f"{kind} mine"]


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
        (
            ("small+host", "default"),
            {"sandbox": "small", "limits": OWN},
            "the limits default (now default, cpus 2",
        ),
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
