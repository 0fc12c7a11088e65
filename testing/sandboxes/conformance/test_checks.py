"""Every backend that works here passes every check that the package has for backends."""

from __future__ import annotations

import pytest

from assay.conformance.sandboxes import suite
from testing.sandboxes.conftest import ISOLATED, MAKERS, probed


def _each() -> list[object]:
    found = []
    for check in suite.checks():
        for name in ISOLATED if check.for_isolated else MAKERS:
            seconds = max(check.seconds, name == "docker")  # an engine has to be started first
            marks = [pytest.mark.slow(seconds)] if seconds else []
            found.append(pytest.param(name, check, marks=marks, id=f"{check.name}-{name}"))
    return found


@pytest.mark.parametrize(("name", "check"), _each())
def test_a_backend_does_what_it_must(name: str, check: suite.Check) -> None:
    check.holds(probed(name))
