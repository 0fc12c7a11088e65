"""The harnesses that race: how each is installed, started, resumed and read, as its documentation says.

All read one CSV file of questions, ask the same model server, judge by substring and keep every sample.
Telemetry, look-ups on the network and checks for updates are switched off. A peer is installed into an
environment of its own below .cache/ the first time.
"""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.measure import ROOT
from testing.inspect_environment import PYTHON as INSPECT
from testing.inspect_environment import install_inspect

PEERS = ROOT / "bench" / "peers"
CACHE = ROOT / ".cache"
TRIES = 10  # how often a call may be tried; every contender's own default is lower or has no end
NONE = "none"
ASSAY = "Assay"
WRONG_DIGIT = "7"
# What the server says, by what the question contains: samples with a 7 in them fail, in every harness.
REPLIES = {WRONG_DIGIT: "I do not know.", "plus": "The answer is known."}
ANSWER = "answer is"


@dataclass(frozen=True)
class Job:
    """One evaluation in a folder of its own."""

    folder: Path
    samples: int
    connections: int
    url: str

    @property
    def questions(self) -> Path:
        """The CSV file; written on first use."""
        path = self.folder / "questions.csv"
        if not path.exists():
            with path.open("w", newline="", encoding="utf-8") as file:
                rows = ([f"Question {n}: what is {n} plus {n}?", ANSWER] for n in range(self.samples))
                csv.writer(file).writerows([["question", "answer"], *rows])
        return path

    @property
    def right(self) -> int:
        """How many samples must pass."""
        return sum(WRONG_DIGIT not in str(n) for n in range(self.samples))


class Contender:
    """What a race asks of a harness. A command is an argv; a text instead says why there is none."""

    name: str

    def install(self) -> str:
        """Make it ready; its version. Raises OSError or subprocess.SubprocessError."""
        raise NotImplementedError

    def environment(self, job: Job) -> dict[str, str]:
        return {
            "HOME": str(job.folder),
            "OPENAI_BASE_URL": job.url + "/v1",
            "OPENAI_API_KEY": NONE,
            "PYTHONDONTWRITEBYTECODE": "",
            "DO_NOT_TRACK": "1",
        }

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        """`cached`: with its cache of replies on, where it is not on by itself."""
        raise NotImplementedError

    def resume(self, job: Job) -> list[list[str]]:
        """The commands, one after the other, that finish a run that was killed."""
        raise NotImplementedError

    def passed(self, job: Job) -> int:
        """How many samples passed, as its own results say."""
        raise NotImplementedError

    def opening(self, job: Job) -> tuple[list[str] | str, list[str] | str]:
        """The commands that show a finished run's summary, and all of its samples."""
        raise NotImplementedError


SUITE = """import csv
from evaluator import *
from assay.suites.suite import Sample, Suite


def samples(options):
    with open({questions!r}, newline="", encoding="utf-8") as file:
        for n, row in enumerate(csv.DictReader(file)):
            test = row["question"] >> LLMRun() >> SubstringEvaluator(row["answer"])
            yield Sample(f"race.Question{{n:05}}", test, "race")


SUITE = Suite("race", "The races' questions", samples)
"""


class Assay(Contender):
    name = ASSAY

    def install(self) -> str:
        from assay import __version__

        return __version__

    def _main(self, job: Job) -> list[str]:
        suite = job.folder / "tests" / "race" / "suite.py"
        if not suite.exists():
            suite.parent.mkdir(parents=True)
            suite.write_text(SUITE.format(questions=str(job.questions)), "utf-8")
            config = {"cache": str(job.folder / "cache")}
            (job.folder / "config.json").write_text(json.dumps(config), "utf-8")
        return [
            *(sys.executable, str(ROOT / "main.py"), "--suite", "race"),
            *("--config", str(job.folder / "config.json"), "--tests", str(job.folder / "tests")),
            *("--logdir", str(job.folder / "results")),
        ]

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        asking = ["--model", "openai/bench", "--params", '{"temperature": 0}']
        limits = ["--max-connections", str(job.connections), "--retries", str(TRIES - 1)]
        return [*self._main(job), "--run-tests", *asking, *limits]

    def resume(self, job: Job) -> list[list[str]]:
        return [[*self.run(job), "--resume"]]

    def passed(self, job: Job) -> int:
        """Of the newest run; a resumed run goes on in its file, where the later record of a sample counts."""
        newest = max((job.folder / "results").rglob("run-*.jsonl"), key=lambda path: path.stat().st_mtime)
        records = [json.loads(line) for line in newest.read_text("utf-8").splitlines()]
        outcomes = {record["test"]: record["outcome"] for record in records if "outcome" in record}
        return sum(outcome == "pass" for outcome in outcomes.values())

    def opening(self, job: Job) -> tuple[list[str] | str, list[str] | str]:
        show = [*self._main(job), "--load-saved"]
        return show, [*show, "--generate-report", "--report-dir", str(job.folder / "report")]


