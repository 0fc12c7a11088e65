"""A server that is not there, or rejects the key, ends the run soon, with a sentence, and the run goes on
when that is mended."""

import json

from testing.harness.commanding import Workspace
from testing.model_server import ModelServer


class Nobody:
    url = "http://127.0.0.1:9"


def test_it_says_so_and_the_run_can_be_resumed(tmp_path):
    work = Workspace(tmp_path, Nobody)
    work.many_tests(165)
    _, err = work.main("--run-tests", "--model", "local/m", code=2)
    assert (
        "error: local/m: nothing listens at http://127.0.0.1:9/v1" in err
        and "The server cannot be reached, so the run ends" in err
    )
    assert "the run is not complete" in err and "--resume" in err
    assert not work.lines(), "no trial is an ERROR for it: all are still to be run"
    with ModelServer() as server:
        config = json.loads((tmp_path / "config.json").read_text())
        config["llms"]["local"]["base_url"] = server.url + "/v1"
        (tmp_path / "config.json").write_text(json.dumps(config))
        work.main("--run-tests", "--model", "local/m", "--resume")
        assert server.stats()["requests"] == 165 and len(work.lines()) == 165


def test_a_key_that_every_call_is_refused_for_ends_the_run_and_the_run_can_be_resumed(tmp_path):
    with ModelServer(key="sk-local-secret") as server:
        work = Workspace(tmp_path, server)
        work.many_tests(60)
        config = json.loads((tmp_path / "config.json").read_text())
        config["llms"]["local"]["api_key"] = "sk-another-one"
        (tmp_path / "config.json").write_text(json.dumps(config))
        _, err = work.main("--run-tests", "--model", "local/m", code=2)
        assert "error: local/m: HTTP 401" in err and "calls of this model, and the run ends" in err
        assert "the run is not complete" in err and "--resume" in err
        assert 3 <= len(work.lines()) <= 13, "those in flight"
        config["llms"]["local"]["api_key"] = "sk-local-secret"
        (tmp_path / "config.json").write_text(json.dumps(config))
        work.main("--run-tests", "--model", "local/m", "--resume")
        assert len({each["test"] for each in work.lines() if each["outcome"] != "ERROR"}) == 60
