"""bubblewrap with at most 512 MB of memory, and another name for the machine: `--sandbox small`."""

from dataclasses import replace

from assay.records import Limits
from assay.sandboxes.backends.bubblewrap import Bubblewrap


class Small(Bubblewrap):
    name = "small"  # of the entry point too

    def options(self) -> tuple[str, ...]:
        return ("--hostname", "small")

    def lowered(self, limits: Limits) -> Limits:
        # Only ever lower a limit: a caller that asks for less, as the attack suite does, must get it.
        return replace(limits, memory=min(limits.memory, 512 << 20))
