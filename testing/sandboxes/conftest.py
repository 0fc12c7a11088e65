"""The sandboxes that work on this machine, each of which every conformance test meets."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.conformance.sandboxes.suite import python, run, shell, timed, use
from assay.errors import SandboxUnavailable
from assay.records import Limits
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.backends.registry import Backend
from testing import engines

__all__ = ["backend", "cancelled_openings", "isolated", "probed", "python", "run", "shell", "timed", "use"]


def _makers() -> dict[str, Callable[[], Backend]]:
    """Every backend of the registry; bubblewrap twice, on the host's files and on the image's."""
    makers: dict[str, Callable[[], Backend]] = {
        "bubblewrap+host": lambda: Bubblewrap(Path("/")),
        "bubblewrap without cgroups": lambda: Bubblewrap(Path("/"), use_cgroups=False),
    }
    for name in registry.BACKENDS:
        title = "bubblewrap+image" if name == "bubblewrap" else name
        makers[title] = lambda name=name: registry.backend(name)
    return makers


MAKERS = _makers()
ISOLATED = [name for name in MAKERS if name != "unsafe_local"]
_probed: dict[str, Backend | str] = {}


def probed(name: str) -> Backend:
    """The backend of that name after its real probe; the test is skipped where its engine cannot run."""
    if name not in _probed:  # outside any event loop: it runs its own
        if name == "docker":
            engines.start_docker()
        candidate = MAKERS[name]()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # unsafe_local warns, as it should
                asyncio.run(candidate.probe())
            _probed[name] = candidate
            if name == "bubblewrap+image" and candidate.tier != name:
                _probed[name] = "there is no image here; make image builds it"
        except SandboxUnavailable as error:
            _probed[name] = str(error)
    found = _probed[name]
    if isinstance(found, str):
        pytest.skip(f"{name} cannot run here: {found}")
    return found


async def cancelled_openings(backend: Backend, step_s: float) -> None:
    """Cancel openings at 30 moments, `step_s` apart; those that were done are closed."""
    for step in range(30):
        opening = asyncio.ensure_future(backend.open(Limits(), "conformance"))
        await asyncio.sleep(step * step_s)
        if opening.cancel():
            with pytest.raises(asyncio.CancelledError):
                await opening
        else:
            await (await opening).close()


def _chosen(names: list[str]) -> list[Any]:
    """A Docker engine has to be started first, and given the image."""
    return [pytest.param(name, marks=pytest.mark.slow(1)) if name == "docker" else name for name in names]


@pytest.fixture(params=_chosen(list(MAKERS)))
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each way to run a command, with or without isolation."""
    return probed(request.param)


@pytest.fixture(params=_chosen(ISOLATED))
def isolated(request: pytest.FixtureRequest) -> Backend:
    """Each way to run a command that keeps it away from the machine."""
    return probed(request.param)
