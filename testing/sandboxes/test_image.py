# ruff: noqa: E501 - scripts and sample files read best in one piece
"""The image: what is in it, and that nothing of this machine is."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess

import pytest

from assay.languages import LANGUAGES
from assay.sandboxes import image
from testing.sandboxes.conftest import probed, use

DOCKERFILE = image.DOCKERFILE.read_text()


@pytest.fixture(scope="module")
def podman():
    return probed("podman")


def inside(backend, script: str, time_limit_s: float = 60.0, **files: str):
    contents = {name.replace("__", "."): text.encode() for name, text in files.items()}

    async def work(sandbox):
        return await sandbox.run(["bash", "-c", script], files=contents, time_limit_s=time_limit_s)

    return use(backend, work)


@pytest.mark.parametrize("tier", ["podman", "bubblewrap+image"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_says_hello_and_nothing_else(tier, name):
    language = LANGUAGES[name]

    async def work(sandbox):
        files = {language.filename: language.hello.encode()}
        return await sandbox.run(["bash", "-c", language.whole], files=files, time_limit_s=60)

    result = use(probed(tier), work)
    wanted = (b"hello\n", b"", 0)
    assert (result.stdout, result.stderr, result.returncode) == wanted, f"`hello` of {name} in LANGUAGES"


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
                    Main__java=LANGUAGES["java"].hello)  # fmt: skip
    assert int(shared.stdout) > 300
    script = "sed 's/-Xshare:auto//; s/ -XX:MaxRAM=2g/& -Xlog:class+load/' $(command -v clojure) > c; sh c main.clj | grep -c 'source: shared'"
    assert int(inside(podman, script, main__clj=LANGUAGES["clojure"].hello).stdout) > 1000
    used = inside(podman, f"{LANGUAGES['cpp'].build} -H 2>&1 | head -n 1", main__cpp=LANGUAGES["cpp"].hello)
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


def test_opening_a_sandbox_on_it_needs_no_engine_running():
    assert asyncio.run(_tier()) == "bubblewrap+image"


async def _tier() -> str:
    from assay.sandboxes.bubblewrap import Bubblewrap

    found = Bubblewrap()
    await found.probe()
    return found.tier
