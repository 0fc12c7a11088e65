"""What a task folder says, what is wrong with it, and what it asks for in vain."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import ConfigError
from assay.records import TrialKey
from assay.suites.flags import SuiteOptions, flags_of
from testing.harbor.folders import TASK, write_task
from tests.harbor.machine import Machine, limits_of
from tests.harbor.suite import Harbor, why_skipped
from tests.harbor.task_folder import read_task, task_folders

ROOT = Path(__file__).parents[2]
LARGE = Machine(cores=64, memory=1 << 40)

EVERYTHING = """\
schema_version = "1.3"
artifacts = []
[task]
name = "acme/mend"
description = "A script is broken"
keywords = ["shell", "debugging"]
authors = [{ name = "A", email = "a@acme.example" }]
[metadata]
author_name = "A"
difficulty = "easy"
category = "programming"
tags = ["bash", "shell"]
expert_time_estimate_min = 5.0
[verifier]
timeout_sec = 120
env = { LEVEL = "${LEVEL:-high}" }
[agent]
timeout_sec = 300.5
user = "root"
[solution]
env = { KEY = "${KEY}" }
[environment]
build_timeout_sec = 60.0
docker_image = "acme/mend:1"
os = "linux"
cpus = 2
memory_mb = 1024
storage_mb = 2048
gpus = 0
network_mode = "no-network"
workdir = "/srv"
mcp_servers = []
[environment.env]
MODE = "fast"
"""


def read(tmp_path, toml=TASK, **parts):
    return read_task("mend", write_task(tmp_path / "mend", toml, **parts))


def test_every_field(tmp_path):
    task = read(tmp_path, EVERYTHING)
    assert task.id == "harbor.mend" and task.instruction == "Mend it.\n"
    assert task.description == "A script is broken"
    assert task.tags == ("bash", "shell", "debugging", "programming", "easy")
    assert task.facts == {"category": "programming", "difficulty": "easy"}
    assert (task.agent_limit_s, task.verifier_limit_s, task.build_limit_s) == (300.5, 120.0, 60.0)
    assert (task.cpus, task.memory, task.storage) == (2.0, 1 << 30, 2 << 30)
    assert (task.docker_image, task.workdir) == ("acme/mend:1", "/srv")
    assert (task.env, task.verifier_env, task.solution_env) == (
        {"MODE": "fast"},
        {"LEVEL": "high"},
        {"KEY": ""},
    )
    assert (task.internet, task.asks, task.notes) == ("", (), ())
    assert why_skipped(task, LARGE, offline=False) == ""


def test_what_is_left_open_has_the_formats_defaults(tmp_path):
    task = read(tmp_path, "")
    assert (task.agent_limit_s, task.verifier_limit_s, task.build_limit_s) == (None, 600.0, 600.0)
    limits = limits_of(task, "image")
    assert (limits.cpus, limits.memory, limits.disk) == (1.0, 2 << 30, 10 << 30)
    assert why_skipped(task, LARGE, offline=False) == ""
    assert any("says nothing of the network" in note for note in task.notes)


def test_the_older_sizes_and_the_older_version(tmp_path):
    task = read(
        tmp_path,
        'version = "1.0"\n[environment]\nmemory = "4G"\nmemory_mb = 4096\nstorage = "512M"\nos = "Linux"\n',
    )
    assert (task.memory, task.storage) == (4 << 30, 512 << 20)


def test_a_mark_at_the_head_of_the_instruction_is_not_told(tmp_path):
    task = read(
        tmp_path, instruction="<!-- canary\nGUID -->\n# bench-canary GUID x\n\n# Mend\n<!-- this stays -->\n"
    )
    assert task.instruction == "# Mend\n<!-- this stays -->\n"


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ("[agent]\ntimeout_sec = 'x'\n", "task.toml: [agent] timeout_sec must be a number of seconds"),
        ("[verifier]\ntimeout_sec = -1\n", "task.toml: [verifier] timeout_sec must be"),
        ("[verifier]\ntimeout_sec = nan\n", "[verifier] timeout_sec must be"),
        ("[environment]\ncpus = true\n", "[environment] cpus must be a number above 0, not True"),
        ("[environment]\nmemory = '2X'\n", "[environment] memory must be a size such as"),
        ("[environment]\nmemory_mb = 0\n", "[environment] memory_mb must be a number of megabytes above 0"),
        ("[environment]\nmemory = '2G'\nmemory_mb = 1\n", "memory must be the same as memory_mb, 1 MB"),
        ("[environment]\ngpus = 1.5\n", "[environment] gpus must be a whole number"),
        ("[environment]\nallow_internet = 'no'\n", "[environment] allow_internet must be true or false"),
        ("[environment]\nnetwork_mode = 'host'\n", "must be one of no-network, public, allowlist"),
        ("[environment]\nworkdir = 'app'\n", "[environment] workdir must be an absolute path, not 'app'"),
        ("[environment.env]\nA = 1\n", "[environment] env must be a table of strings"),
        ("environment = 3\n", "task.toml: environment must be a table [environment], not 3"),
        ("[task]\nkeywords = 'a'\n", "[task] keywords must be a list of strings"),
        ("[verifier]\nenvironment_mode = 'own'\n", "environment_mode must be one of shared, separate"),
        ("a = \n", "task.toml: not TOML: "),
    ],
)  # fmt: skip
def test_a_mistake_names_file_and_field(tmp_path, toml, says):
    with pytest.raises(ConfigError) as raised:
        read(tmp_path, toml)
    assert says in str(raised.value) and str(tmp_path) in str(raised.value)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"instruction": None}, "instruction.md: No such file"),
        ({"instruction": "<!-- canary -->\n"}, "instruction.md: it is empty"),
        ({"test": None}, "no tests/test.sh"),
        ({"dockerfile": None}, "neither environment/Dockerfile nor [environment] docker_image"),
    ],
)
def test_a_part_that_is_missing(tmp_path, parts, says):
    with pytest.raises(ConfigError, match=says.replace("[", r"\[")):
        read(tmp_path, **parts)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ("[environment]\nallow_internet = true\n", "the internet ([environment] allow_internet = true)"),
        ("[environment]\nnetwork_mode = 'public'\n", 'the internet ([environment] network_mode = "public")'),
        ("[agent]\nnetwork_mode = 'allowlist'\nallowed_hosts = ['pypi.org']\n", "[agent] network_mode"),
        ("[verifier]\nnetwork_mode = 'public'\n", "[verifier] network_mode"),
        ("[environment]\ngpus = 2\ngpu_types = ['H100']\n", "2 GPUs"),
        ("[environment]\ncpus = 65\n", "65 CPUs (there are 64)"),
        ("[environment]\nmemory_mb = 2097152\n", "2.05e+03 GB of memory (there are 1.02e+03 GB)"),
        ("[environment]\nos = 'Windows'\n", "Windows"),
        ("[[verifier.collect]]\ncommand = 'pg_dump > /x'\n", "commands between agent and verifier"),
        ("[environment.tpu]\ntype = 'v5'\n", "a TPU"),
        ("[environment.healthcheck]\ncommand = 'true'\n", "a health check"),
        ("[[environment.mcp_servers]]\nname = 'a'\n", "MCP servers"),
        ("[environment.env]\nKEY = '${OPENAI_API_KEY}'\n", "the host's variable OPENAI_API_KEY"),
        ("[agent]\nuser = 'agent'\n", "the user agent for its agent"),
        ("[verifier]\nuser = 1000\n", "the user 1000 for its verifier"),
        ("[verifier]\nenvironment_mode = 'separate'\n", "a container of its own for the verifier"),
        ("[[steps]]\nname = 'a'\n", "1 steps"),
        ("schema_version = '2.0'\n", "a later version of the format"),
    ],
)  # fmt: skip
def test_what_it_asks_for_in_vain_is_a_reason_to_skip_it(tmp_path, toml, says):
    why = why_skipped(read(tmp_path, toml), LARGE, offline=False)
    assert why.startswith("the task asks for what it cannot have here: ") and says in why


def test_several_containers_are_a_reason_to_skip_it(tmp_path):
    task = read(
        tmp_path, dockerfile=None, files={"environment/docker-compose.yaml": "services: {}\n"}.items()
    )
    assert "several containers" in why_skipped(task, LARGE, offline=False)


def test_offline_runs_what_asks_for_the_internet(tmp_path):
    task = read(tmp_path, "[environment]\nallow_internet = true\n")
    assert "--offline" in why_skipped(task, LARGE, offline=False)
    assert why_skipped(task, LARGE, offline=True) == ""


def test_an_unknown_field_is_noted_where_it_asks_for_something(tmp_path):
    task = read(
        tmp_path, f"{TASK}disks = 2\n[verifier]\nstrict = true\n[metadata]\nshoe_size = 43\ntags = 'a'\n"
    )
    assert task.notes == (
        "unknown field [environment] disks is ignored",
        "unknown field [verifier] strict is ignored",
    )


def test_a_folder_of_folders_a_nested_one_and_a_task_alone(tmp_path):
    write_task(tmp_path / "b")
    write_task(tmp_path / "set" / "a")
    write_task(tmp_path / "b" / "tests" / "inside")
    write_task(tmp_path / ".hidden")
    (tmp_path / "link").symlink_to("b")
    assert [name for name, _ in task_folders(tmp_path)] == ["b", "set/a"]
    assert [name for name, _ in task_folders(tmp_path / "b")] == ["b"]


def test_a_folder_without_a_task(tmp_path):
    for place, says in ((tmp_path, "no folder with a task.toml"), (tmp_path / "gone", "no such folder")):
        with pytest.raises(ConfigError, match=says):
            list(task_folders(place))


def samples(tasks, **flags):
    return list(
        Harbor().samples(
            SuiteOptions(
                {
                    "tasks": tasks,
                    "offline": False,
                    "base_images": {},
                    "max_turns": 10,
                    "suite": [],
                    "words": [],
                    **flags,
                }
            )
        )
    )


def test_a_broken_folder_costs_only_itself(tmp_path):
    write_task(tmp_path / "a", "[agent]\ntimeout_sec = 'x'\n")
    write_task(tmp_path / "b")
    broken, good = samples(tmp_path)
    assert (broken.id, broken.description) == ("harbor.a", "broken task")
    assert "timeout_sec" in broken.test.why
    assert good.id == "harbor.b"


def test_the_fingerprint_is_of_every_file(tmp_path):
    write_task(tmp_path / "a")
    (before,) = samples(tmp_path)
    (tmp_path / "a/tests/helper.py").write_text("1")
    (after,) = samples(tmp_path)
    assert before.fingerprint != after.fingerprint


def test_the_oracle_leaves_a_task_without_a_solution_out(tmp_path):
    def right(folder):
        return Harbor().references(TrialKey("harbor.t", source=str(folder / "task.toml")), right=True)

    whole = write_task(tmp_path / "whole", files={"solution/solve.sh": "true\n"}.items())
    assert right(whole) and not right(write_task(tmp_path / "none"))
    broken = write_task(tmp_path / "broken", toml="[environment\n")
    assert right(broken), "its trial says why it is broken"


def test_without_tasks(tmp_path):
    assert samples(None, suite=["all"]) == []
    with pytest.raises(ConfigError, match="--tasks"):
        samples(None, suite=["harbor"])


def test_base_images_of_config_json(tmp_path):
    write_task(tmp_path / "mend", dockerfile=None, toml=f"{TASK}docker_image = 'acme/mend:1'\n")
    declared = flags_of(Harbor(), {"base_images": {"acme/*": "localhost/mend"}}).defaults
    (sample,) = samples(tmp_path, base_images=declared["base_images"])
    assert sample.limits.container.image == "localhost/mend"
    with pytest.raises(ConfigError, match="must be an object"):
        samples(tmp_path, base_images=["x"])


def test_list_and_help(tmp_path):
    write_task(tmp_path / "set" / "mend", "[metadata]\ntags = ['bash']\n")
    command = [sys.executable, ROOT / "main.py"]
    listed = [*command, "list", "--suite", "harbor", "--tasks", tmp_path, "--format", "json"]
    (row,) = json.loads(subprocess.run(listed, check=True, capture_output=True, text=True).stdout)
    assert (row["test"], row["tags"], row["description"]) == ("harbor.set/mend", ["bash"], "Mend it.")
    shown = subprocess.run(
        [*command, "run", "--suite", "harbor", "--help"], capture_output=True, text=True
    ).stdout
    assert "--tasks DIR" in shown and "--offline" in shown
