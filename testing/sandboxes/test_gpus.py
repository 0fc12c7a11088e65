"""GPUs for sandboxes: what each backend is told. No GPU is needed: device files are made up."""

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest

from assay.errors import ConfigError, SandboxError
from assay.records import Limits
from assay.sandboxes.backends import filesystem
from assay.sandboxes.backends.bubblewrap import Bubblewrap
from assay.sandboxes.backends.docker import Docker
from assay.sandboxes.limits import gpus


@pytest.fixture
def machine(monkeypatch):
    """A machine with two GPUs and a driver; every user can see them."""
    folder = Path(tempfile.mkdtemp(prefix="assay-gpus."))
    folder.chmod(0o755)
    devices, libraries = folder / "dev", folder / "lib"
    devices.mkdir()
    libraries.mkdir()
    for name in ("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm", "nvidia-caps"):
        (devices / name).touch()
    (libraries / "libcuda.so.550.1").touch()
    (libraries / "libcuda.so.1").symlink_to("libcuda.so.550.1")
    (libraries / "libc.so.6").touch()
    monkeypatch.setattr(gpus, "DEVICES", devices)
    monkeypatch.setattr(gpus, "driver_libraries", lambda: list_of(libraries))
    yield devices, libraries
    shutil.rmtree(folder)


def list_of(folder):
    return gpus_driver_libraries([str(folder)])


gpus_driver_libraries = gpus.driver_libraries


def test_which_gpus_are_meant(machine, monkeypatch, tmp_path):
    assert gpus.present() == ["0", "1"]
    assert gpus.chosen("all") == ["0", "1"] and gpus.chosen("1") == ["1"]
    with pytest.raises(ConfigError, match="there is no GPU 7; this machine has 0, 1"):
        gpus.chosen("0,7")
    with pytest.raises(ConfigError, match="write all, or numbers"):
        gpus.chosen("--privileged")
    assert "NVIDIA GPU 0, 1" in gpus.summary()
    monkeypatch.setattr(gpus, "DEVICES", tmp_path / "none")
    with pytest.raises(ConfigError, match="nvidia0 is missing"):
        gpus.chosen("all")
    assert gpus.summary().startswith("none")


def test_podman_and_docker_are_told():
    assert gpus.podman_options("") == gpus.docker_options("") == []
    assert gpus.podman_options("all") == ["--device=nvidia.com/gpu=all"]
    assert gpus.podman_options("0,1") == ["--device=nvidia.com/gpu=0", "--device=nvidia.com/gpu=1"]
    assert gpus.docker_options("all") == ["--gpus", "all"]
    assert gpus.docker_options("0,1") == ["--gpus", '"device=0,1"']
    assert '"device=1"' in Docker().own_options(Limits(gpus="1"))
    assert "--gpus" not in Docker().own_options(Limits())


def test_bubblewrap_binds_devices_and_driver(machine):
    devices, libraries = machine
    options = " ".join(gpus.bubblewrap_options("1"))
    assert f"--dev-bind {devices}/nvidia1 /dev/nvidia1" in options and "nvidia0" not in options
    assert f"--dev-bind {devices}/nvidiactl /dev/nvidiactl" in options and "nvidia-caps" not in options
    assert f"--ro-bind {libraries}/libcuda.so.550.1 /run/nvidia/libcuda.so.1" in options
    assert "libc.so.6" not in options
    whole = filesystem.devices(Limits(gpus="all"))
    assert whole.index("--dev") < whole.index("--dev-bind") < whole.index("--remount-ro")
    assert not [each for each in filesystem.devices(Limits()) if "nvidia" in each]


def test_a_gpu_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setattr(gpus, "DEVICES", tmp_path)

    async def main():
        backend = Bubblewrap()
        await backend.probe()
        with pytest.raises(SandboxError, match="nvidia0 is missing"):
            await backend.open(Limits(gpus="all"), "x")

    asyncio.run(main())


def test_files_of_a_machine_with_gpus_appear_inside(machine):
    """The binds are real: stand-ins of device and library are seen in a sandbox, and found by name."""

    async def main():
        backend = Bubblewrap()
        await backend.probe()
        sandbox = await backend.open(Limits(gpus="0"), "x")
        try:
            return await sandbox.run(["sh", "-c", "ls /dev/nvidia* /run/nvidia; echo $LD_LIBRARY_PATH"])
        finally:
            await sandbox.close()

    seen = asyncio.run(main()).stdout.decode().split()
    assert {"/dev/nvidia0", "/dev/nvidiactl", "libcuda.so.1"} <= set(seen) and seen[-1] == "/run/nvidia"
    assert "/dev/nvidia1" not in seen
