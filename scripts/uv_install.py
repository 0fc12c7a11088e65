"""`uv pip install` into the environment that runs this file, from where pip would take packages:

    .venv/bin/python scripts/uv_install.py UV -r requirements.lock

uv does not read pip's settings, so it gets them here, by its environment: an index's address may hold a
password. What is set for uv itself (UV_DEFAULT_INDEX and the like) stays. Standard library only.
"""

from __future__ import annotations

import os
import sys

from bootstrap_pip import setting

# pip's setting -> uv's variable, and what stands between several values
SETTINGS = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_EXTRA_INDEX_URL", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "client-cert": ("SSL_CLIENT_CERT", " "),
    "proxy": ("ALL_PROXY", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
}


def environment() -> dict[str, str]:
    """The variables that say to uv what pip's settings say to pip."""
    # pip trusts this system's certificates: the second name is that of uv before 0.11
    found = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}
    for name, (variable, between) in SETTINGS.items():
        if values := setting(name).split():
            found[variable] = between.join(values)
    return found


def main() -> None:
    uv, *arguments = sys.argv[1:]
    # As pip has it: the best version of all indexes. Of which one it comes is decided by its hash.
    options = ["--quiet", "--python", sys.executable, "--index-strategy", "unsafe-best-match"]
    if setting("no-index").lower() in ("1", "true", "yes", "on"):
        options.append("--no-index")
    os.execvpe(uv, [uv, "pip", "install", *options, *arguments], {**environment(), **os.environ})


if __name__ == "__main__":
    main()
