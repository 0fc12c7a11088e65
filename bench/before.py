"""An earlier commit's checkout beside this one, so that both can be measured in turns.

It runs with the same interpreter and libraries, and finds the same sandbox image: that lies with podman, with
docker or in the user's cache, not in a checkout.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench.measure import ROOT

# The last one before a trial through podman, a call and the report were made to cost less.
COMMIT = "4eed708b5c91"
FOLDER = ROOT / ".cache" / "before"


class NoSuchCommit(Exception):
    """Why there is no checkout of it; one sentence."""


def checkout(commit: str = COMMIT, *, of: Path = ROOT, folder: Path = FOLDER) -> Path:
    """The files of `commit`, as they were: a clone that borrows the objects of the repository `of`, made the
    first time. Raises NoSuchCommit."""
    found = _git(of, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    if found.returncode:
        raise NoSuchCommit(_why_not(of, commit))
    full = found.stdout.strip()
    clone = folder / full[:12]
    if not clone.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _must(_git(folder, "clone", "--quiet", "--shared", "--no-checkout", str(of), str(clone)))
    _must(_git(clone, "checkout", "--quiet", "--force", "--detach", full))
    return clone


def _why_not(of: Path, commit: str) -> str:
    shallow = _git(of, "rev-parse", "--is-shallow-repository")
    if shallow.returncode:
        return f"there is no git repository to take {commit} from: {shallow.stderr.strip()}"
    if shallow.stdout.strip() == "true":
        return f"this clone is shallow and lacks {commit}; `git fetch --unshallow` gets it"
    return f"there is no commit {commit} here; `git fetch` gets what is new"


def _git(where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", str(where), *words], capture_output=True, text=True, check=False)


def _must(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        raise NoSuchCommit(f"git failed: {done.stderr.strip()}")
