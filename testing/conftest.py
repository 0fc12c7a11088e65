"""For every test."""

import signal

from testing import engines

# A shell without job control, and nohup, start what they put into the background deaf to these signals, and
# it passes that on. The programs that the tests start and then interrupt must hear them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_sessionfinish() -> None:
    engines.stop()
