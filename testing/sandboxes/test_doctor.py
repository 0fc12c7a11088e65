"""What the doctor finds out, against the real sandboxes of this machine."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import SandboxError, SandboxUnavailable
from assay.language.languages import LANGUAGES
from assay.records import Limits, Table
from assay.report.terminal import show_tables
from assay.sandboxes import doctor
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.doctor import Tier
from assay.sandboxes.image import builder, contents
from testing.sandboxes.conftest import probed, use


@pytest.fixture(scope="module")
def tiers():
    probed("docker")
    return {each.tier: each for each in asyncio.run(doctor.examine())}


@pytest.mark.slow(5)
def test_every_isolated_tier_is_examined(tiers):
    assert {"podman", "docker", "bubblewrap+image", "bubblewrap+host"} <= set(tiers)
    assert "unsafe_local" not in tiers


@pytest.mark.slow(5)
@pytest.mark.parametrize("tier", ["podman", "docker", "bubblewrap+image"])
def test_the_image_has_every_language_and_library(tiers, tier):
    found = tiers[tier]
    assert not found.why
    lacking = sorted({*contents.VERSIONS, *contents.LIBRARIES} - set(found.versions))
    assert not lacking, f"the image lacks {lacking}: add their packages to the Dockerfile, then make image"
    unknown = sorted(name for name, version in found.versions.items() if version == "?")
    assert not unknown, (
        f"give {unknown} a `version` in assay/language/languages.py whose first line has a number"
    )
    assert found.limits == {"memory": "kernel", "processes": "kernel", "disk": "kernel"}
    assert "typescript" not in found.versions  # its compiler's number is none of TypeScript's


def test_without_cgroups_the_agent_holds_the_limits(monkeypatch):
    without = Bubblewrap(Path("/"), use_cgroups=False)
    monkeypatch.setattr(doctor, "candidates", lambda: {"bubblewrap": without})
    (found,) = asyncio.run(doctor.examine())
    assert found.limits == {"memory": "agent", "processes": "agent", "disk": "kernel"}


def test_limits_that_do_not_hold_are_told(monkeypatch):
    class Generous(Bubblewrap):
        async def open(self, limits, run_id):
            return await super().open(Limits(), run_id)

    monkeypatch.setattr(doctor, "candidates", lambda: {"bubblewrap": Generous(Path("/"))})
    (found,) = asyncio.run(doctor.examine())
    assert set(found.limits.values()) == {"NOT HELD"}


def test_what_does_not_work_says_why(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "candidates", lambda: {"podman": registry.backend("podman")})
    monkeypatch.setenv("PATH", str(tmp_path))
    (found,) = asyncio.run(doctor.examine())
    assert "apt-get install podman" in found.why and not found.versions


def test_one_that_hangs_does_not_hold_up_the_others(monkeypatch):
    class Stuck(Bubblewrap):
        async def probe(self, known={}):
            await asyncio.sleep(60)

    class Absent(Bubblewrap):
        async def probe(self, known={}):
            raise SandboxUnavailable("it is not here")

    monkeypatch.setattr(doctor, "OPEN_LIMIT_S", 0.1)
    monkeypatch.setattr(doctor, "candidates", lambda: {"a": Stuck(), "b": Absent()})
    first, second = asyncio.run(doctor.examine())
    assert "no answer within 0.1 s" in first.why and second.why == "it is not here"


def test_one_that_opens_otherwise_than_its_probe_does_not_work(monkeypatch):
    class Mounted(Bubblewrap):
        name = "bubblewrap_mounted"

        async def probe(self, known={}):
            found = await super().probe(known)
            self._view = (*self._view, "--ro-bind", "/no/such/folder", "/words")
            return found

    monkeypatch.setattr(doctor, "candidates", lambda: {"one": Mounted(Path("/"))})
    (found,) = asyncio.run(doctor.examine())
    assert "bubblewrap_mounted passed its probe, but did not open" in found.why
    assert "/no/such/folder" in found.why and not found.opens


def test_one_that_does_not_open_with_small_limits_has_a_row_that_says_so(monkeypatch):
    class Greedy(Bubblewrap):
        async def open(self, limits, run_id):
            if limits == doctor.LIMITS:
                raise SandboxError("too little\nmemory")
            return await super().open(limits, run_id)

    monkeypatch.setattr(doctor, "candidates", lambda: {"one": Greedy(Path("/"))})
    limits, *_ = doctor.tables(asyncio.run(doctor.examine()))
    assert limits.rows == (("bubblewrap+host", "not tried", "not tried", "not tried"),)
    assert "not with small ones: too little memory." in limits.note


def test_a_version_may_stand_behind_blank_lines(monkeypatch):
    """`perl --version` begins with one."""
    monkeypatch.setattr(
        contents, "VERSIONS", {"odd": "printf '\\n\\nthis is odd 5, version 36 (v5.36.0)\\n'"}
    )
    monkeypatch.setattr(doctor, "candidates", lambda: {"bubblewrap": Bubblewrap(Path("/"))})
    (found,) = asyncio.run(doctor.examine())
    assert found.versions["odd"] == "5.36.0"


def test_the_versions_are_also_of_the_languages_of_packages(monkeypatch):
    """Each says it by a command of the shell, a pipe for example."""
    commands = {
        "odd": "echo odd 5.36.0",
        "piped": "echo 'echo 8.6.13' | sh",
        "gone": "echo 'puts 1.2' | no-such-program",
        "gone.5.1": "no-such-program5.1 --version | head -1",
        "banner": "printf 'Welcome to 1 banner\\n\\nRelease 4.2\\nsince 1.0'",
        "mute": "echo 'of * stars'",
    }
    theirs = {name: replace(LANGUAGES["bash"], version=command) for name, command in commands.items()}
    monkeypatch.setattr(contents, "all_languages", lambda: {**LANGUAGES, **theirs})
    found = use(probed("bubblewrap+host"), contents.versions)
    told = {name: found.get(name) for name in commands}
    assert told == {
        "odd": "5.36.0",
        "piped": "8.6.13",
        "gone": None,
        "gone.5.1": None,
        "banner": "4.2",
        "mute": "?",
    }
    _, table, _ = doctor.tables([Tier("one", "one", versions=found)])
    assert ("odd", "5.36.0") in table.rows and table.note.startswith("?: it is there, but ")


@pytest.mark.parametrize(
    ("run", "said"),
    [
        *(("bahs main.sh", "bahs"), ("bash other.sh", "other.sh"), ("true", "nothing")),
        ("seq 99; echo 'no unit system' >&2; exit 1", "(exit 1), but:\n1\n2\n"),
        ("seq 9999; echo 'no unit system' >&2; exit 1", "\n9999\nno unit system"),
        ("printf hello; echo and >&2", "'hello' (exit 0)"),
        ("echo; echo hello", r"'\nhello\n' (exit 0)"),
    ],
)
def test_a_language_that_is_run_wrongly_does_not_say_hello(run, said):
    row = replace(LANGUAGES["bash"], run=run)
    words = use(probed("bubblewrap+host"), lambda sandbox: doctor.says_hello(sandbox, row))
    assert words.startswith(r"the output is not 'hello\n'") and said in words
    assert not use(probed("bubblewrap+host"), lambda sandbox: doctor.says_hello(sandbox, LANGUAGES["bash"]))


def states(podman=doctor.UP_TO_DATE, bubblewrap=doctor.UP_TO_DATE):
    rows = (
        ("podman", "x", podman),
        ("docker", "x", "docker is not installed"),
        ("bubblewrap", "x", bubblewrap),
    )
    return Table("Image", ("for", "name", "state"), rows)


def test_what_to_do_depends_on_what_lacks_it():
    assert "add the package there" in doctor.remedy("podman_small", states())
    assert "make image builds it again" in doctor.remedy("podman", states(podman=doctor.STALE))
    assert "make image builds it again" in doctor.remedy("bubblewrap+image", states(bubblewrap=doctor.STALE))
    for tier in ("bubblewrap+host", "unsafe_local", "one of your own"):
        assert "Install it on this machine" in doctor.remedy(tier, states())


def test_files_of_an_earlier_dockerfile_are_not_up_to_date(monkeypatch):
    """bubblewrap runs on them, whatever the Dockerfile has become meanwhile."""
    if builder.rootfs() is None:
        pytest.skip("there is no image here; make image builds it")
    assert builder.files_built() == builder.content_hash(), "make image, then again"
    monkeypatch.setattr(builder, "content_hash", lambda: "another")
    table = {row[0]: row[2] for row in doctor.image_table().rows}
    assert table["bubblewrap"] == doctor.STALE


def test_tables_are_plain_data():
    works = Tier("podman", "podman", "", {"python": "3.11.2"}, {"memory": "kernel", "disk": "kernel"})
    broken = Tier("docker", "docker", "not here")
    limits, versions, image = doctor.tables([works, broken])
    assert limits.rows == (("podman", "kernel", "", "kernel"),)
    assert (versions.columns, versions.rows) == (("what", "podman"), (("python", "3.11.2"),))
    assert {row[0] for row in image.rows} == {"podman", "docker", "bubblewrap"}
    assert all(state for _, _, state in image.rows)


def test_the_tables_fit_into_80_columns():
    found = {name: "25.0.1.123" for name in ("image", "kernel", *contents.VERSIONS, *contents.LIBRARIES)}
    tiers = [
        Tier(tier, tier, versions=found, limits=dict.fromkeys(("memory", "processes", "disk"), "NOT HELD"))
        for tier in ("podman", "docker", "bubblewrap+image", "bubblewrap+host")
    ]
    screen = io.StringIO()
    show_tables(doctor.tables(tiers), file=screen, width=80)
    assert max(map(len, screen.getvalue().splitlines())) <= 80
