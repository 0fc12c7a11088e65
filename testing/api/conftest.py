"""A folder to work in, with a server whose model always says 42."""

import pytest

from testing.harness.commanding import Workspace
from testing.model_server import ModelServer


@pytest.fixture
def place(tmp_path, monkeypatch):
    with ModelServer(reply=lambda asked: "the answer is 42") as server:
        work = Workspace(tmp_path / "w", server)
        monkeypatch.chdir(work.folder)
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "no git"))
        work.server = server
        yield work
