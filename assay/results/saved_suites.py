"""Suites and sandboxes that saved results are of, for those who name one that is not here any more."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Literal

from assay.results.conditions import NOT_BESIDES
from assay.results.untrusted_files import run_file

Kind = Literal["suite", "sandbox"]
OURS = (*NOT_BESIDES, "python")  # of `versions`; the others are packages, or code, whose names have blanks
BEGINNING = 1 << 20  # bytes of a run's file; its first trials say of which suites it is


def no_longer_here(name: str, results: Path, kind: Kind = "suite") -> str:
    """What to say of a suite or a sandbox that nobody has, if saved results are of it; ''."""
    for path in results.glob("*/*/run-*.jsonl"):
        if (packages := _packages(path, name, kind)) is not None:
            break
    else:
        return ""
    came = f" (the results name {', '.join(packages)})" if packages else ""
    folder = ", or name the folder that has it: --tests DIR" if kind == "suite" else ""
    return (
        f"the {kind} {name!r}, of which results are saved in {results.name}/, is not installed; install the "
        f"package that it came with{came}{folder}"
    )


def _packages(path: Path, name: str, kind: Kind) -> list[str] | None:
    """The packages that the first trial of it in a run's file names, which may be its provider's; None if
    there is none."""
    begins = f'"{kind}":{json.dumps(name)[:-1]}'.encode()  # a sandbox's tier may say more: "own+image"
    with contextlib.suppress(OSError), run_file(path) as file:
        for line in file.read(BEGINNING).splitlines():
            if begins + b'"' in line or begins + b"+" in line:
                with contextlib.suppress(ValueError, AttributeError):
                    versions = json.loads(line).get("versions", {})
                    packages = (each for each in versions if each not in OURS and " " not in each)
                    return [f"{each} {versions[each]}" for each in packages]
                return []
    return None
