"""Run main.py in a process of its own, on generated tests and a local model server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAD = "from evaluator import *\n"
_started: list[subprocess.Popen] = []


class Workspace:
    """A folder with tests, a config that knows the server as `local`, results and a report."""

    def __init__(self, folder, server=None, *, with_git=False, **config):
        self.folder, self.with_git = folder, with_git
        self.tests = folder / "t"
        self.tests.mkdir(parents=True)
        self.results = folder / "results"
        if server is not None:
            config.setdefault("llms", {})["local"] = {
                "base_url": server.url + "/v1",
                "api_key": "sk-local-secret",
            }
        config.setdefault("cache", str(folder / "cache"))
        (folder / "config.json").write_text(json.dumps(config))

    def test_file(self, name, text):
        (self.tests / f"{name}.py").write_text(HEAD + text)

    def many_tests(self, count, wanted="answer"):
        lines = [
            f"Test{i:03} = 'question {i}' >> LLMRun() >> SubstringEvaluator({wanted!r}, lower=True)"
            for i in range(count)
        ]
        self.test_file("many", "\n".join(lines) + "\n")

    def command(self, *flags):
        places = ("--config", "config.json", "--logdir", "results", "--report-dir", "report")
        tests = () if "--tests" in flags else ("--tests", str(self.tests))
        return [sys.executable, str(ROOT / "main.py"), *tests, *places, *flags]

    @property
    def environment(self):
        """Without keys. Unless `with_git`, no commit is found: the project's own may change meanwhile."""
        kept = {k: v for k, v in os.environ.items() if not k.endswith(("_KEY", "_TOKEN"))}
        git = {} if self.with_git else {"GIT_DIR": str(self.folder / "no git")}
        return {**kept, **git, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}

    def start(self, *flags):
        """The process, its output in pipes. `wait_until` says what it printed if it waited in vain."""
        process = subprocess.Popen(
            self.command(*flags),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        _started.append(process)
        return process

    def main(self, *flags, code=0, timeout=60):
        """(stdout, stderr) of a run that must end with `code`."""
        done = subprocess.run(
            self.command(*flags),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == code, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout, done.stderr

    def lines(self, torn=0):
        """Every line of every run's file, parsed. `torn`: how many may be cut off: SIGKILL can end a
        write in the middle, of a trial that nobody was told of yet."""
        found = []
        for file in sorted(self.results.glob("*/*/run-*.jsonl")):
            for line in filter(None, file.read_bytes().split(b"\n")):
                try:
                    found.append(json.loads(line))
                except ValueError:
                    torn -= 1
        assert torn >= 0, "broken lines"
        return found


def wait_until(condition, timeout=30.0):
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, f"waited {timeout:g} s in vain{_last_words()}"
        time.sleep(0.002)


def _last_words():
    """What the processes that nobody has waited for printed, as lines. They are killed."""
    told = ""
    for process in (process for process in _started if process.returncode is None):
        state = "still running" if process.poll() is None else f"ended with {process.returncode}"
        process.kill()
        out, err = process.communicate(timeout=20)
        told += f"\nprocess {process.pid}, {state}\n{out}\n{err}"
    return told


def stop(process, number=signal.SIGINT, timeout=20):
    """(exit code, stdout, stderr) after a signal."""
    process.send_signal(number)
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err
