"""The local server for every test here, a certificate for TLS, and a test for each SDK."""

from __future__ import annotations

import ssl
import subprocess

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


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A context for a server called localhost, and the file of its certificate, which nobody vouches for."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", folder / "key", "-out", folder / "cert"),
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert", folder / "key")
    return context, folder / "cert"
