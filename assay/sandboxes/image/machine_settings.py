"""
What a build of the image needs of this machine: mirrors, proxies, certificates, folders of packages.

Everything is handed over as build secrets (files that are mounted while a step runs) or as read-only
volumes, so that no address and no password of this machine ends up in the image.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

RELEASE = "trixie"  # Debian 13
DEFAULT_SOURCES = f"""\
deb http://deb.debian.org/debian {RELEASE} main
deb http://deb.debian.org/debian {RELEASE}-updates main
deb http://deb.debian.org/debian-security {RELEASE}-security main
"""
# The suites of a machine with some release of Debian, whose mirror has the image's release as well. "stable"
# is none of them: repositories of other makers call themselves that.
SUITE = re.compile(r"(?:buster|bullseye|bookworm|trixie|forky|duke)(?P<part>-updates|-security|/updates)?/?")
PIP_OPTIONS = ("index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "proxy", "timeout",
               "default-timeout", "retries")  # fmt: skip
PIP_PLACES = ("index-url", "extra-index-url", "find-links")  # lists of URLs and folders
NPM_OPTION = re.compile(r"\s*(//|(@[\w.-]+:)?registry|(https?-)?proxy|noproxy|strict-ssl)")


@dataclass(frozen=True)
class MachineSettings:
    """`secrets`: name -> content, as the Dockerfile mounts them; `volumes`: folder here -> folder there."""

    secrets: Mapping[str, str]
    volumes: Mapping[str, str] = field(default_factory=dict)

    @property
    def sources(self) -> str:
        """The sources of Debian's packages, one a line."""
        return self.secrets.get("sources.list", DEFAULT_SOURCES)


def machine_settings() -> MachineSettings:
    """What apt and pip of this machine are configured to use. Empty parts where they use the defaults."""
    secrets: dict[str, str] = {}
    certificates = _certificates()
    if certificates:
        secrets["ca.crt"] = certificates
    sources = debian_sources(Path("/etc/apt"))
    if sources:
        secrets["sources.list"] = sources
    passwords = "\n".join(_read(path) for path in _files(Path("/etc/apt"), "auth.conf", "*.conf"))
    if passwords.strip():
        secrets["apt-auth.conf"] = passwords
    secrets["apt.conf"] = apt_configuration(
        _output("apt-config", "dump", "Acquire"), {name: f"/run/secrets/{name}" for name in secrets}
    )
    pip, volumes = pip_configuration(_output(sys.executable, "-m", "pip", "config", "list"))
    if pip:
        secrets["pip.conf"] = pip
    return MachineSettings(secrets, volumes)


# ---------------------------------------------------------------- apt


def apt_configuration(dump: str, secrets: Mapping[str, str]) -> str:
    """An apt.conf with the network settings of `apt-config dump` and the given secrets' paths."""
    kept = [
        line
        for line in dump.splitlines()
        if re.match(r"Acquire::(https?::|Retries|Check-|ForceIPv|Queue-Mode|ftp::)", line)
        and not re.match(r'.*(CaInfo|CAInfo|SslCert|SslKey|Auto-?Detect|""$)', line)
    ]
    kept += ['Acquire::Languages "none";', 'APT::Sandbox::User "root";']
    if "ca.crt" in secrets:
        kept.append(f'Acquire::https::CAInfo "{secrets["ca.crt"]}";')
    if "sources.list" in secrets:
        kept += [f'Dir::Etc::sourcelist "{secrets["sources.list"]}";', 'Dir::Etc::sourceparts "/dev/null";']
    if "apt-auth.conf" in secrets:
        kept += [f'Dir::Etc::netrc "{secrets["apt-auth.conf"]}";', 'Dir::Etc::netrcparts "/dev/null";']
    return "\n".join(kept) + "\n"


