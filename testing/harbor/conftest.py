"""Where podman and a small base image are; what tests build is removed."""

import pytest

from assay.sandboxes.image import task_image
from testing.sandboxes.conftest import probed


@pytest.fixture(scope="module")
def podman():
    probed("podman")


@pytest.fixture(scope="module")
def images(podman, tmp_path_factory):
    """A cache of its own for images of tasks."""
    with pytest.MonkeyPatch.context() as patch:
        cache = tmp_path_factory.mktemp("cache")
        patch.setattr(task_image, "user_cache", lambda: cache)
        patch.setattr(task_image, "NAME", "localhost/assay-task-test")
        yield
        task_image.remove_unused(0.0)
