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


# Whatever may use the Docker engine, or the image's mounts and storage.
ALONE = ("testing/sandboxes/", "docker", "test_bench")


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `-n 2 --dist loadgroup`: one process has what cannot be shared."""
    for item in items:
        if any(part in item.nodeid for part in ALONE):
            item.add_marker(pytest.mark.xdist_group("engines"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Groups of which no notice is taken would be found out by tests that wait for each other."""
    if getattr(session.config.option, "loadgroup", False):
        for item in session.items:
            if item.get_closest_marker("xdist_group") and "@" not in item.nodeid:
                raise pytest.UsageError(f"this pytest-xdist does not see the group of {item.nodeid}")


def pytest_sessionfinish() -> None:
    engines.stop()
