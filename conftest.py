"""Lets pytest run a checkout's tests as an installed Assay does: pytest tests/print_hello.py --model M."""

import pytest

from assay.plugins import pytest as pytest_plugin


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    if not pluginmanager.is_registered(pytest_plugin):  # as it is where Assay is installed
        pluginmanager.register(pytest_plugin, "assay")
        pytest_plugin.add_options(parser)
