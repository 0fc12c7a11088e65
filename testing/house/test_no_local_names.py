"""Nothing in the repository may depend on, or tell of, the machine on which it was written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Put together from pieces, so that this file does not find itself.
LOCAL = {
    "a workspace's folder": "/" + r"work/(main|shared)\b",
    "a folder beside the repository": r"\.\./" + r"shared\b",
    "a build farm": r"\bby-" + r"farm\b|/" + r"farm\b",
    "a private package host": r"\.pkg\." + r"dev\b|artifact-" + r"registry",
    "a folder of wheels": "/opt/" + r"(wheels|pypi)\b",
    "a home folder": "/(root|home/[a-z]+)/" + r"(\.pyenv|assay|src|code)\b",
}


def tracked_files() -> list[Path]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in names.decode().split("\0") if name]


@pytest.mark.parametrize("what", LOCAL)
def test_no_file_names_the_place_it_was_written_at(what):
    pattern = re.compile(LOCAL[what].encode())
    found = []
    for path in tracked_files():
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            for match in pattern.finditer(content):
                line = content.count(b"\n", 0, match.start()) + 1
                found.append(f"{path.relative_to(ROOT)}:{line}: {match[0].decode()}")
    assert not found, f"{what} is named:\n" + "\n".join(found)


def test_no_link_leads_out_of_the_repository():
    leading_out = [path for path in tracked_files() if not path.resolve().is_relative_to(ROOT)]
    assert not leading_out


def test_the_patterns_find_what_they_are_for():
    samples = {
        "a workspace's folder": "see /wo" + "rk/main/x",
        "a folder beside the repository": "../sha" + "red/design.md",
        "a build farm": "disabled-by-fa" + "rm",
        "a private package host": "https://x.pk" + "g.dev/simple",
        "a folder of wheels": "/opt/whe" + "els",
        "a home folder": "/root/.py" + "env/shims",
    }
    assert samples.keys() == LOCAL.keys()
    for what, text in samples.items():
        assert re.search(LOCAL[what], text), what
