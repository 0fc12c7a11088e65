# ruff: noqa: E501 - scripts and sample files read best in one piece
"""The image: what is in it, and that nothing of this machine is."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess

import pytest

from assay.language.languages import LANGUAGES
from assay.sandboxes.image import builder
from assay.sandboxes.pool import open_pool
from testing.sandboxes.conftest import probed, use

DOCKERFILE = builder.DOCKERFILE.read_text()


@pytest.fixture(scope="module")
def podman():
    return probed("podman")


@pytest.fixture(scope="module")
def files(podman):
    """The image's, as bubblewrap finds them."""
    found = builder.rootfs()
    assert found is not None
    return found


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

    async def missing():
        async with open_pool("podman", ahead=0) as pool:
            return await pool.missing(needs)

    assert asyncio.run(missing()) == ()


def test_the_tools_of_the_tests_are_there(podman):
    tools = "git gdb patch file objdump strip sqlite3 chromium ps make javac perl awk sed xargs find"
    assert inside(podman, f"for x in {tools}; do command -v $x >/dev/null || echo $x; done").stdout == b""
    assert (
        inside(
            podman, "test -e /usr/include/openssl/ssl.h && ls /usr/share/fonts/truetype | grep -c ."
        ).returncode
        == 0
    )


@pytest.mark.slow(5)
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
    build = LANGUAGES["go"].build.replace("build", "build -x", 1)
    used = inside(podman, f"{build} 2>&1 | grep -c /compile", main__go=LANGUAGES["go"].hello)
    assert used.stdout == b"1\n", "of all packages only the program's own is compiled"


@pytest.mark.slow(12)
def test_the_languages_are_current(podman):
    """What failed right programs with older compilers; docs/sandboxes.md has the versions."""
    rust = 'use std::sync::LazyLock;\nstatic N: LazyLock<i32> = LazyLock::new(|| 1);\nfn main() { let Some(x) = Some(1) else { return }; if let 1 = x && Some(2).is_some_and(|y| y > *N) { println!("rust") } }'
    assert inside(podman, LANGUAGES["rust"].whole, main__rs=rust).output == "rust\n"
    rust = 'static mut N: i32 = 1;\nfn main() { let gen = 2; unsafe { N += gen; println!("rust {}", N) } }'
    assert inside(podman, LANGUAGES["rust"].whole, main__rs=rust).output == "rust 3\n"
    java = 'record P(int x) {}\nvoid main() { Object o = new P(3); IO.println(switch (o) { case P(int x) when x > 2 -> "java"; default -> ""; }); }'
    assert inside(podman, "java Main.java", Main__java=java).output == "java\n"
    cpp = '#include <print>\n#include <expected>\nint main() { std::expected<int, int> e = 1; std::println("cpp {}", *e); }'
    assert inside(podman, LANGUAGES["cpp"].whole, main__cpp=cpp).output == "cpp 1\n"
    python = 'type Pair[T] = tuple[T, T]\ndef first[T](p: Pair[T]) -> T: return p[0]\nprint(f"{first(("python", 1))}")'
    assert inside(podman, "python3 main.py", main__py=python).output == "python\n"


def test_go_builds_quickly_and_keeps_nothing(podman):
    """The standard library's cache is read-only; net/http stands for packages that take a minute to compile."""
    source = 'package main\nimport ("encoding/json"; "fmt"; "net/http"; "os")\nfunc main() { json.NewEncoder(os.Stdout).Encode(http.StatusText(200)); fmt.Print() }'
    build = LANGUAGES["go"].build.replace("build", "build -x", 1)
    script = f"{build} 2>&1 | grep -c /compile; ./main; ls -A ~ | grep -v .config"
    assert inside(podman, script, main__go=source).output == '1\n"OK"\n'


def test_go_works_on_an_image_that_is_older_than_a_day(podman):
    """It then looks through its cache, and fails where it cannot write down that it did."""
    script = f"readlink $(. /usr/local/lib/go.env; echo $GOCACHE)/trim.txt; echo 0 > /tmp/.go-trim; {LANGUAGES['go'].build}"
    script += " && ./main && [ $(cat /tmp/.go-trim) -gt 0 ] && echo noted"
    assert inside(podman, script, main__go=LANGUAGES["go"].hello).output == "/tmp/.go-trim\nhello\nnoted\n"


@pytest.mark.slow(4)
def test_typescript_runs_as_what_it_is_written_for(podman):
    """Modules, CommonJS, await at the top, and require within it; errors name lines of the source."""
    run = LANGUAGES["typescript"].whole
    mixed = "import * as fs from 'fs'; enum E { A = 1 }; const v: E = await Promise.resolve(E.A);\nconst os = require('os');\nconsole.log(v, typeof fs.statSync, typeof os.cpus, import.meta.url.slice(0, 4))"
    assert inside(podman, run, main__ts=mixed).output == "1 function function file\n"
    common = "import { two } from './other'; const fs = require('fs');\nif (require.main === module) console.log(two satisfies number, __filename.slice(-3))\nexport {}"
    assert inside(podman, run, main__ts=common, other__ts="export const two: number = 2").output == "2 cjs\n"
    assert "main.ts:3" in inside(podman, run, main__ts="interface A { a: 1 }\n\nthrow new Error('x')").output
    wrong = inside(podman, run, main__ts="const x: = 3")
    assert wrong.returncode != 0 and wrong.output.count("ERROR") == 1 and "main.ts:1" in wrong.output


def test_git_works_in_the_work_directory(podman):
    script = "git init -q . && git -c user.name=a -c user.email=b commit -q --allow-empty -m x && git log --oneline | wc -l"
    assert inside(podman, script).stdout == b"1\n"


def test_a_page_is_drawn(podman):
    from assay.language.browser import HEIGHT, WIDTH
    from assay.language.inside import source_of

    async def work(sandbox):
        argv = ["python3", "-I", "-c", source_of("chromium", "browser_script"), str(WIDTH), str(HEIGHT), "20"]
        files = {"page.html": b"<body style='background:#f00'></body>"}
        result = await sandbox.run(argv, files=files, time_limit_s=55)
        assert result.returncode == 0, result.output
        return await sandbox.read_file("page.png")

    import io

    from PIL import Image

    with Image.open(io.BytesIO(use(podman, work))) as picture:
        assert picture.convert("RGB").getpixel((500, 400)) == (255, 0, 0)


def test_nothing_of_this_machine_is_in_it(files):
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


def test_no_program_raises_rights_and_no_folder_is_open_to_all(files):
    found = subprocess.run(
        ["find", str(files), "-xdev", "-type", "f", "-perm", "/6000"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == ""


def test_it_is_small(podman):
    size = int(subprocess.run(
        ["podman", "image", "inspect", "--format={{.Size}}", builder.image_reference()],
        capture_output=True, check=True).stdout)  # fmt: skip
    assert size < 3_000_000_000


def test_its_files_can_be_read_by_every_user(files):
    assert (files / "usr/bin/python3").exists()
    seen = subprocess.run(
        ["setpriv", "--reuid=1900000001", "--regid=1900000001", "--clear-groups", "ls", f"{files}/usr/bin/gcc"],
        capture_output=True, check=False,
    )  # fmt: skip
    assert seen.returncode == 0
    assert subprocess.run(["touch", f"{files}/usr/planted"], capture_output=True).returncode != 0


def test_opening_a_sandbox_on_it_needs_no_engine_running(files):
    assert asyncio.run(_tier()) == "bubblewrap+image"


async def _tier() -> str:
    from assay.sandboxes.backends.bubblewrap import Bubblewrap

    found = Bubblewrap()
    await found.probe()
    return found.tier
