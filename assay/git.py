"""What git knows of a folder."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from assay.errors import ConfigError

GIT_TIME_LIMIT_S = 60.0


def git(folder: Path, *arguments: str) -> bytes:
    """stdout of a git command. Raises ConfigError with git's own words if it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            timeout=GIT_TIME_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise ConfigError("git is not installed; it is needed to tell what changed") from None
    except subprocess.TimeoutExpired:
        raise ConfigError(f"git {arguments[0]} took longer than {GIT_TIME_LIMIT_S:g} s") from None
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise ConfigError(f"git {arguments[0]} failed in {folder}: {message}")
    return done.stdout


NO_COMMIT = "no-commit"


def head_commit(folder: Path) -> str:
    """The short name of the commit that is checked out, NO_COMMIT where there is none."""
    try:
        return git(folder, "rev-parse", "--short=12", "--verify", "--quiet", "HEAD").decode().strip()
    except ConfigError:
        return NO_COMMIT


def is_dirty(folder: Path, tests: Iterable[Path] = ()) -> bool:
    """Whether tracked files differ from the commit, or Python files in the folders `tests` are not in it."""
    try:
        if git(folder, "status", "--porcelain", "--untracked-files=no").strip():
            return True
        new = [f"{each.resolve()}/*.py" for each in tests if each.resolve().is_relative_to(folder.resolve())]
        return bool(new and git(folder, "ls-files", "--others", "--exclude-standard", "--", *new))
    except ConfigError:
        return False
