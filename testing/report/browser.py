"""A real headless Chromium for looking at reports: Debian's, driven by selenium."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def chromium(width: int = 1400, height: int = 900, *, dark: bool = False, log: bool = False) -> Iterator[Any]:
    """A selenium driver with a fresh profile. `log`: keep console and network messages."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.wait import WebDriverWait

    class Chrome(webdriver.Chrome):
        """One that waits until a page is whole. chromedriver should, but now and then it returns when hardly
        anything of a page that is opened again has been read, its style sheet for example."""

        def get(self, url: str) -> None:
            super().get(url)
            self._wait()

        def refresh(self) -> None:
            super().refresh()
            self._wait()

        def _wait(self) -> None:
            whole = "return document.readyState === 'complete'"
            WebDriverWait(self, 60, 0.02).until(lambda driver: driver.execute_script(whole))

    profile = tempfile.mkdtemp(prefix="assay-chromium-")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "/usr/bin/chromium"
    for flag in (
        "--headless=new",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--force-device-scale-factor=1",
        f"--user-data-dir={profile}",
        f"--window-size={width},{height}",
    ):
        options.add_argument(flag)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # of the test browser: Chromium's own does not run as root
    if dark:
        options.add_argument("--blink-settings=preferredColorScheme=0")
    if log:
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = Service(shutil.which("chromedriver") or "/usr/bin/chromedriver")
    driver = Chrome(options=options, service=service)
    try:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        if dark:
            features = [{"name": "prefers-color-scheme", "value": "dark"}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)
