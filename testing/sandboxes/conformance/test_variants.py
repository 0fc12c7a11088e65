"""A backend made from another one: its results are its own, and it may add options."""

from __future__ import annotations

import asyncio
import importlib
import tempfile
import warnings
from pathlib import Path

import pytest

from assay.errors import SandboxUnavailable
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.backends.docker import Docker
from assay.sandboxes.backends.podman import Podman
from testing.sandboxes.conftest import probed, shell, use


def variant(base: type, *options: str) -> registry.Backend:
    """A subclass with a name of its own, probed."""
    made = type("Variant", (base,), {"name": "variant_of_it", "options": lambda self: options})()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # unsafe_local warns, as it should
        asyncio.run(registry.try_out(made))
    return made


def test_the_tier_begins_with_the_name(backend):
    async def tier(sandbox) -> str:
        return sandbox.tier

    assert use(backend, tier) == backend.tier
    assert backend.tier.partition("+")[0] == backend.name, "results of two backends must not be mixed up"


@pytest.mark.slow(2)
@pytest.mark.parametrize("name", registry.BACKENDS)
def test_a_variant_has_results_of_its_own(name):
    probed("bubblewrap+host" if name == "bubblewrap" else name)  # skipped where it cannot run
    module, _, attribute = registry.BACKENDS[name].partition(":")
    made = variant(getattr(importlib.import_module(module), attribute))

    async def tier(sandbox) -> str:
        return sandbox.tier

    assert made.tier.partition("+")[0] == "variant_of_it"
    assert use(made, tier) == made.tier


LOOK = "cat /words/list; touch /words/x 2>&1; echo x > /words/list"


@pytest.fixture
def words():
    """A folder that every user may read: sandboxes opened by root are another user's."""
    with tempfile.TemporaryDirectory(prefix="assay-words-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "list").write_text("apple\n")
        yield folder


@pytest.mark.parametrize(
    ("tier", "base"),
    [
        ("bubblewrap+host", Bubblewrap),
        ("podman", Podman),
        pytest.param("docker", Docker, marks=pytest.mark.slow(2)),
    ],
)
def test_a_variant_may_show_one_more_folder(tier, base, words):
    probed(tier)
    options = ("--ro-bind", str(words), "/words") if base is Bubblewrap else (f"--volume={words}:/words:ro",)
    seen = shell(variant(base, *options), LOOK)
    assert seen.stdout.startswith(b"apple\n") and b"Read-only" in seen.stdout + seen.stderr
    assert (words / "list").read_text() == "apple\n"
    assert shell(probed(tier), "test -e /words").returncode == 1


def test_an_option_that_is_refused_is_found_by_the_probe():
    probed("bubblewrap+host")
    with pytest.raises(SandboxUnavailable) as caught:
        variant(Bubblewrap, "--ro-bind", "/no/such/folder", "/words")
    assert "variant_of_it adds the options --ro-bind /no/such/folder /words" in str(caught.value)
    assert "install" not in str(caught.value)
