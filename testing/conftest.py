"""For every test."""

import signal

import pytest
from hypothesis import settings

from testing import engines

# A busy machine is slow now and then; how long an example takes is no test's business.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# A shell without job control, and nohup, start what they put into the background deaf to these signals, and
# it passes that on. The programs that the tests start and then interrupt must hear them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `-n 2 --dist loadgroup`: one process has the Docker engine, which cannot be shared."""
    for item in items:
        if "docker" in item.nodeid:
            item.add_marker(pytest.mark.xdist_group("docker"))


def pytest_sessionfinish() -> None:
    engines.stop()