class InspectAI(Contender):
    name = "inspect_ai"

    def install(self) -> str:
        return install_inspect()

    def _command(self, *words: str) -> list[str]:
        return [str(INSPECT), "-m", "inspect_ai", *words]

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        # Its command line takes relative paths only.
        (job.folder / "inspect_task.py").write_bytes((PEERS / "inspect_task.py").read_bytes())
        return self._command(
            *("eval", "inspect_task.py", "-T", f"questions={job.questions}"),
            *("--model", "openai/gpt-4o-mini", "--temperature", "0", "--max-retries", str(TRIES - 1)),
            *("--max-connections", str(job.connections), "--max-samples", str(job.connections)),
            *("--display", "none", "--log-dir", str(job.folder / "logs")),
            *(["--cache", "1D"] if cached else []),
        )

    def _log(self, job: Job) -> Path:
        """The newest log."""
        return max((job.folder / "logs").glob("*.eval"), key=lambda path: path.stat().st_mtime)

    def resume(self, job: Job) -> list[list[str]]:
        """A killed run's log lacks what stood in the buffer; `log recover` puts it back."""
        recovered = job.folder / "recovered.eval"
        return [
            self._command("log", "recover", str(self._log(job)), "--output", str(recovered)),
            self._command(
                *("eval-retry", str(recovered), "--display", "none", "--log-dir", str(job.folder / "logs")),
                *("--max-connections", str(job.connections), "--max-samples", str(job.connections)),
            ),
        ]

    def passed(self, job: Job) -> int:
        python, read = str(INSPECT), str(PEERS / "inspect_passed.py")
        done = subprocess.run([python, read, str(self._log(job))], capture_output=True, text=True, check=True)
        return int(done.stdout)

    def opening(self, job: Job) -> tuple[list[str] | str, list[str] | str]:
        read = [str(INSPECT), str(PEERS / "inspect_open.py"), str(self._log(job))]
        return [*read, "header"], [*read, "whole"]


class LmEval(Contender):
    name = "lm-eval"
    version = "0.4.13"
    python = CACHE / "venv-lm-eval" / "bin" / "python"

    def install(self) -> str:
        if not self.python.exists():
            subprocess.run(
                [sys.executable, "-m", "venv", "--without-pip", str(self.python.parents[1])], check=True
            )
        show = [str(self.python), "-c", "import importlib.metadata as m; print(m.version('lm_eval'))"]
        found = subprocess.run(show, capture_output=True, text=True, check=False)
        if found.returncode:
            pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "-q", "--no-input"]
            subprocess.run(
                [*pip, f"lm_eval[api]=={self.version}"], check=True, stdin=subprocess.DEVNULL, timeout=1800
            )
            found = subprocess.run(show, capture_output=True, text=True, check=True)
        return found.stdout.strip()

    def environment(self, job: Job) -> dict[str, str]:
        return {
            **super().environment(job),
            "HF_HOME": str(job.folder / "huggingface"),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
        }

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        task = job.folder / "task"
        if not task.exists():
            task.mkdir()
            (task / "contains.py").write_bytes((PEERS / "lm_eval_task" / "contains.py").read_bytes())
            text = (PEERS / "lm_eval_task" / "questions.yaml").read_text("utf-8")
            (task / "questions.yaml").write_text(text.replace("QUESTIONS", str(job.questions)), "utf-8")
        server = f"base_url={job.url}/v1/chat/completions"
        return [
            *(str(self.python), "-m", "lm_eval", "run", "--model", "local-chat-completions"),
            *("--model_args", f"model=bench,{server},num_concurrent={job.connections},max_retries={TRIES}"),
            *("--include_path", str(task), "--tasks", "race_questions", "--apply_chat_template"),
            *("--log_samples", "--output_path", str(job.folder / "out")),
            *(["--use_cache", str(job.folder / "cache")] if cached else []),
        ]

    def resume(self, job: Job) -> list[list[str]]:
        return [self.run(job, cached=True)]

    def passed(self, job: Job) -> int:
        newest = max((job.folder / "out").rglob("results_*.json"), key=lambda path: path.stat().st_mtime)
        found = json.loads(newest.read_text("utf-8"))["results"]["race_questions"]
        return round(float(found["contains,none"]) * job.samples)

    def opening(self, job: Job) -> tuple[list[str] | str, list[str] | str]:
        return ("no reader: JSON files",) * 2


