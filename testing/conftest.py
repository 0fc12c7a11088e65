"""For every test."""

import signal

import pytest
from hypothesis import settings

from testing import engines
from testing.running import progress, schedule, slow, untouched

# A busy machine is slow now and then; how long an example takes is no test's business.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# A shell without job control, and nohup, start what they put into the background deaf to these signals, and
# it passes that on. The programs that the tests start and then interrupt must hear them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    for plugin in (slow, schedule, progress, untouched):
        if not pluginmanager.is_registered(plugin):
            pluginmanager.register(plugin)


def pytest_sessionfinish() -> None:
    engines.stop()
