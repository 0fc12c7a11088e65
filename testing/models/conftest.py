"""The local server for every test here, and a parameter that runs a test once for each SDK."""

from __future__ import annotations

import pytest

from testing.model_server import ModelServer
from testing.models.asking import SDKS


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


@pytest.fixture(params=SDKS)
def sdk(request):
    return request.param
