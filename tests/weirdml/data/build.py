"""The data of a task: from the cache, or made in a process of its own and then kept.

    .cache/weirdml/<task>-v<version>-<hash>/public/*          what a program may see
                                            private/test_labels.npy
                                            manifest.json     content hashes

`python -m weirdml.data` (in the folder tests/) makes one from a Recipe in JSON on stdin. This folder
depends on numpy and on nothing of the rest.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy costs 0.1 s, and the cache needs none
    from .made import Made

VERSION = 3  # of the generators: any change of what they make is a new one
DRAWN_SINCE = 1  # the first version that drew the same random numbers
SIZES = {  # task -> how many to learn from (digits_unsup: without a label), how many to tell
    "shapes_easy": (1000, 1000),
    "shapes_hard": (1000, 1000),
    "shuffle_easy": (2000, 1000),
    "shuffle_hard": (1000, 1000),
    "chess_winners": (1000, 1000),
    "digits_unsup": (15962, 500),
    "learn_lock": (3000, 1000),
    "learn_heaps": (600, 1000),  # games
    "learn_gauges": (1500, 1000),  # without a label
    "learn_log": (1500, 1000),
    "learn_lamps": (1200, 1000),  # without a label
    "learn_tongues": (400, 1000),
}
HERE = Path(__file__).parent
GENERATED = "generated"
TIME_LIMIT_S = 1800


@dataclass(frozen=True)
class Recipe:
    """What decides the data. `salt`: a secret that makes test sets which nobody else can make.

    `source`: a file or folder of real data, "photos", or "" for generated ones. `sizes`: train and test,
    None for the task's.
    """

    task: str
    seed: int = 0
    salt: str = field(default="", repr=False)
    source: str = ""
    sizes: tuple[int, int] | None = None

    @property
    def counts(self) -> tuple[int, int]:
        return self.sizes or SIZES[self.task]

    @property
    def key(self) -> str:
        """What random numbers are drawn from."""
        return f"weirdml {DRAWN_SINCE} {self.seed} {self.salt}"

    @property
    def source_name(self) -> str:
        """For the records: generated, photos, or the source's file name."""
        return Path(self.source).name if self.source else GENERATED

    def folder(self, cache: Path) -> Path:
        """Where the data are kept. A source that changed is another one."""
        facts = json.dumps([self.key, self.counts, self.source, _state(self.source)])
        return cache / f"{self.task}-v{VERSION}-{hashlib.sha256(facts.encode()).hexdigest()[:16]}"


def _state(source: str) -> list[object]:
    path = Path(source)
    if not source or not path.exists():
        return []
    files = [each for each in sorted(path.rglob("*")) if each.is_file()] if path.is_dir() else [path]
    return [(str(each.relative_to(path)), each.stat().st_size, each.stat().st_mtime_ns) for each in files]


@dataclass(frozen=True)
class Dataset:
    """A task's data on disk. `hashes`: file -> SHA-256; `identity`: one short hash of them all."""

    folder: Path
    source: str
    hashes: Mapping[str, str]

    @property
    def identity(self) -> str:
        return hashlib.sha256(json.dumps(dict(self.hashes), sort_keys=True).encode()).hexdigest()[:16]

    def public(self) -> dict[str, bytes]:
        """File name -> content of what a program may see."""
        return {path.name: path.read_bytes() for path in sorted((self.folder / "public").iterdir())}

    @property
    def items(self) -> Path:
        """The test items of a puzzle."""
        return self.folder / "public" / "test_data.npy"

    @property
    def labels(self) -> Path:
        return self.folder / "private" / "test_labels.npy"


def cached(recipe: Recipe, cache: Path) -> Dataset | None:
    """The data, if they were made before."""
    folder = recipe.folder(cache)
    try:
        manifest = json.loads((folder / "manifest.json").read_text())
        return Dataset(folder, manifest["source"], manifest["sha256"])
    except (OSError, ValueError, KeyError):
        return None


def dataset(recipe: Recipe, cache: Path) -> Dataset:
    """The data, made now if need be: seconds. Raises ValueError, saying why, if they cannot be made."""
    if (found := cached(recipe, cache)) is not None:
        return found
    told = json.dumps({**asdict(recipe), "cache": str(cache.absolute())})
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    package = HERE.parent
    done = subprocess.run(
        [sys.executable, "-m", f"{package.name}.data"],
        input=told, text=True, capture_output=True, cwd=package.parent, env=environment,
        timeout=TIME_LIMIT_S, check=False,
    )  # fmt: skip
    found = cached(recipe, cache)
    if done.returncode != 0 or found is None:
        raise ValueError(done.stderr.strip().rpartition("\n")[2] or f"it ended with {done.returncode}")
    return found


def make(recipe: Recipe, cache: Path) -> Dataset:
    """Make the data and keep them, whole or not at all; safe with several processes."""
    made = generate(recipe)
    folder = recipe.folder(cache)
    hashes = made.hashes()
    published = json.loads((HERE / "manifest.json").read_text())
    if recipe == Recipe(recipe.task) and published["version"] == VERSION:
        wrong = [
            name for name, each in published["sha256"].get(recipe.task, {}).items() if hashes[name] != each
        ]
        if wrong:
            raise ValueError(
                f"{recipe.task}: this machine makes another {wrong[0]} than others do; please report"
            )
    cache.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=cache))
    try:
        from .made import encoded

        (fresh / "public").mkdir()
        (fresh / "private").mkdir(mode=0o700)
        for name, content in made.files().items():
            (fresh / "public" / name).write_bytes(content)
        (fresh / "private" / "test_labels.npy").write_bytes(encoded(made.labels))
        facts = {
            "task": recipe.task,
            "version": VERSION,
            "source": recipe.source_name,
            "salted": bool(recipe.salt),
            "sha256": hashes,
        }
        (fresh / "manifest.json").write_text(json.dumps(facts, indent=1) + "\n")
        try:
            fresh.rename(folder)
        except OSError:  # another process was first, or a torn one is there
            if cached(recipe, cache) is None:
                shutil.rmtree(folder, ignore_errors=True)
                fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return Dataset(folder, recipe.source_name, hashes)


def generate(recipe: Recipe) -> Made:
    """The data, in memory."""
    from . import chess, dials, digits, gauges, heaps, lamps, log, photos, shapes, shuffle, sources, tongues

    task, key, (train, test), path = recipe.task, recipe.key, recipe.counts, Path(recipe.source)
    learn = {
        "learn_lock": dials.dials,
        "learn_heaps": heaps.heaps,
        "learn_gauges": gauges.gauges,
        "learn_log": log.log,
        "learn_lamps": lamps.lamps,
        "learn_tongues": tongues.tongues,
    }
    if task in learn:
        return learn[task](key, task, train, test)
    if task.startswith("shapes"):
        return shapes.shapes(key, task, train, test)
    if task == "digits_unsup":
        return digits.digits(key, task, train, test)
    if task == "chess_winners":
        if recipe.source:
            return sources.games(key, path, train, test)
        return chess.chess_winners(key, task, train, test)
    if task == "shuffle_easy":
        grey = sources.fashion_mnist(path) if recipe.source else None
        return shuffle.shuffle_easy(key, task, train, test, grey)
    colour = None
    if recipe.source:
        colour = photos.photo_pictures(key) if recipe.source == "photos" else sources.coloured(key, path)
    return shuffle.shuffle_hard(key, task, train, test, colour)
