"""The suite's flags. All of them can also stand in config.json, in suites.weirdml."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.home import docs_page
from assay.records import Limits

from .learn_tasks import EVERY

CONDITIONS = ("iterations", "time_limit", "memory", "threads", "gpus", "data_seed", "private_salt", "fashion_mnist",
              "pictures", "games")  # fmt: skip
LEAST_MEMORY = 64 << 20
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_salts: dict[str, str] = {}  # what stands for a salt in options and records -> the salt itself


def count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def size(text: str) -> int:
    found = re.fullmatch(r"(\d+)\s*([kmg]?)i?b?", text.strip(), re.IGNORECASE)
    if found is None or not int(found[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 12g or 512m")
    value = int(found[1]) * _UNITS[found[2].lower()]
    if value < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(f"{text!r} is less than Python and numpy need; give 64m or more")
    return value


def salt(text: str) -> str:
    """What stands for the salt wherever options are kept; `salt_behind` gives the salt itself."""
    if not text:
        return ""
    slow = hashlib.pbkdf2_hmac("sha256", text.encode(), b"weirdml", 200_000).hex()[:12]
    _salts[f"salt-{slow}"] = text
    return f"salt-{slow}"


def salt_behind(name: str) -> str:
    """Raises ConfigError for a salt that this process was not told."""
    if name and name not in _salts:
        raise ConfigError(
            "these trials were made with a private salt; pass it again: --suite weirdml --private-salt TEXT"
        )
    return _salts[name] if name else ""


def place(text: str) -> str:
    if not Path(text).exists():
        raise argparse.ArgumentTypeError(f"{text!r} does not exist")
    return text


def pictures(text: str) -> str:
    return text if text == "photos" else place(text)


def add_options(parser: Any) -> None:
    """Add the flags to a group of a parser."""
    add = parser.add_argument
    cores = len(os.sched_getaffinity(0))
    # fmt: off
    add("--task", action="append", choices=list(EVERY), metavar="TASK", default=None,
        help=f"only this task; repeatable ({', '.join(EVERY)})")
    add("--runs", type=count, default=15, metavar="N", help="runs of each task (default 15)")
    add("--iterations", type=count, default=5, metavar="N", help="submissions per run; the best one counts (default 5)")
    add("--time-limit", type=seconds, default=600.0, metavar="S", help="seconds for each submission, without its wait for a core (default 600)")
    add("--memory", type=size, default=12 << 30, metavar="SIZE", help="memory of each submission (default 12g)")
    add("--threads", type=count, default=min(4, cores), metavar="N",
        help=f"CPU cores of each submission (default 4, or what the machine has: {cores} here)")
    add("--gpus", default="", metavar="WHICH", help="NVIDIA GPUs of each submission: all, or numbers such as 0 or 0,1")
    add("--data-seed", type=int, default=0, metavar="N", help="seed of the generated data (default 0)")
    add("--private-salt", type=salt, default="", metavar="TEXT",
        help="a secret for test sets that nobody else can make; best kept in config.json")
    add("--fashion-mnist", type=place, default="", metavar="DIR",
        help="take shuffle_easy from Fashion-MNIST's idx files in DIR")
    add("--pictures", type=pictures, default="", metavar="PATH",
        help="take shuffle_hard from a folder or .npy file of 64x64 pictures, or from photos "
             f"(see {docs_page('weirdml')})")
    add("--games", type=place, default="", metavar="FILE",
        help="take chess_winners from the games rated under 1300 in a PGN or CSV file")
    # fmt: on


def limits_of(options: Any) -> Limits:
    """The sandbox's limits. Their name tells all of them, so that results of different ones stay apart."""
    memory, threads, gpus = options.memory, options.threads, options.gpus
    name = f"weirdml {options.time_limit:g}s {memory / (1 << 30):.4g}g {threads}cpu"
    name += f" gpu:{gpus}" if gpus else ""
    return Limits(
        name, memory=memory, processes=512, cpus=float(threads), disk=min(memory, 1 << 30), gpus=gpus
    )


def source_of(options: Any, task: str) -> str:
    """The real data that a task is to be taken from, "" for generated."""
    sources = {
        "shuffle_easy": options.fashion_mnist,
        "shuffle_hard": options.pictures,
        "chess_winners": options.games,
    }
    found: str = sources.get(task, "")
    return str(Path(found).absolute()) if found and found != "photos" else found
