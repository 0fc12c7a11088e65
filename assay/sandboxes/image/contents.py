"""What is in a sandbox: the image, the kernel, and the versions of what programs need, asked inside."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Mapping

from assay.language.languages import LANGUAGES, all_languages
from assay.records import Sandbox
from assay.sandboxes.remembered import Remembered

# What says its own version and not its language's
COMPILERS = {"typescript": "esbuild"}
# Name -> command that prints a version. One shell runs them all.
VERSIONS: Mapping[str, str] = {
    **{COMPILERS.get(name, name): language.version_command for name, language in LANGUAGES.items()},
    "git": "git --version",
    "gdb": "gdb --version",
    "browser": "chromium --version --no-sandbox",
}
LIBRARIES = ("numpy", "scipy", "pillow", "matplotlib", "numba", "jax", "torch", "chess")
ASKING_LIMIT_S = 120.0
UNKNOWN = "?"  # the version of what is there and prints none

# Exit code 127: something in it is not there.
ASK = """\
said=$(sh -c {1} 2>&1 </dev/null)
[ $? = 127 ] || printf '%s\\0%.4000s\\0' {0} "$said"
"""
# What a shell says of a program that is not there, whatever the exit code of a pipe
_ABSENT = re.compile("not found|No such file or directory")
_LIBRARY_VERSIONS = """\
import importlib.metadata, sys
for name in sys.argv[1:]:
    try: print(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError: pass
"""


def asked() -> dict[str, str]:
    """VERSIONS, and the same of the languages of packages."""
    theirs = {name: each.version_command for name, each in all_languages().items() if name not in LANGUAGES}
    return {**VERSIONS, **theirs}


def version_in(said: str) -> str:
    """The first number such as 1.2 in what a command said of its version; UNKNOWN if there is none, '' if it
    only said that there is no such program.

    >>> version_in("Welcome!\\nodd 5, 1.2"), version_in("sh: 1: python3.99: not found")
    ('1.2', '')
    """
    lines = [line for line in said.splitlines() if line.strip()]
    own = [line for line in lines if not _ABSENT.search(line)]
    if lines and not own:
        return ""
    number = re.search(r"\d+(\.\d+)+", "\n".join(own))
    return number[0] if number else UNKNOWN


async def versions(sandbox: Sandbox) -> dict[str, str]:
    """Tool or library -> version, of those that are there. Takes some seconds. Raises SandboxError."""
    commands, found = asked(), {}
    script = "".join(ASK.format(*map(shlex.quote, each)) for each in commands.items())
    shown = await sandbox.run(["/bin/sh", "-c", script], time_limit_s=ASKING_LIMIT_S)
    fields = shown.stdout.decode("utf-8", "replace").split("\0")
    for tool, said in zip(fields[::2], fields[1::2], strict=False):
        if version := version_in(said):
            found[tool] = version
    libraries = await sandbox.run(["python3", "-c", _LIBRARY_VERSIONS, *LIBRARIES], time_limit_s=30)
    for line in libraries.stdout.decode("utf-8", "replace").splitlines():
        library, _, version = line.partition(" ")
        found[library] = version
    return {tool: version for tool, version in found.items() if tool in (*commands, *LIBRARIES)}


def machine(image_id: str) -> dict[str, str]:
    """What is the same for every program inside: the image, by the part of its id that people compare (if
    there is one), and the kernel.

    >>> machine("sha256:0123456789abcdef0123")["image"]
    '0123456789ab'
    """
    image = image_id.removeprefix("sha256:")[:12]
    return {**({"image": image} if image else {}), "kernel": os.uname().release}


def known(identity: str, *asked: str) -> Remembered:
    """What was found when `asked` of sandboxes whose files are `identity` (Pool.identity): asking takes a
    sandbox, and up to seconds."""
    digest = hashlib.blake2b("\0".join((identity, *asked)).encode(), digest_size=8).hexdigest()
    return Remembered(f"contents-{digest}")
