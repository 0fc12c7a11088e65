"""A task folder: task.toml, instruction.md, environment/, tests/, solution/; read, and nothing run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import ConfigError

from .fields import Fields

TASK, INSTRUCTION, COMPOSE = "task.toml", "instruction.md", ("docker-compose.yaml", "docker-compose.yml")
DEEPEST = 6  # folders between a data set's and its tasks'
BUILD_LIMIT_S = VERIFIER_LIMIT_S = 600.0
MARK = re.compile(r"\s*(?:<!--.*?-->|#[^\n]*canary[^\n]*)", re.S | re.I)
NETWORKS = ("no-network", "public", "allowlist")
VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


@dataclass(frozen=True)
class Task:
    """One task. Limits in seconds and bytes; None and "" for what task.toml leaves open. `internet`: why it
    needs the network. `asks`: what else it asks for that no sandbox has, as reasons to skip it. `notes`: what
    was ignored."""

    folder: Path
    name: str
    instruction: str
    description: str = ""
    tags: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    agent_limit_s: float | None = None
    verifier_limit_s: float = VERIFIER_LIMIT_S
    build_limit_s: float = BUILD_LIMIT_S
    cpus: float | None = None
    memory: int | None = None
    storage: int | None = None
    docker_image: str = ""
    workdir: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    verifier_env: Mapping[str, str] = field(default_factory=dict)
    solution_env: Mapping[str, str] = field(default_factory=dict)
    internet: str = ""
    asks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"harbor.{self.name}"


def task_folders(place: Path) -> Iterator[tuple[str, Path]]:
    """Every task in a folder of tasks, or the one that it is: (name, folder), in order. A task's name is its
    folder's, after the folders above it in a nested data set. Raises ConfigError if there is none."""
    if not place.is_dir():
        raise ConfigError(f"--tasks {place}: no such folder")
    if (place / TASK).is_file():
        yield place.resolve().name, place
        return
    found = False
    for path in _below(place, DEEPEST):
        found = True
        yield path.relative_to(place).as_posix(), path
    if not found:
        raise ConfigError(f"--tasks {place}: no folder with a {TASK} in it")


def _below(folder: Path, deep: int) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink() or not path.is_dir():
            continue
        if (path / TASK).is_file():
            yield path
        elif deep > 1:
            yield from _below(path, deep - 1)


def read_task(name: str, folder: Path) -> Task:
    """Raises ConfigError, which names file and field."""
    if not name.isprintable():
        raise ConfigError(f"{str(folder)!r}: a task's name must fit on one line")
    path = folder / TASK
    try:
        top = Fields(tomllib.loads(_text(path)), f"{path}:")
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    notes: list[str] = []
    asks: list[str] = []
    version = top.text("schema_version") or top.text("version")
    if version and not re.match(r"1\b", version):
        asks.append(f"a later version of the format ({version}, and 1 is known)")
    about, metadata = top.table("task"), top.table("metadata")  # the latter may hold anything
    agent, verifier, environment = top.table("agent"), top.table("verifier"), top.table("environment")
    solution = top.table("solution")
    if steps := top.entries("steps"):
        asks.append(f"{len(steps)} steps, each with an instruction and a verifier ([[steps]])")
    for unused in ("source", "multi_step_reward_strategy"):
        top.anything(unused)
    if top.entries("artifacts"):
        notes.append("artifacts are not collected")
    facts = {key: str(value) for key in ("category", "difficulty") if (value := metadata.anything(key))}
    tags = metadata.anything("tags")
    internet = _internet((environment, agent, verifier), notes)
    image = environment.text("docker_image")
    _of_environment(environment, folder / "environment", image, asks, notes)
    _of_roles(agent, verifier, asks, notes)
    if not steps and not (folder / "tests/test.sh").is_file():
        raise ConfigError(f"{folder}: no tests/test.sh, so nothing would judge the task")
    task = Task(
        folder=folder,
        name=name,
        instruction="" if steps else _instruction(folder / INSTRUCTION),
        description=about.text("description"),
        tags=_tags(map(str, tags) if isinstance(tags, list) else (), about.names("keywords"), facts.values()),
        facts=facts,
        agent_limit_s=agent.seconds("timeout_sec", None),
        verifier_limit_s=verifier.seconds("timeout_sec", VERIFIER_LIMIT_S) or VERIFIER_LIMIT_S,
        build_limit_s=environment.seconds("build_timeout_sec", BUILD_LIMIT_S) or BUILD_LIMIT_S,
        cpus=environment.number("cpus"),
        memory=environment.size("memory"),
        storage=environment.size("storage"),
        docker_image=image,
        workdir=_workdir(environment),
        env=_filled(environment.variables(), "environment", asks),
        verifier_env=_filled(verifier.variables(), "verifier", asks),
        solution_env=_filled(solution.variables(), "solution", asks),
        internet=internet,
    )
    for table in (top, environment, agent, verifier, solution):
        notes += (f"unknown field {f'{table.path} {each}'.strip()} is ignored" for each in table.unknown())
    return replace(task, asks=tuple(asks), notes=tuple(notes))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text ({error})") from None