def debian_sources(folder: Path) -> str:
    """This machine's mirrors of Debian's own packages, for the image's release, one entry a line; '' if it
    has none. A machine with another release gives its mirrors' addresses only.

    Other people's repositories are left out: the image is Debian, and has only Debian's keys.
    """
    found: dict[str, None] = {}
    for path in _files(folder, "sources.list", "*.list", "sources.list.d"):
        for line in _read(path).splitlines():
            match = re.match(r"deb\s+(\[[^]]*\]\s+)?(\S+)\s+(\S+)\s+(.+)", line.split("#")[0].strip())
            if match:
                options, uri, suite, components = match.groups()
                found.update(_entries(options or "", [uri], [suite], components.split()))
    for path in _files(folder, "", "*.sources", "sources.list.d"):
        for stanza in re.split(r"\n\s*\n", "\n".join(li for li in _read(path).splitlines() if li[:1] != "#")):
            fields = {key.lower(): value for key, value in re.findall(r"(?m)^([\w-]+):[ \t]*(.*)$", stanza)}
            if "deb" in fields.get("types", "").split() and fields.get("enabled", "yes").lower() != "no":
                options = " ".join(
                    f"{key}={fields[key]}" for key in ("signed-by", "trusted") if key in fields
                )
                uris, suites = fields.get("uris", "").split(), fields.get("suites", "").split()
                found.update(_entries(options, uris, suites, fields.get("components", "").split()))
    return "".join(f"{line}\n" for line in found)


def _entries(options: str, uris: list[str], suites: list[str], components: list[str]) -> dict[str, None]:
    signed = re.search(r"signed-by=(\S+)", options)
    if signed and "debian-archive" not in signed[1]:
        return {}
    trusted = "[trusted=yes] " if "trusted=yes" in options else ""
    if "main" not in components:
        return {}
    found = [_suite(suite) for suite in suites]
    return {
        f"deb {trusted}{uri} {suite} main": None
        for uri in uris
        for suite in found
        if suite and uri.split(":")[0] in ("http", "https")
    }


def _suite(suite: str) -> str:
    """The suite of the image's release that stands for `suite` of another one; '' if that is not Debian's.

    >>> _suite("bookworm-updates"), _suite("buster/updates"), _suite("jammy")
    ('trixie-updates', 'trixie-security', '')
    """
    match = SUITE.fullmatch(suite)
    if not match:
        return ""
    part = match["part"] or ""
    return RELEASE + ("-security" if part == "/updates" else part)


# ---------------------------------------------------------------- pip


def pip_configuration(listing: str) -> tuple[str, dict[str, str]]:
    """A pip.conf with the same sources as `pip config list` shows, and the folders it then needs.

    Local folders, also as file: URLs, are moved to places that say nothing about this machine.
    """
    found: dict[str, str] = {}
    for line in listing.splitlines():
        name, _, value = line.partition("=")
        section, _, option = name.strip().rpartition(".")
        option = option.replace("_", "-")
        if option in PIP_OPTIONS and (section in ("global", "install") or section.startswith(":env:")):
            found[option] = str(_literal(value))  # pip lists in rising order of precedence
    volumes: dict[str, str] = {}
    lines = []
    for option, value in found.items():
        words = [_moved(word, volumes) for word in value.split()] if option in PIP_PLACES else [value]
        lines.append(f"{option} = " + "\n    ".join(words))
    return ("[global]\n" + "\n".join(lines) + "\n") if lines else "", volumes


def npm_configuration(environ: Mapping[str, str]) -> str:
    """What this user's .npmrc and environment say of registries, proxies and passwords."""
    lines = _read(Path(environ.get("NPM_CONFIG_USERCONFIG") or Path("~/.npmrc").expanduser())).splitlines()
    if registry := environ.get("NPM_CONFIG_REGISTRY"):
        lines.append(f"registry={registry}")
    return "".join(f"{line}\n" for line in lines if NPM_OPTION.match(line))


def _moved(place: str, volumes: dict[str, str]) -> str:
    url = urlsplit(place)
    path = unquote(url.path) if url.scheme == "file" else place
    if url.scheme not in ("", "file") or not Path(path).exists():
        return place
    # An index links to files beside it, so the mount is the parent of a folder named simple.
    here = Path(path).resolve()
    mounted = here.parent if here.name == "simple" else here
    there = volumes.setdefault(str(mounted), f"/run/packages-{len(volumes)}")
    moved = there + str(here)[len(str(mounted)) :]
    return f"file://{moved}" if url.scheme == "file" else moved


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError):
        return text.strip()


# ---------------------------------------------------------------- reading


def _certificates() -> str:
    """The bundle of certificate authorities that programs here are told to use, or the system's."""
    for name in ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        if os.environ.get(name):
            return _read(Path(os.environ[name]))
    return _read(Path("/etc/ssl/certs/ca-certificates.crt"))


def _files(folder: Path, single: str, pattern: str, parts: str = "") -> Iterable[Path]:
    if single:
        yield folder / single
    yield from sorted((folder / (parts or f"{single}.d")).glob(pattern))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
