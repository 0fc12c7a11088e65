"""The local server for every test here, a package with a provider, a certificate for TLS, and a test for each
SDK."""

from __future__ import annotations

import ssl
import subprocess
import sys

import pytest

from assay.extensions import extensions
from assay.models import registry
from testing.model_server import ModelServer
from testing.models.acme import ACME
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


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Makes an installed package of entry points: name -> module."""
    extensions.cache_clear()
    registry._their_row.cache_clear()
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(entries, source=ACME, name="acme-assay"):
        info = tmp_path / f"{name.replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        lines = "".join(f"{each} = {module}\n" for each, module in entries.items())
        (info / "entry_points.txt").write_text(f"[assay.providers]\n{lines}")
        (tmp_path / "acme_assay.py").write_text(source)

    yield make
    sys.modules.pop("acme_assay", None)
    extensions.cache_clear()
