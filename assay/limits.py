"""What a trial's sandboxes are: their limits, and what stands ready in them. Imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

SIZES = ("memory", "disk", "output")  # of Limits, in bytes
FIGURES = ("memory", "processes", "cpus", "disk", "output")  # of Limits
LEAST_MEMORY = 4 << 20  # in less not even a shell starts


@dataclass(frozen=True)
class Standby:
    """A program that each sandbox starts before a trial gets it, so that a slow start is over by the time it
    is needed. It takes the place of the first run of `command` with the same `env`. `waiting`: the command
    that starts the program, which must wait for one byte on its stdin and then do as `command` does. What
    follows that byte is the command's stdin."""

    command: tuple[str, ...]
    waiting: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Container:
    """An image of a test's own for its sandboxes, in the place of Assay's: every file can be written to, and
    commands are root of a user namespace. `work_dir` and `env` go over what the image says."""

    image: str
    work_dir: str = ""
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Layer:
    """Programs beside those of the image, in a folder of their own: what pip and npm install there, and what
    shell commands `run` put there, as $PREFIX. One without anything is defined nowhere."""

    name: str
    pip: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    run: tuple[str, ...] = ()

    @property
    def inside(self) -> str:
        """Its folder in a sandbox."""
        return f"/opt/{self.name}"


@dataclass(frozen=True)
class Limits:
    """What one sandbox may use. Sizes in bytes. `profile` names the set in every record."""

    profile: str = "default"
    memory: int = 2 << 30
    processes: int = 256
    cpus: float = 1.0
    disk: int = 64 << 20  # each of /tmp, HOME and the work directory
    output: int = 1 << 20  # of stdout and of stderr, each; of more the middle is cut, and that is marked
    gpus: str = ""  # NVIDIA GPUs that it may use: "all", or numbers such as "0" or "0,1"; "" for none
    standby: Standby | None = None
    container: Container | None = field(default=None, repr=False)  # keys of what is remembered hold the rest
    layers: tuple[Layer, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for what no kernel can enforce."""
        for name in FIGURES:
            value, unit = getattr(self, name), " of bytes, such as 512 << 20" * (name in SIZES)
            if not isinstance(value, int | float if name == "cpus" else int):
                kind = "a number" if name == "cpus" else f"a whole number{unit}"
                raise TypeError(f"{name} must be {kind}, not {value!r:.60}")
            if value <= 0:
                raise ValueError(f"{name} must be more than 0, not {value!r}")
        if self.memory < LEAST_MEMORY:
            raise ValueError(f"memory is in bytes, and {self.memory:,} are too few; 640 MB are 640 << 20")

    def named_after(self, usual: Limits) -> Limits:
        """These under the name of others, with the figures that differ.

        >>> Limits(memory=512 << 20, cpus=2).named_after(Limits()).profile
        'default, memory 512 MB, cpus 2'
        """
        own = [name for name in FIGURES if getattr(self, name) != getattr(usual, name)]
        said = (f"{name} {_amount(name, getattr(self, name))}" for name in own)
        return replace(self, profile=", ".join((usual.profile, *said)))


def _amount(name: str, value: float) -> str:
    return f"{value / (1 << 20):g} MB" if name in SIZES else f"{value:g}"
