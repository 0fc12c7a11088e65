"""Attack every sandbox of this machine and write the outcome into docs/sandboxes.md.

PYTHONPATH=. .venv/bin/python scripts/attack_table.py
"""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from pathlib import Path

from assay.conformance import forgeries
from assay.sandboxes.attacks.cases import ATTACKS
from assay.sandboxes.attacks.runner import AttackResult, run_all
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.backends.docker import Docker
from assay.sandboxes.backends.podman import Podman
from testing import engines

PAGE = Path(__file__).parents[1] / "docs/sandboxes.md"
BEGIN, END = "<!-- attacks: written by scripts/attack_table.py -->\n", "<!-- end of attacks -->\n"


async def measure() -> dict[str, list[AttackResult]]:
    """Column -> results, for every tier that a fully equipped machine has."""
    columns = {
        "podman": Podman(),
        "docker": Docker(),
        "bubblewrap+image": Bubblewrap(),
        "bubblewrap+host": Bubblewrap(Path("/")),
        "without cgroups": Bubblewrap(Path("/"), use_cgroups=False),
    }
    found = {}
    for name, backend in columns.items():
        await backend.probe()
        sys.stderr.write(f"attacking {name}\n")
        found[name] = [*await run_all(backend), *await forgeries.run_all(backend)]
    return found


def table(found: dict[str, list[AttackResult]]) -> str:
    lines = [f"| attack | aim | {' | '.join(found)} |", "|---" * (len(found) + 2) + "|"]
    for row, attack in enumerate((*ATTACKS, *forgeries.FORGERIES)):
        outcomes = [_cell(results[row]) for results in found.values()]
        lines.append(f"| {attack.name} | {attack.aim} | {' | '.join(outcomes)} |")
    sums = {name: sum(each.seconds for each in results) for name, results in found.items()}
    seconds = ", ".join(f"{name} {total:.0f} s" for name, total in sums.items())
    system = f"{platform.system()} {platform.release().split('-')[0]}, {os.cpu_count()} cores"
    return "\n".join(lines) + f"\n\nMeasured on {system}, as root. All attacks together: {seconds}.\n"


def _cell(result: AttackResult) -> str:
    return f"{result.verdict.replace('FAILED', '**FAILED**')}: {result.outcome} ({result.seconds:.1f} s)"


def main() -> int:
    engines.start_docker()
    try:
        found = asyncio.run(measure())
    finally:
        engines.stop()
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + "\n" + table(found) + "\n" + END + rest.partition(END)[2])
    return 0 if all(each.passed for results in found.values() for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
