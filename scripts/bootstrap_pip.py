"""Install pip, and uv where it can be had, into the environment that runs this file.

A wheel is a zip file that Python can run, so pip installs itself, and needs no ensurepip, which takes four
seconds where it is there and which Debian leaves out. Python's own wheel of pip is taken, else one from
where pip itself would look: the settings in PIP_* variables and pip's configuration files (index-url,
extra-index-url, find-links, cert), else https://pypi.org/simple. Standard library only.
"""

from __future__ import annotations

import base64
import configparser
import hashlib
import html
import os
import re
import ssl
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

WHEEL = re.compile(r"pip-(\d+(?:\.\d+)*)-py3-none-any\.whl$")
DEFAULT_INDEX = "https://pypi.org/simple"
LOCK = Path(__file__).with_name("installers.lock")


def configuration_files() -> list[Path]:
    """pip's configuration files, the strongest last."""
    home, named = Path.home(), os.environ.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return []
    user = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    found = [Path("/etc/xdg/pip"), Path("/etc"), home / ".pip", user / "pip"]
    return [*(folder / "pip.conf" for folder in found), *([Path(named)] if named else [])]


def say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr)


def setting(name: str) -> str:
    """One of pip's settings: environment variable first, then [install] and [global] of the files."""
    from_environment = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if from_environment:
        return from_environment
    value = ""
    for path in configuration_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError):
            continue
        for section in ("global", "install"):
            value = parser.get(section, name, fallback=value)
    return value


def fetch(url: str, certificates: ssl.SSLContext) -> bytes:
    """The body of `url`; a name and password in it are sent the way pip sends them."""
    parts = urlsplit(url)
    headers = {"User-Agent": "assay-setup", "Accept": "text/html, */*"}
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        headers["Authorization"] = "Basic " + base64.b64encode(pair).decode()
        url = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request, timeout=60, context=certificates) as answer:
        body: bytes = answer.read()
    return body


def links(page_url: str, certificates: ssl.SSLContext) -> list[str]:
    """Addresses of the pip wheels that a page or a folder of packages names."""
    if "://" not in page_url or page_url.startswith("file://"):
        path = Path(unquote(urlsplit(page_url).path) if "://" in page_url else page_url)
        if not (path / "index.html").is_file():
            return [wheel.resolve().as_uri() for wheel in path.glob("pip-*.whl")]
        page, page_url = (path / "index.html").read_text("utf-8"), path.resolve().as_uri() + "/"
    else:
        page = fetch(page_url, certificates).decode("utf-8", errors="replace")
    hrefs = re.findall(r"""href\s*=\s*["']([^"']+)["']""", page, flags=re.IGNORECASE)
    return [urljoin(page_url, html.unescape(href)) for href in hrefs]


def candidates(certificates: ssl.SSLContext) -> list[tuple[tuple[int, ...], str]]:
    """Every pip wheel within reach as (version, address), the newest first."""
    pages = [*setting("find-links").split()]
    if not os.environ.get("PIP_NO_INDEX"):
        indexes = [setting("index-url") or DEFAULT_INDEX, *setting("extra-index-url").split()]
        pages += [index.rstrip("/") + "/pip/" for index in indexes]
    found = set()
    for page in pages:
        try:
            addresses = links(page, certificates)
        except (OSError, ValueError) as error:  # one broken page of several is no end
            say(f"{urlsplit(page).path}: {error}")  # the path only: an index address may hold a password
            continue
        for address in addresses:
            match = WHEEL.search(unquote(urlsplit(address).path))
            if match:
                found.add((tuple(int(part) for part in match[1].split(".")), address))
    return sorted(found, reverse=True)


def of_python() -> Iterator[Path]:
    """The wheels of pip that came with this Python: ensurepip's, and Debian's for virtualenv."""
    library = Path(sysconfig.get_path("stdlib"))
    for folder in (library / "ensurepip" / "_bundled", Path("/usr/share/python-wheels")):
        yield from folder.glob("pip-*.whl")


def fetched(folder: Path) -> Iterator[Path]:
    """The newest wheels of pip that can be had, each fetched when its turn comes."""
    certificates = ssl.create_default_context(cafile=setting("cert") or None)
    for version, address in candidates(certificates)[:5]:
        try:
            yield download(address, folder, certificates)
        except (OSError, ValueError) as error:
            say(f"pip {'.'.join(map(str, version))}: {error}")


def download(address: str, folder: Path, certificates: ssl.SSLContext) -> Path:
    """The wheel at `address`, checked against the hash that its index gives. Raises ValueError for one
    without a hash, unless it lies on this machine: it is a program, and runs at once."""
    plain, fragment = urldefrag(address)
    wanted = fragment.removeprefix("sha256=") if fragment.startswith("sha256=") else ""
    if not wanted and urlsplit(plain).scheme != "file":
        raise ValueError("the index gives no sha256 for it, so it cannot be checked")
    content = fetch(plain, certificates)
    if wanted and hashlib.sha256(content).hexdigest() != wanted:
        raise ValueError("its content does not match the hash of the index")
    target = folder / Path(unquote(urlsplit(plain).path)).name
    target.write_bytes(content)
    return target


def install(wheel: Path) -> bool:
    """Let this pip install uv and a pip by their hashes; if that fails itself alone."""
    options = ["--quiet", "--no-input", "--no-compile", "--disable-pip-version-check"]
    command = [sys.executable, f"{wheel}/pip", "install", *options]
    locked = [*command, "--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(LOCK)]
    if subprocess.run(locked, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0:
        return True
    # A pip that is too new for this Python refuses to install itself; an older one will do.
    alone = [*command, "--no-index", str(wheel)]
    return subprocess.run(alone, stdin=subprocess.DEVNULL, check=False).returncode == 0


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for find in (of_python, lambda: fetched(Path(folder))):
            if any(map(install, find())):
                return 0
    say("no pip wheel could be fetched; behind a mirror, set PIP_INDEX_URL or pip.conf")
    return 1


if __name__ == "__main__":
    sys.exit(main())
