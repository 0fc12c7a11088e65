"""Runs inside the sandbox: renders page.html in headless Chromium and leaves page.png.

Started behind chromium.py as `python3 -I -c SOURCE WIDTH HEIGHT LIMIT_S`. Exit status: 0 done, 3 the browser
did not start, 4 the page could not be drawn. Standard library only; Python 3.9 or later.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from assay.language.chromium import NOT_DRAWN, NOT_STARTED, Browser, Failed


def save(name: str, data: bytes) -> None:
    """Write a file whatever a program left under its name."""
    if os.path.isdir(name) and not os.path.islink(name):  # noqa: PTH112, PTH114
        shutil.rmtree(name)
    elif os.path.lexists(name):
        os.unlink(name)  # noqa: PTH108
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def main() -> None:
    width, height, limit_s = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    profile = tempfile.mkdtemp(prefix="browser-")
    browser = Browser(profile, width, height, limit_s)
    status, why = 0, ""
    try:
        try:
            browser.attach()
        except (TimeoutError, EOFError, BrokenPipeError) as error:
            raise Failed(NOT_STARTED, f"chromium did not start: {type(error).__name__}") from None
        browser.deadline = time.monotonic() + limit_s
        try:
            browser.prepare(width, height)
            browser.navigate((Path.cwd() / "page.html").as_uri())
            browser.settle()
            picture = browser.picture(format="png")
        except TimeoutError:
            raise Failed(NOT_DRAWN, f"the page was not drawn within {limit_s:g} s") from None
        except (EOFError, BrokenPipeError):
            raise Failed(NOT_DRAWN, "the page brought the browser down") from None
        save("page.png", picture)
    except Failed as error:
        status, why = error.status, str(error)
        if status == NOT_STARTED and os.path.exists(browser.log):  # noqa: PTH110
            why += "\n" + Path(browser.log).read_text(errors="replace")[-2000:]
    browser.process.kill()  # the sandbox kills what is left when this process ends
    shutil.rmtree(profile, ignore_errors=True)
    if why:
        print(why, file=sys.stderr)  # noqa: T201
    os._exit(status)


if __name__ == "__main__":
    main()
