"""The image's files for bubblewrap: unpacked or mounted, and left where they are while somebody uses them."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from assay.errors import ConfigError
from assay.sandboxes.image import builder, in_use, rootfs
from testing.sandboxes.conftest import probed


@pytest.fixture(scope="module")
def podman():
    return probed("podman")


def test_an_export_is_whole_or_not_there(podman, monkeypatch, tmp_path):
    """A tiny image is unpacked; a second one replaces it; half of one does not count."""
    monkeypatch.setattr(rootfs, "files_cache", lambda: tmp_path)
    tree = tmp_path / "tree"
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/tool").write_text("#!/bin/sh\n")
    (tree / "usr/bin/tool").chmod(0o755)
    (tree / "bin").symlink_to("usr/bin")
    tar = tmp_path / "tiny.tar"
    subprocess.run(["tar", "-C", str(tree), "-cf", str(tar), "."], check=True)
    imported = subprocess.run(
        ["podman", "import", "-q", str(tar)], capture_output=True, text=True, check=True
    )
    name = imported.stdout.split()[-1].removeprefix("sha256:")
    try:
        assert rootfs.exported(name) is None
        root = rootfs.export("podman", name)
        assert rootfs.exported(name) == rootfs.exported() == root
        assert os.access(root / "bin/tool", os.X_OK) and (root / "bin").is_symlink()
        (root.parent / ".complete").unlink()
        assert rootfs.exported() is None
    finally:
        subprocess.run(["podman", "rmi", "--force", name], capture_output=True, check=True)


TWO_IMAGES = """
import sys, time
from pathlib import Path
from assay.sandboxes.image import rootfs, in_use
rootfs.MOUNTS = Path(sys.argv[1])
hold = in_use.Hold(rootfs.mounted())
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def two_images(podman, monkeypatch, tmp_path):
    """Two tiny images of podman, and a place of their own to mount them, which every user can reach."""
    if os.getuid() != 0:
        pytest.skip("only root can mount")
    place = Path(tempfile.mkdtemp(prefix="assay-mounts-"))
    place.chmod(0o755)
    monkeypatch.setattr(rootfs, "MOUNTS", place)
    ids = []
    for name in ("one", "two"):
        tree = tmp_path / name
        (tree / "usr/bin").mkdir(parents=True)
        (tree / "usr/bin" / name).write_text(name)
        subprocess.run(["tar", "-C", str(tree), "-cf", f"{tree}.tar", "."], check=True)
        command = ["podman", "import", "-q", f"{tree}.tar"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        ids.append(done.stdout.split()[-1].removeprefix("sha256:"))
    try:
        yield ids
    finally:
        (place / rootfs.CURRENT).unlink(missing_ok=True)
        rootfs.unmount_earlier()
        for left in place.glob("image-*"):  # somebody still holds it: a test has failed
            subprocess.run(["umount", "--lazy", str(left)], check=False)
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run(["podman", "rmi", "--force", *ids], capture_output=True, check=True)


def test_a_new_image_leaves_the_files_that_another_run_uses(two_images):
    one, two = (rootfs.mount(each) for each in two_images[:1] * 2)
    assert one == two == rootfs.mounted() and (one / "usr/bin/one").exists()
    user = subprocess.Popen(
        [sys.executable, "-c", TWO_IMAGES, str(rootfs.MOUNTS)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
    )
    try:
        assert user.stdout and user.stdout.readline() == b"held\n"
        two = rootfs.mount(two_images[1])
        assert two == rootfs.mounted() != one
        rootfs.unmount_earlier()
        assert (one / "usr/bin/one").exists() and rootfs.is_mounted(two_images[0])
    finally:
        user.kill()  # no chance to clean up
        user.wait()
        user.stdout.close()
    rootfs.unmount_earlier()
    assert not one.exists() and not rootfs.is_mounted(two_images[0]) and (two / "usr/bin/two").exists()
    assert sorted(path.name for path in rootfs.MOUNTS.iterdir()) == sorted(
        [f".{two.name}.in-use", rootfs.CURRENT, two.name, "lock"]
    )


def test_a_backend_keeps_its_image_and_a_new_one_takes_the_new(podman, two_images):
    """A rebuild in the middle of a run: what is open works on, and so do sandboxes that open later."""
    from assay.records import Limits
    from assay.sandboxes.backends.bubblewrap import Bubblewrap

    real = rootfs._podman("image", "inspect", "--format={{.Id}}", builder.image_reference())
    before = rootfs.mount(real)

    async def main():
        backend = Bubblewrap()
        await backend.probe()
        sandbox = await backend.open(Limits(), "x")
        rootfs.mount(two_images[0])
        rootfs.unmount_earlier()
        later = await backend.open(Limits(), "x")
        try:
            assert str(before) in backend.state()
            for each in (sandbox, later):
                assert (await each.run(["gcc", "--version"])).returncode == 0
        finally:
            await sandbox.close()
            await later.close()

    asyncio.run(main())
    rootfs.unmount_earlier()
    assert not before.exists()


def test_files_that_have_just_been_removed_cannot_be_held(tmp_path):
    root = tmp_path / "root"
    with pytest.raises(FileNotFoundError):
        in_use.Hold(root)
    root.mkdir()
    held = [in_use.Hold(root), in_use.Hold(root)]
    for left in (True, False):
        with in_use.alone(root) as free:
            assert not free
        held.pop() if left else held.clear()
    with in_use.alone(root) as free:
        assert free
        root.rmdir()
    assert not (tmp_path / ".root.in-use").exists()


def test_an_image_id_is_checked_before_it_becomes_a_path():
    with pytest.raises(ConfigError, match="not an image id"):
        rootfs._short("../../etc")
    assert rootfs._short("sha256:" + "ab" * 32) == "ab" * 6


def test_mount_points_of_others_are_not_trusted(monkeypatch, tmp_path):
    (tmp_path / "image-planted/usr/bin").mkdir(parents=True)
    (tmp_path / rootfs.CURRENT).symlink_to("image-planted")
    monkeypatch.setattr(rootfs, "MOUNTS", tmp_path)
    assert rootfs.mounted() is None  # not a mount
