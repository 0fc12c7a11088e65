"""What a node reports about itself, and whether its results would equal this machine's."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import assay

# Code that runs on a node, or whose objects are sent to it.
PARTS = ("plugins/ray", "sandboxes", "records.py", "errors.py")


@dataclass(frozen=True)
class Facts:
    """`code`: a hash of the parts of Assay that a node runs. `tier`, `identity`: of its sandboxes, '' before
    they are open. `failure`: why none opens there."""

    assay: str
    code: str
    python: str
    tier: str = ""
    identity: str = ""
    failure: str = ""


@cache  # of the code that this process has imported, even if the files change
def facts_here() -> Facts:
    """This process's own facts, without a sandbox."""
    folder = Path(assay.__file__).parent
    digest = hashlib.sha256()
    for part in PARTS:
        path = folder / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_dir() or file.suffix == ".pyc":
                continue
            digest.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes() + b"\0")
    return Facts(assay.__version__, digest.hexdigest()[:12], ".".join(map(str, sys.version_info[:3])))


def why_refused(node: Facts, here: Facts) -> str:
    """Why a node must not be used, and what to do about it; '' if it may be used."""
    if node.python.split(".")[:2] != here.python.split(".")[:2]:
        return (
            f"it runs Python {node.python}, this machine {here.python}; start Ray there with the same Python"
        )
    if (node.assay, node.code) != (here.assay, here.code):
        return (
            f"it has another version of Assay ({node.assay}, {node.code}; here {here.assay}, {here.code}): "
            "bring it to the same commit"
        )
    return ""