class Promptfoo(Contender):
    name = "promptfoo"
    version = "0.121.20"
    home = CACHE / "promptfoo"

    def install(self) -> str:
        """npm's package `node` brings a Node of its own: this machine's may be too old."""
        package = self.home / "node_modules" / "promptfoo" / "package.json"
        if not package.exists():
            self.home.mkdir(parents=True, exist_ok=True)
            npm = [
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
                "--prefix",
                str(self.home),
            ]
            wanted = ["node@22", f"promptfoo@{self.version}"]
            subprocess.run([*npm, *wanted], check=True, stdin=subprocess.DEVNULL, timeout=1800)
        version: str = json.loads(package.read_text("utf-8"))["version"]
        node = subprocess.run([self._bin("node"), "--version"], capture_output=True, text=True, check=True)
        return f"{version} with Node {node.stdout.strip().removeprefix('v')}"

    def _bin(self, name: str) -> str:
        return str(self.home / "node_modules" / ".bin" / name)

    def environment(self, job: Job) -> dict[str, str]:
        return {
            **super().environment(job),
            "PATH": f"{self.home / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}",
            "PROMPTFOO_CONFIG_DIR": str(job.folder / "promptfoo"),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
            "PROMPTFOO_DISABLE_SHARING": "1",
            "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
        }

    def _command(self, *words: str) -> list[str]:
        return [self._bin("node"), self._bin("promptfoo"), *words]

    def run(self, job: Job, *, cached: bool = False) -> list[str]:
        config = job.folder / "promptfooconfig.json"
        settings = {"apiBaseUrl": job.url + "/v1", "apiKey": NONE, "temperature": 0, "maxRetries": TRIES - 1}
        text = {
            "prompts": ["{{question}}"],
            "providers": [{"id": "openai:chat:bench", "config": settings}],
            "tests": f"file://{job.questions}",
            "defaultTest": {"assert": [{"type": "contains", "value": "{{answer}}"}]},
        }
        config.write_text(json.dumps(text), "utf-8")
        quiet = ("--no-table", "--no-progress-bar", "--no-share")
        return self._command("eval", "-c", str(config), "-j", str(job.connections), *quiet)

    def resume(self, job: Job) -> list[list[str]]:
        return [[*self.run(job), "--resume"]]

    def _rows(self, job: Job, query: str) -> list[tuple[object, ...]]:
        with sqlite3.connect(job.folder / "promptfoo" / "promptfoo.db") as database:
            return database.execute(query).fetchall()

    def passed(self, job: Job) -> int:
        newest = "select id from evals order by created_at desc limit 1"
        return len(self._rows(job, f"select 1 from eval_results where success and eval_id = ({newest})"))

    def opening(self, job: Job) -> tuple[list[str] | str, list[str] | str]:
        ((name,),) = self._rows(job, "select id from evals order by created_at desc limit 1")
        out = str(job.folder / "exported.json")
        return self._command("show", "eval", str(name)), self._command("export", "eval", str(name), "-o", out)


CONTENDERS: tuple[type[Contender], ...] = (Assay, InspectAI, LmEval, Promptfoo)