def _instruction(path: Path) -> str:
    """What the agent is told: the file without the comments at its head, and lines with the word canary, where
    data sets put a mark by which copies of them are found."""
    text = _text(path)
    while found := MARK.match(text):
        text = text[found.end() :]
    if not text.strip():
        raise ConfigError(f"{path}: it is empty, so the agent would be told nothing")
    return text.strip() + "\n"


def _tags(*kinds: Iterable[str]) -> tuple[str, ...]:
    """Tags, keywords, category and difficulty, each once and on one line."""
    found = (" ".join(each.split()) for kind in kinds for each in kind)
    return tuple(dict.fromkeys(filter(None, found)))


def _workdir(environment: Fields) -> str:
    found = environment.text("workdir")
    if found and not found.startswith("/"):
        environment.wrong("workdir", "an absolute path", found)
    return found


def _internet(tables: Iterable[Fields], notes: list[str]) -> str:
    """Where the task says that it needs the network; '' if it does not say so."""
    asked: list[str] = []
    said = False
    for table in tables:
        mode, allowed = table.choice("network_mode", "", *NETWORKS), table.flag("allow_internet")
        table.names("allowed_hosts")
        said = said or allowed is not None or bool(mode)
        if mode in ("public", "allowlist"):
            asked.append(f'{table.path} network_mode = "{mode}"')
        elif allowed and not mode:
            asked.append(f"{table.path} allow_internet = true")
    if not said:
        notes.append("it says nothing of the network, which the format then allows; there is none here")
    return ", ".join(asked)


def _filled(variables: Mapping[str, str], place: str, asks: list[str]) -> dict[str, str]:
    """The variables with defaults for those of the host's that they name: what is in the host's environment
    is not for a sandbox."""

    def value(found: re.Match[str]) -> str:
        if found[2] is None and place != "solution":  # that is for the oracle alone
            asks.append(f"the host's variable {found[1]} ([{place}.env])")
        return found[2] or ""

    return {name: VARIABLE.sub(value, each) for name, each in variables.items()}


def _of_environment(table: Fields, folder: Path, image: str, asks: list[str], notes: list[str]) -> None:
    """What [environment] and its folder ask for that a sandbox has not. Raises ConfigError if there is no
    environment at all."""
    if any((folder / name).is_file() for name in COMPOSE):
        asks.append("several containers (docker-compose.yaml)")
    elif not image and not (folder / "Dockerfile").is_file():
        raise ConfigError(f"{folder.parent}: neither environment/Dockerfile nor [environment] docker_image")
    gpus = table.count("gpus")
    table.names("gpu_types")
    if gpus:
        asks.append(f"{gpus} GPU{'s'[: gpus != 1]}")
    for name, what in (
        ("tpu", "a TPU"),
        ("healthcheck", "a health check, for a service that goes on running"),
    ):
        if table.anything(name):
            asks.append(f"{what} ([environment] {name})")
    if table.entries("mcp_servers"):
        asks.append("MCP servers ([environment] mcp_servers)")
    if table.choice("os", "linux", "windows", any_case=True) == "windows":
        asks.append("Windows")
    if table.text("skills_dir"):
        notes.append("[environment] skills_dir is ignored")


def _of_roles(agent: Fields, verifier: Fields, asks: list[str], notes: list[str]) -> None:
    for table, who in ((agent, "agent"), (verifier, "verifier")):
        user = table.anything("user")
        if user not in (None, "root", 0, "0"):
            asks.append(f"the user {user} for its {who}; commands run as root")
    separate = verifier.choice("environment_mode", "shared", "separate") == "separate"
    if separate or verifier.anything("environment"):
        asks.append("a container of its own for the verifier ([verifier] environment_mode)")
    if verifier.anything("import_path"):
        asks.append("a verifier in Python on the host ([verifier] import_path)")
    if verifier.entries("collect"):
        asks.append("commands between agent and verifier ([[verifier.collect]])")
    if agent.anything("setup_timeout_sec"):
        notes.append("[agent] setup_timeout_sec is ignored: nothing is set up")
