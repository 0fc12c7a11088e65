"""What this machine has, against what a task asks for."""

from __future__ import annotations

import os
from dataclasses import dataclass

from assay.records import Container, Limits

from .task_folder import Task

MEMORY, STORAGE, PROCESSES = 2 << 30, 10 << 30, 1024  # of a task that does not say


@dataclass(frozen=True)
class Machine:
    """Cores, and bytes of memory, that this process may use."""

    cores: int
    memory: int

    @classmethod
    def here(cls) -> Machine:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return cls(len(os.sched_getaffinity(0)), memory)

    def lacks(self, task: Task) -> list[str]:
        """What the task asks for and this machine has not, in words."""
        found = []
        if task.cpus is not None and task.cpus > self.cores:
            found.append(f"{task.cpus:g} CPUs (there are {self.cores})")
        if task.memory is not None and task.memory > self.memory:
            found.append(f"{_gigabytes(task.memory)} of memory (there are {_gigabytes(self.memory)})")
        return found


def limits_of(task: Task, image: str) -> Limits:
    """The limits of the task's container."""
    return Limits(
        profile="harbor",
        memory=task.memory or MEMORY,
        processes=PROCESSES,
        cpus=task.cpus or 1.0,
        disk=task.storage or STORAGE,
        container=Container(image, task.workdir, tuple(task.env.items())),
    )


def _gigabytes(size: int) -> str:
    return f"{size / (1 << 30):.3g} GB"
