"""Images of tasks: from which bases, built once, kept, limited, and removed again."""

import asyncio
import subprocess
import time

import pytest

from assay.errors import GraderError, MissingData
from assay.sandboxes.image import task_image
from assay.sandboxes.image.dockerfile import mapped, replaced
from assay.sandboxes.image.task_image import TaskImage, remove_unused
from testing.harbor.trials import BASE, BASES

DOCKERFILE = """\
# syntax=docker/dockerfile:1
ARG VERSION=24.04
ARG OTHER="python:3.13"
FROM ubuntu:${VERSION} AS build
RUN echo FROM nothing
FROM --platform=linux/amd64 $OTHER
COPY --from=build /a /a
COPY --chown=1:1 --from=docker.io/library/busybox:1@sha256:12 /b /b
from build as last
FROM scratch
"""


def test_images_from_outside_are_replaced_and_nothing_else():
    seen = []
    text = replaced(DOCKERFILE, lambda image: seen.append(image) or "X")
    assert seen == ["ubuntu:24.04", "python:3.13", "docker.io/library/busybox:1@sha256:12"]
    assert "FROM X AS build\n" in text and "FROM --platform=linux/amd64 X\n" in text
    assert (
        "--from=build /a" in text and "--from=X /b" in text and "from build as last\nFROM scratch\n" in text
    )


def test_the_map_knows_names_and_patterns():
    images = {"ubuntu:24.04": "a", "python:3.*-slim": "b", "ghcr.io/acme/base": "c"}
    names = ("docker.io/library/ubuntu:24.04", "python:3.13-slim", "ghcr.io/acme/base:latest", "ubuntu:22.04")
    assert [mapped(name, images) for name in names] == ["a", "b", "c", "ubuntu:22.04"]


@pytest.fixture
def place(tmp_path, images):
    """The folder of a task."""
    return tmp_path


def environment(place, text, **files):
    folder = place / "environment"
    folder.mkdir(exist_ok=True)
    for name, content in {"Dockerfile": text, **files}.items():
        (folder / name).write_text(content)
    return folder


def build(*images):
    async def work():
        await asyncio.gather(*(image.build() for image in images))

    asyncio.run(work())


def builds(capsys):
    return capsys.readouterr().err.count("image: building")


@pytest.mark.slow(6)
def test_it_is_built_once_and_kept_until_something_changes(place, capsys):
    folder = environment(place, "FROM debian:13\nCOPY words /words\nRUN cat /words > /read\n", words="one")
    image = TaskImage(folder, bases=BASES)
    build(image, TaskImage(folder, bases=BASES), image)
    assert builds(capsys) == 1
    build(image)
    assert builds(capsys) == 0
    name = image.name()
    (folder / "words").write_text("two")
    assert image.name() != name
    build(image)
    assert builds(capsys) == 1


def test_a_dockerfile_that_fails_tells_the_last_lines(place):
    folder = environment(place, "FROM debian:13\nRUN echo so far && exit 7\n")
    with pytest.raises(GraderError, match=r"cannot be built \(exit 7\)(?s:.*)so far"):
        build(TaskImage(folder, bases=BASES))


@pytest.mark.slow(3)
def test_a_build_has_a_time_limit_and_leaves_nothing_running(place):
    folder = environment(place, "FROM debian:13\nRUN sleep 98765\n")
    begun = time.monotonic()
    with pytest.raises(GraderError, match="longer than 3 s"):
        build(TaskImage(folder, bases=BASES, limit_s=3.0))
    assert time.monotonic() - begun < 30
    commands = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert "sleep 98765" not in commands


def test_a_base_that_nobody_has_is_a_reason_to_skip(place, monkeypatch):
    asked = []
    monkeypatch.setattr(task_image, "_pull", lambda image: asked.append(image) or "no such host")
    monkeypatch.setattr(task_image, "_unreachable", {})
    folder = environment(place, "FROM acme/secret:1\n")
    for _ in range(2):
        with pytest.raises(MissingData, match=r"acme/secret:1 is not here, base_images .*no such host"):
            build(TaskImage(folder, bases=BASES))
    assert asked == ["acme/secret:1"]


def test_an_image_that_is_there_is_not_built(place, capsys):
    image = TaskImage(place / "environment", image="acme/mend:1", bases={"acme/*": BASE})
    build(image)
    assert image.name() == BASE and builds(capsys) == 0


def test_images_that_no_run_has_used_for_a_while_are_removed(place):
    image = TaskImage(environment(place, "FROM debian:13\n"), bases=BASES)
    build(image)
    remove_unused()
    exists = ["podman", "image", "exists", image.name()]
    assert subprocess.run(exists).returncode == 0
    remove_unused(0.0)
    assert subprocess.run(exists).returncode == 1
