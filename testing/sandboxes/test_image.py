# ruff: noqa: E501 - scripts and sample files read best in one piece
"""The image: what is in it, that nothing of this machine is, and how building it behaves."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time

import pytest

from assay.errors import ConfigError
from assay.languages import LANGUAGES
from assay.sandboxes import image, image_files, image_settings, in_use
from testing.sandboxes.conftest import probed, use

DOCKERFILE = (image.REPOSITORY / "Dockerfile").read_text()

HELLO = {
    "python": "print('hello')",
    "bash": "echo hello",
    "c": '#include <stdio.h>\n#include <math.h>\nint main(){puts(sqrt(4) == 2 ? "hello" : "");}',
    "cpp": '#include <bits/stdc++.h>\nint main(){std::vector<int> v{1}; std::cout << "hello\\n";}',
    "rust": 'fn main(){println!("hello");}',
    "java": 'public class Main { public static void main(String[] a) { System.out.println("hello"); } }',
    "clojure": '(require (quote [clojure.string :as s])) (println (s/lower-case "HELLO"))',
    "javascript": "console.log('hello')",
    "sql": "select 'hello';",
}


@pytest.fixture(scope="module")
def podman():
    return probed("podman")


def inside(backend, script: str, time_limit_s: float = 60.0, **files: str):
    contents = {name.replace("__", "."): text.encode() for name, text in files.items()}

    async def work(sandbox):
        return await sandbox.run(["bash", "-c", script], files=contents, time_limit_s=time_limit_s)

    return use(backend, work)


# ---------------------------------------------------------------- what is in it


@pytest.mark.parametrize("tier", ["podman", "bubblewrap+image"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_says_hello_and_nothing_else(tier, name):
    language = LANGUAGES[name]
    script = " && ".join(filter(None, (language.build, language.run)))

    async def work(sandbox):
        files = {language.filename: HELLO[name].encode()}
        return await sandbox.run(["bash", "-c", script], files=files, time_limit_s=60)

    result = use(probed(tier), work)
    assert (result.stdout, result.stderr, result.returncode) == (b"hello\n", b"", 0)


def test_every_language_has_what_it_needs(podman):
    needs = sorted({need for language in LANGUAGES.values() for need in language.needs})
    assert (
        inside(podman, f"for x in {' '.join(needs)}; do command -v $x >/dev/null || echo $x; done").stdout
        == b""
    )


def test_the_tools_of_the_tests_are_there(podman):
    tools = (
        "git gdb patch file objdump strip sqlite3 chromium chromedriver ps make javac perl awk sed xargs find"
    )
    assert inside(podman, f"for x in {tools}; do command -v $x >/dev/null || echo $x; done").stdout == b""
    assert inside(podman, "test -e /usr/include/openssl/ssl.h && fc-list | grep -c .").returncode == 0


def test_the_libraries_work(podman):
    program = (
        "import numpy, scipy.optimize, PIL.Image, numba, jax.numpy as jnp, torch, chess, matplotlib\n"
        "matplotlib.use('Agg')\n"
        "import matplotlib.pyplot as plt\n"
        "x = torch.ones(3, requires_grad=True); (x * x).sum().backward()\n"
        "assert x.grad.tolist() == [2, 2, 2] and not torch.cuda.is_available()\n"
        "assert jnp.dot(jnp.ones((4, 4)), jnp.ones(4)).tolist() == [4] * 4\n"
        "assert numba.njit(lambda n: n + 1)(3) == 4\n"
        "assert abs(scipy.optimize.minimize(lambda v: (v[0] - 1) ** 2, [0.0]).x[0] - 1) < 1e-3\n"
        "assert chess.Board().legal_moves.count() == 20\n"
        "plt.plot([1, 2]); plt.savefig('a.png'); assert PIL.Image.open('a.png').size == (640, 480)\n"
        "print('works')"
    )
    result = inside(podman, "python3 main.py", main__py=program)
    assert result.stdout == b"works\n", result.output


def test_programs_start_from_what_was_baked_in(podman):
    """The archives and the header are used: a flag or a version that no longer fits turns them off silently."""
    shared = inside(podman, "java -Xlog:class+load Main.java | grep -c 'com.sun.tools.javac.*shared objects'",
                    Main__java=HELLO["java"])  # fmt: skip
    assert int(shared.stdout) > 300
    script = "sed 's/-Xshare:auto//; s/ -XX:MaxRAM=2g/& -Xlog:class+load/' $(command -v clojure) > c; sh c main.clj | grep -c 'source: shared'"
    assert int(inside(podman, script, main__clj=HELLO["clojure"]).stdout) > 1000
    used = inside(podman, f"{LANGUAGES['cpp'].build} -H 2>&1 | head -n 1", main__cpp=HELLO["cpp"])
    assert used.stdout.startswith(b"! ") and b"stdc++.h.gch" in used.stdout


def test_git_works_in_the_work_directory(podman):
    script = "git init -q . && git -c user.name=a -c user.email=b commit -q --allow-empty -m x && git log --oneline | wc -l"
    assert inside(podman, script).stdout == b"1\n"


def test_a_page_is_drawn(podman):
    from assay.nodes.browser import HEIGHT, WIDTH, script_source

    async def work(sandbox):
        argv = ["python3", "-I", "-c", script_source(), str(WIDTH), str(HEIGHT), "20"]
        files = {"page.html": b"<body style='background:#f00'></body>"}
        result = await sandbox.run(argv, files=files, time_limit_s=55)
        assert result.returncode == 0, result.output
        return await sandbox.read_file("page.png")

    import io

    from PIL import Image

    with Image.open(io.BytesIO(use(podman, work))) as picture:
        assert picture.convert("RGB").getpixel((500, 400)) == (255, 0, 0)


# ---------------------------------------------------------------- what is not


def test_nothing_of_this_machine_is_in_it():
    files = image.rootfs()
    assert files is not None
    for name in (
        "etc/pip.conf",
        "root/.config/pip",
        "root/.pip",
        "root/.cache",
        "etc/apt/auth.conf",
        "tmp/warm",
    ):
        assert not (files / name).exists(), name
    assert not [path for path in (files / "run/secrets").glob("*") if path.stat().st_size]
    sources = "".join(
        path.read_text() for path in (files / "etc/apt").glob("sources.list*") if path.is_file()
    )
    assert set(re.findall(r"https?://\S+", sources)) <= {"http://deb.debian.org/debian"}
    assert not list((files / "etc/apt/auth.conf.d").glob("*")) and not list(
        (files / "var/lib/apt/lists").glob("*_*")
    )
    assert (files / "etc/hosts").read_text().split() == ["127.0.0.1", "localhost", "::1", "localhost"]
    assert (files / "etc/hostname").read_text().strip() != os.uname().nodename


def test_no_program_raises_rights_and_no_folder_is_open_to_all():
    files = image.rootfs()
    found = subprocess.run(
        ["find", str(files), "-xdev", "-type", "f", "-perm", "/6000"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == ""


def test_it_is_small(podman):
    size = int(subprocess.run(
        ["podman", "image", "inspect", "--format={{.Size}}", image.image_reference()],
        capture_output=True, check=True).stdout)  # fmt: skip
    assert size < 3_000_000_000


def test_its_files_can_be_read_by_every_user():
    files = image.rootfs()
    assert files is not None and (files / "usr/bin/python3").exists()
    seen = subprocess.run(
        ["setpriv", "--reuid=1900000001", "--regid=1900000001", "--clear-groups", "ls", f"{files}/usr/bin/gcc"],
        capture_output=True, check=False,
    )  # fmt: skip
    assert seen.returncode == 0
    assert subprocess.run(["touch", f"{files}/usr/planted"], capture_output=True).returncode != 0


# ---------------------------------------------------------------- building it


def test_building_again_does_nothing_and_says_so(podman):
    probed("docker")
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "assay.sandboxes.image", "build"],
        capture_output=True, text=True, cwd=image.REPOSITORY, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0 and "is up to date" in done.stderr and "building" not in done.stderr
    assert time.monotonic() - started < 5


def test_the_label_follows_what_goes_in(podman, monkeypatch, tmp_path):
    assert image.built("podman") == image.content_hash()
    (tmp_path / "assay/sandboxes/warm").mkdir(parents=True)
    (tmp_path / "Dockerfile").write_text("FROM a")
    (tmp_path / "assay/sandboxes/warm/x").write_text("1")
    monkeypatch.setattr(image, "REPOSITORY", tmp_path)
    hashes = {image.content_hash()}
    (tmp_path / "Dockerfile").write_text("FROM b")
    hashes.add(image.content_hash())
    (tmp_path / "assay/sandboxes/warm/x").write_text("2")
    hashes.add(image.content_hash())
    assert len(hashes) == 3


def test_the_precompiled_header_fits_the_languages_flags():
    wanted = re.search(r"g\+\+ (.*) -o main main.cpp (.*)", LANGUAGES["cpp"].build)
    baked = re.search(r"g\+\+ (.*) -x c\+\+-header", DOCKERFILE)
    assert wanted and baked and set(baked[1].split()) == set((wanted[1] + " " + wanted[2]).split())


def test_one_dockerfile_serves_with_and_without_a_registry():
    assert f"ARG BASE_IMAGE={image.REGISTRY_BASE}\nFROM ${{BASE_IMAGE}}" in DOCKERFILE
    for line in DOCKERFILE.splitlines():  # what is not there is not mounted: every secret is optional
        assert "required=true" not in line


def test_without_an_engine_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="apt-get install podman"):
        image.build()


def test_without_a_registry_and_mmdebstrap_it_says_what_to_install(monkeypatch, tmp_path):
    fake = tmp_path / "podman"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="apt-get install mmdebstrap"):
        image._base("podman", image_settings.MachineSettings({"apt.conf": ""}), tmp_path, False)


def test_a_step_that_fails_shows_its_last_words(monkeypatch, tmp_path):
    monkeypatch.setattr(image, "LOG", tmp_path / "log")
    with pytest.raises(ConfigError, match=r"(?s)exit 3.*no space for that"):
        image._run(["sh", "-c", "echo no space for that; exit 3"])


def test_an_export_is_whole_or_not_there(podman, monkeypatch, tmp_path):
    """A tiny image is unpacked; a second one replaces it; half of one does not count."""
    monkeypatch.setattr(image_files, "_cache", lambda: tmp_path)
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
        assert image_files.exported(name) is None
        root = image_files.export("podman", name)
        assert image_files.exported(name) == image_files.exported() == root
        assert os.access(root / "bin/tool", os.X_OK) and (root / "bin").is_symlink()
        (root.parent / ".complete").unlink()
        assert image_files.exported() is None
    finally:
        subprocess.run(["podman", "rmi", "--force", name], capture_output=True, check=True)


def test_the_settings_reach_the_build_as_secrets_only():
    settings = image_settings.machine_settings()
    assert set(settings.secrets) <= {"ca.crt", "apt.conf", "sources.list", "apt-auth.conf", "pip.conf"}
    for name in settings.secrets:
        assert f"id={name}" in DOCKERFILE
    assert "deb http" in settings.sources


# ---------------------------------------------------------------- the machine's settings


def test_apt_keeps_proxies_and_drops_what_the_build_has_not():
    dump = (
        'Acquire::http::Proxy "http://cache:3142";\nAcquire::https::CAInfo "/somewhere/ca.pem";\n'
        'Acquire::Retries "3";\nAcquire::cdrom::mount "/media";\nAcquire::http::Proxy-Auto-Detect "/x";\n'
    )
    text = image_settings.apt_configuration(dump, {"ca.crt": "/run/secrets/ca.crt"})
    assert 'Acquire::http::Proxy "http://cache:3142";' in text and 'Acquire::Retries "3";' in text
    assert "/somewhere" not in text and "cdrom" not in text and "Auto-Detect" not in text
    assert 'Acquire::https::CAInfo "/run/secrets/ca.crt";' in text and "sourcelist" not in text


def test_debians_own_sources_are_found_and_others_are_not(tmp_path):
    (tmp_path / "sources.list").write_text(
        "# deb http://old/debian bookworm main\n"
        "deb [arch=amd64] http://mirror/debian bookworm main contrib # ours\n"
        "deb-src http://mirror/debian bookworm main\n"
        "deb http://mirror/debian trixie main\n"
        "deb https://download.other/debian bookworm stable\n"
        "deb [signed-by=/usr/share/keyrings/other.gpg] http://other/debian bookworm main\n"
    )
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d/debian.sources").write_text(
        "Types: deb\nURIs: http://a/debian http://b/debian\nSuites: bookworm bookworm-updates\n"
        "Components: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n"
        "Types: deb\nURIs: http://off/debian\nSuites: bookworm\nComponents: main\nEnabled: no\n"
    )
    assert image_settings.debian_sources(tmp_path).splitlines() == [
        "deb http://mirror/debian bookworm main",
        "deb http://a/debian bookworm main",
        "deb http://a/debian bookworm-updates main",
        "deb http://b/debian bookworm main",
        "deb http://b/debian bookworm-updates main",
    ]
    assert image_settings.debian_sources(tmp_path / "nowhere") == ""


def test_pips_sources_and_local_folders_are_handed_over(tmp_path):
    wheels, index = tmp_path / "wheels", tmp_path / "index/simple"
    wheels.mkdir()
    index.mkdir(parents=True)
    listing = (
        f"global.index-url='https://me:secret@mirror/simple'\n"
        f"global.extra-index-url='file://{index} https://other/simple'\n"
        f"global.find-links='/old'\n"
        f"global.cert='/etc/my.pem'\n:env:.find-links='{wheels}'\n:env:.default-timeout='180'\n"
    )
    text, volumes = image_settings.pip_configuration(listing)
    assert "index-url = https://me:secret@mirror/simple\n" in text and "default-timeout = 180" in text
    assert "cert" not in text and str(tmp_path) not in text and "/old" not in text
    assert set(volumes) == {str(wheels), str(index.parent)}
    assert f"file://{volumes[str(index.parent)]}/simple" in text and volumes[str(wheels)] in text
    assert image_settings.pip_configuration("") == ("", {})


TWO_IMAGES = """
import sys, time
from pathlib import Path
from assay.sandboxes import image_files, in_use
image_files.MOUNTS = Path(sys.argv[1])
hold = in_use.Hold(image_files.mounted())
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def two_images(podman, monkeypatch, tmp_path):
    """Two tiny images of podman, and a place of their own to mount them."""
    if os.getuid() != 0:
        pytest.skip("only root can mount")
    for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o755)
    monkeypatch.setattr(image_files, "MOUNTS", tmp_path / "mounts")
    ids = []
    for name in ("one", "two"):
        tree = tmp_path / name
        (tree / "usr/bin").mkdir(parents=True)
        (tree / "usr/bin" / name).write_text(name)
        subprocess.run(["tar", "-C", str(tree), "-cf", f"{tree}.tar", "."], check=True)
        command = ["podman", "import", "-q", f"{tree}.tar"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        ids.append(done.stdout.split()[-1].removeprefix("sha256:"))
    yield ids
    (tmp_path / "mounts" / image_files.CURRENT).unlink(missing_ok=True)
    image_files.unmount_earlier()
    subprocess.run(["podman", "rmi", "--force", *ids], capture_output=True, check=True)


def test_a_new_image_leaves_the_files_that_another_run_uses(two_images):
    one, two = (image_files.mount(each) for each in two_images[:1] * 2)
    assert one == two == image_files.mounted() and (one / "usr/bin/one").exists()
    user = subprocess.Popen(
        [sys.executable, "-c", TWO_IMAGES, str(image_files.MOUNTS)],
        cwd=image.REPOSITORY,
        stdout=subprocess.PIPE,
    )
    try:
        assert user.stdout and user.stdout.readline() == b"held\n"
        two = image_files.mount(two_images[1])
        assert two == image_files.mounted() != one
        image_files.unmount_earlier()
        assert (one / "usr/bin/one").exists() and image_files.is_mounted(two_images[0])
    finally:
        user.kill()  # no chance to clean up
        user.wait()
        user.stdout.close()
    image_files.unmount_earlier()
    assert not one.exists() and not image_files.is_mounted(two_images[0]) and (two / "usr/bin/two").exists()
    assert sorted(path.name for path in image_files.MOUNTS.iterdir()) == sorted(
        [f".{two.name}.in-use", image_files.CURRENT, two.name, "lock"]
    )


def test_a_backend_keeps_its_image_and_a_new_one_takes_the_new(podman, two_images):
    """A rebuild in the middle of a run: what is open works on, and so do sandboxes that open later."""
    from assay.records import Limits
    from assay.sandboxes.bubblewrap import Bubblewrap

    real = image_files._podman("image", "inspect", "--format={{.Id}}", image.image_reference())
    before = image_files.mount(real)

    async def main():
        backend = Bubblewrap()
        await backend.probe()
        sandbox = await backend.open(Limits(), "x")
        image_files.mount(two_images[0])
        image_files.unmount_earlier()
        later = await backend.open(Limits(), "x")
        try:
            assert str(before) in backend.state()
            for each in (sandbox, later):
                assert (await each.run(["gcc", "--version"])).returncode == 0
        finally:
            await sandbox.close()
            await later.close()

    asyncio.run(main())
    image_files.unmount_earlier()
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
        image_files._short("../../etc")
    assert image_files._short("sha256:" + "ab" * 32) == "ab" * 6


def test_mount_points_of_others_are_not_trusted(monkeypatch, tmp_path):
    (tmp_path / "image-planted/usr/bin").mkdir(parents=True)
    (tmp_path / image_files.CURRENT).symlink_to("image-planted")
    monkeypatch.setattr(image_files, "MOUNTS", tmp_path)
    assert image_files.mounted() is None  # not a mount


def test_opening_a_sandbox_on_it_needs_no_engine_running():
    assert asyncio.run(_tier()) == "bubblewrap+image"


async def _tier() -> str:
    from assay.sandboxes.bubblewrap import Bubblewrap

    found = Bubblewrap()
    await found.probe()
    return found.tier
