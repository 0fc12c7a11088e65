"""Which images a Dockerfile starts from, and the same file with others in their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

FROM = re.compile(
    r"^(?P<head>\s*FROM\s+(?:--\S+\s+)*)(?P<image>\S+)(?P<rest>(?:\s+AS\s+(?P<stage>\S+))?.*)$", re.I
)
COPY = re.compile(r"^(?P<head>\s*(?:COPY|ADD)\s+(?:--\S+\s+)*?--from=)(?P<image>\S+)(?P<rest>.*)$", re.I)
ARG = re.compile(r"^\s*ARG\s+(\w+)=(\S*)", re.I)
VARIABLE = re.compile(r"\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))")


def replaced(text: str, other: Callable[[str], str]) -> str:
    """The Dockerfile with `other(image)` for each image that it takes from outside, stages of its own and
    scratch left as they are. Defaults of ARGs in front of the first FROM are filled in."""
    arguments: dict[str, str] = {}
    stages = {"scratch"}
    count, lines = 0, []
    for line in text.splitlines():
        if not stages - {"scratch"} and not count and (found := ARG.match(line)):
            arguments[found[1]] = found[2].strip("\"'")
        starts = FROM.match(line)
        if (found := starts or COPY.match(line)) is not None:
            image = VARIABLE.sub(
                lambda name: arguments.get(name[1] or name[3], name[2] or ""), found["image"]
            ).strip("\"'")
            if image.lower() not in stages and not image.isdigit():
                line = f"{found['head']}{other(image)}{found['rest']}"
            if starts:
                count += 1
                stages |= {starts["stage"].lower()} if starts["stage"] else set()
        lines.append(line)
    return "\n".join(lines) + "\n"


def mapped(image: str, images: Mapping[str, str]) -> str:
    """What stands for an image by a map whose keys are names or patterns of names; itself if nothing does.

    >>> mapped("docker.io/library/ubuntu:24.04@sha256:12", {"ubuntu:24.04": "localhost/base"})
    'localhost/base'
    >>> mapped("python", {"python:*": "localhost/python"}), mapped("alpine:3", {"alpine": "localhost/alpine"})
    ('localhost/python', 'alpine:3')
    """
    plain = {plain_name(name): other for name, other in images.items()}
    name = plain_name(image)
    if name in plain:
        return plain[name]
    return next((other for pattern, other in plain.items() if fnmatchcase(name, pattern)), image)


def plain_name(image: str) -> str:
    """The name by which people know an image: without Docker's own registry and a digest, with a tag. A
    pattern that ends in a star fits any tag."""
    name = image.partition("@")[0].removeprefix("docker.io/").removeprefix("library/")
    return name if re.search(r":[^/]*$|\*$", name) else f"{name}:latest"
