"""Podman without root: a user of its own, an image of its own, and no cgroup to rely on.

The user's engine has its own storage; a small image, with no more than the agent needs, is enough.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.sandboxes.image.machine_settings import RELEASE, machine_settings

pytestmark = pytest.mark.slow(30)
REPOSITORY = Path(__file__).parents[2]
USER = "assay-rootless"
IMAGE = "localhost/assay-rootless:test"

# Runs as that user; prints one JSON object.
PROGRAM = """
import asyncio, json, sys
from assay.records import Limits
from assay.sandboxes.attacks import runner
from assay.sandboxes.backends.podman import Podman

async def main():
    backend = Podman(sys.argv[1])
    found = dict(await backend.probe())
    sandbox = await backend.open(Limits(), "rootless")
    try:
        result = await sandbox.run(["sh", "-c", "id -un; echo data > out; cat out"])
        content = await sandbox.read_file("out")
    finally:
        await sandbox.close()
    repelled = {each.name: [each.passed, each.outcome] for each in await runner.run_all(backend)}
    left = await backend.containers()
    print(json.dumps([found, result.output, content.decode(), repelled, left]))

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def user(tmp_path_factory) -> Iterator[Path]:
    """The home of a fresh user with the package and a storage that shares layers."""
    if os.geteuid() != 0:
        pytest.skip("only root can make another user")
    subprocess.run(["userdel", "--remove", "--force", USER], capture_output=True, check=False)
    subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", USER], check=True)
    home = Path(f"~{USER}").expanduser()
    try:
        shutil.copytree(REPOSITORY / "assay", home / "assay", ignore=shutil.ignore_patterns("__pycache__"))
        (home / ".config/containers").mkdir(parents=True)
        (home / ".config/containers/storage.conf").write_text('[storage]\ndriver = "overlay"\n')
        (home / "run").mkdir(mode=0o700)
        (home / "tmp").mkdir()
        _small_image(home / "image.tar", tmp_path_factory.mktemp("sources"))
        subprocess.run(["chown", "-R", f"{USER}:", str(home)], check=True)
        as_user(home, "podman", "import", "--quiet", str(home / "image.tar"), IMAGE)
        yield home
    finally:
        as_user(home, "podman", "system", "reset", "--force", check=False)
        subprocess.run(["pkill", "--uid", USER], check=False)  # podman's pause process keeps the user busy
        subprocess.run(["userdel", "--remove", "--force", USER], capture_output=True, check=False)


def as_user(home: Path, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = [
        f"HOME={home}",
        f"XDG_RUNTIME_DIR={home}/run",
        f"TMPDIR={home}/tmp",
        "PATH=/usr/bin:/bin:/usr/sbin:/sbin",
    ]
    done = subprocess.run(
        ["runuser", "-u", USER, "--", "env", "-i", *environment, *command],
        capture_output=True, text=True, cwd=home, timeout=200,
    )  # fmt: skip
    assert not check or done.returncode == 0, done.stderr[-3000:]
    return done


def _small_image(tar: Path, folder: Path) -> None:
    """Debian, Python and bash, with the folders and the user that the Dockerfile makes."""
    settings = machine_settings()
    (folder / "sources.list").write_text(settings.sources)
    own = [line for line in settings.secrets["apt.conf"].splitlines() if not line.startswith("Dir::")]
    (folder / "apt.conf").write_text("\n".join(line for line in own if "/run/secrets" not in line) + "\n")
    make_user = 'chroot "$1" useradd --uid 1000 --no-create-home --home-dir /home/assay assay'
    make_folders = 'chroot "$1" install -d -o assay -g assay -m 0755 /usr/src/app /home/assay'
    options = ["--quiet", "--variant=minbase", "--include=python3,procps", f"--aptopt={folder}/apt.conf"]
    hooks = [f"--customize-hook={make_user}", f"--customize-hook={make_folders}"]
    command = ["mmdebstrap", *options, *hooks, RELEASE, str(tar), str(folder / "sources.list")]
    subprocess.run(command, check=True, capture_output=True, timeout=200)


def test_it_runs_commands_watches_what_the_kernel_does_not_and_repels_every_attack(user):
    done = as_user(user, "/usr/bin/python3", "-c", PROGRAM, IMAGE)
    found, output, content, repelled, left = json.loads(done.stdout.splitlines()[-1])
    assert found["limits"] in ("enforced", "watched")
    if not Path("/sys/fs/cgroup/cgroup.controllers").exists():
        assert found["limits"] == "watched"  # version 1 gives users no cgroups
    assert (output, content) == ("assay\ndata\n", "data\n")
    assert not {name: outcome for name, (passed, outcome) in repelled.items() if not passed}
    assert len(repelled) > 15 and left == []


def test_storage_that_copies_the_image_for_each_container_is_refused(user):
    (user / ".config/containers/storage.conf").write_text(
        f'[storage]\ndriver = "vfs"\ngraphroot = "{user}/vfs"\nrunroot = "{user}/run/vfs"\n'
    )
    script = (
        "import asyncio, sys\nfrom assay.sandboxes.backends.podman import Podman\n"
        "from assay.errors import SandboxUnavailable\n"
        "try: asyncio.run(Podman(sys.argv[1]).probe())\n"
        "except SandboxUnavailable as error: print(error)\n"
    )
    (user / "empty").mkdir()
    pack = f"tar -C {user}/empty -cf {user}/empty.tar ."
    podman = f"podman --root {user}/vfs --runroot {user}/run/vfs --storage-driver vfs"
    as_user(user, "bash", "-c", f"{pack} && {podman} import -q {user}/empty.tar {IMAGE}")
    said = as_user(user, "/usr/bin/python3", "-c", script, IMAGE).stdout
    assert 'driver = "overlay"' in said, said
