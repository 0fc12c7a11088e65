"""config.json: defaults, checks, and what an error says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assay.config import BLIND_FAITH, PRICES, Config, load_config, near
from assay.errors import ConfigError
from assay.models.model_registry import ModelRegistry
from assay.models.prices import KINDS
from assay.records import Limits
from testing.harness.commanding import Workspace

ROOT = Path(__file__).resolve().parents[2]


def read(tmp_path, values):
    path = tmp_path / "config.json"
    path.write_text(values if isinstance(values, str) else json.dumps(values))
    return load_config(path)


def test_works_without_a_file():
    assert load_config(None) == Config()


def test_the_example_is_read_and_needs_no_key():
    config = load_config(ROOT / "config.json.example")
    assert config.sandbox == "auto" and config.model == "oracle" and not config.blind_faith
    assert config.limits == Limits(), "the example shows the defaults"
    assert not config.secrets({})


def test_a_line_of_the_example_may_be_left_out():
    config = load_config(ROOT / "config.json.example")
    assert replace(config, llms={}, hparams={}, path="") == Config()
    assert {name for name, section in config.llms.items() if section} == {"my-server"}
    sent = [ModelRegistry({}, each, cache=None).identity("openai/gpt-4o") for each in (config.hparams, {})]
    assert sent[0] == sent[1]


def test_the_example_shows_every_setting():
    from assay.config import LIMITS, SETTINGS

    shown = json.loads((ROOT / "config.json.example").read_text())
    assert set(SETTINGS) <= set(shown)
    assert set(LIMITS) <= set(shown["limits"])


def test_values_arrive(tmp_path):
    config = read(
        tmp_path,
        {
            "model": "openai/gpt-4o",
            "models": ["a/b", "c/d"],
            "judge": "a/b",
            "limits": {"memory": "512m", "profile": "small", "cpus": 2},
            "llms": {
                "openai": {"api_key": "sk-12345678"},
                "mine": {"base_url": "http://x/v1", "api_key": ""},
            },
            "max_cost": 2,
            "max_sandboxes": None,
            BLIND_FAITH: True,
            "//": "a comment",
        },
    )
    assert config.models == ("a/b", "c/d") and config.max_cost == 2.0 and config.blind_faith
    assert config.limits == Limits(profile="small", memory=512 << 20, cpus=2.0)
    assert read(tmp_path, {"limits": {"cpus": 2, "disk": "64m"}}).limits == Limits(
        "default, cpus 2", cpus=2.0
    )
    assert config.llms["mine"] == {"base_url": "http://x/v1"}, "an empty key means: from the environment"
    assert config.secrets({"OTHER_API_KEY": "abcdefgh1", "HOME": "/somewhere"}) == (
        "sk-12345678",
        "abcdefgh1",
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"sandbx": "auto"}, "unknown key 'sandbx'. Did you mean sandbox"),
        ({"i_have_blind_faith": True}, "unknown key"),
        ({"limits": {"memmory": 1}}, "unknown key 'limits.memmory'. Did you mean memory?"),
        (
            {"limits": {"memory": "much"}},
            'limits.memory must be a number of bytes or a string such as "512m"',
        ),
        ({"limits": 3}, "limits must be an object"),
        ({"max_connections": 0}, "max_connections must be a whole number, 1 or more, not 0"),
        ({"max_connections": True}, "max_connections must be a whole number"),
        ({"model": 3}, "model must be a string"),
        ({"models": "openai/gpt-4o"}, "models must be a list of strings"),
        ({BLIND_FAITH: "yes"}, "must be true or false"),
        ({"llms": {"mine": {"base_url": "here"}}}, "llms.mine.base_url must be a URL"),
        ({"hparams": {"role": {"llm": {}}}}, "unknown key hparams.role. Did you mean roles?"),
        ({"hparams": {"temprature": 0}}, "unknown parameter hparams.temprature. Did you mean temperature?"),
        ({"hparams": {"presets": {"a+b": {}}}}, "hparams.presets.a+b: a preset's name may contain letters"),
        (
            {"hparams": {"presets": {"hot": {"temprature": 1}}}},
            "hparams.presets.hot.temprature. Did you mean",
        ),
        ({"hparams": {"models": {"a/b": {"max_token": 9}}}}, "hparams.models.a/b.max_token. Did you mean"),
        ({"hparams": {"roles": {"eval_lm": {}}}}, "unknown role hparams.roles.eval_lm. There are: llm, eval"),
        ({"hparams": {"providers": {"openai": 1}}}, "hparams.providers must map names to objects"),
        ({"llm": {"mine": {"api_key": "k"}}}, "unknown key 'llm'. Did you mean llms? Allowed"),
        ({"local": {"base_url": "http://x"}}, 'put it under llms, "llms": {"local": ...}'),
        ({"llms": {"mine": {"url": "http://x"}}}, "unknown key llms.mine.url. Did you mean base_url?"),
        ({"llm": "openai/gpt-4o"}, "unknown key 'llm'. Did you mean model? Allowed"),
        ({"llm": 3}, "unknown key 'llm'. Did you mean llms or model? Allowed"),
        (
            {"llms": {"mine": {"prices": {"*": {"inputs": 1, "output": 2}}}}},
            "unknown key llms.mine.prices.*.inputs. Did you mean input",
        ),
        ({"llms": {"mine": {"prices": {"big": {"input": 1}}}}}, "llms.mine.prices.big must say output too"),
        ({"llms": {"mine": {"prices": {"big": 5}}}}, "llms.mine.prices.big must be an object"),
        (
            {"llms": {"mine": {"prices": {"b": {"input": 1, "output": 1, "above": {"long": {}}}}}}},
            "llms.mine.prices.b.above must have numbers of tokens",
        ),
        (
            {"llms": {"mine": {"prices": {"b": {"input": 1, "output": 1, "batch": {"input": "x"}}}}}},
            'llms.mine.prices.b.batch.input must be a number, 0 or more, not "x"',
        ),
        *(
            (
                {"llms": {"mine": {"prices": {"b": {"input": 1, "output": price}}}}},
                "b.output must be a number, 0",
            )
            for price in (-1, float("nan"), float("inf"), "-2", "NaN")
        ),
        ("[1]", "must hold one object"),
        ("{\n'a': 1}", ":2: not JSON"),
    ],
)
def test_mistakes_are_named(tmp_path, values, said):
    with pytest.raises(ConfigError) as failure:
        read(tmp_path, values)
    assert said in str(failure.value)
    assert str(tmp_path / "config.json") in str(failure.value)


def test_prices_may_say_all_that_a_call_is_charged_by():
    assert set(PRICES) == set(KINDS)


def test_parameters_of_a_provider_are_passed_on(tmp_path):
    hparams = {"repetition_penalty": 1.1, "top_k": 5, "providers": {"openai": {"logit_bias": {}}}}
    assert read(tmp_path, {"hparams": hparams}).hparams == hparams


def test_a_key_that_occurs_twice_is_an_error(tmp_path):
    twice = '{"llms": {"a": {"api_key": "1", "//": "", "//": "", "api_key": "2"}}}'
    with pytest.raises(ConfigError, match=r"config\.json: the key 'api_key' occurs twice in one object"):
        read(tmp_path, twice)
    assert read(tmp_path, '{"//": 1, "//": 2, "retries": 3}').retries == 3


def test_flags_of_a_suite_that_is_not_there_are_told_of(tmp_path):
    work = Workspace(tmp_path, suites={"weridml": {"time_limit": 10}})
    _, err = work.main("--list", "--suite", "arithmetic")
    assert "warning: config.json: suites.weridml: there is no such suite. Did you mean weirdml?" in err


def test_a_file_that_is_no_text_says_so(tmp_path):
    (tmp_path / "config.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(ConfigError, match="save it as UTF-8"):
        load_config(tmp_path / "config.json")


def test_a_key_in_the_wrong_place_is_not_repeated(tmp_path):
    with pytest.raises(ConfigError) as failure:
        read(tmp_path, {"llms": {"openai": "sk-secret-secret"}})
    assert "sk-secret" not in str(failure.value)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "none.json")


def test_a_model_is_meant_by_the_part_after_its_provider():
    assert near("good", ["my-server/good", "oracle"]) == " Did you mean my-server/good?"
    assert near("gpt-9", ["my-server/good", "oracle"]) == ""
