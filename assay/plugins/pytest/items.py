"""Test files and tests as pytest items, and their reports."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ExceptionChainRepr, ReprEntryNative, ReprFileLocation, ReprTraceback

from assay.errors import AssayError, RunEnds, TestFileError
from assay.plugins.pytest.trials import Trials, ordinary_warnings
from assay.records import Outcome, TrialRecord
from assay.report.failures import told
from assay.report.sanitise import one_line, strip_terminal, visible
from assay.report.steps import lines_of, outcome_line, why_line
from assay.results.causes import of_record
from assay.suites.listing import NOT_TESTS, Listed, TestFile, imports_the_language, read_test_file, relative
from assay.suites.loading import Loaded, load_file
from assay.suites.sample import Sample
from assay.suites.unasked import unasked


class NotPassed(Exception):
    """A test that failed, or a trial that broke; the record has the details."""

    def __init__(self, record: TrialRecord) -> None:
        super().__init__(told(record) or "the test failed")
        self.record = record


class Assay:
    """The plugin in a pytest process in which a model was named."""

    def __init__(self, config: pytest.Config, argv: list[str]) -> None:
        self._config = config
        self.files: list[str] = []
        try:
            self.trials = Trials(argv, Path(config.invocation_params.dir))
        except AssayError as error:
            raise pytest.UsageError(f"assay: {error}") from None

    def pytest_report_header(self) -> str:
        config = self.trials.config
        return f"assay: {', '.join(map(one_line, self.trials.models))}; sandbox {config.sandbox}"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> Generator[None, list[Any], list[Any]]:
        """Keep our files from other collectors: pytest would import them and look for functions called
        test."""
        theirs = yield
        if file_path.suffix != ".py" or not _is_ours(file_path, parent.session.isinitpath(file_path)):
            return theirs
        return [AssayFile.from_parent(parent, path=file_path, trials=self.trials)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Complete the report: pytest lets an item explain only its call, and ours explains its setup."""
        report = yield
        if isinstance(item, AssayItem) and report.failed and call.excinfo is not None:
            report.longrepr = item.repr_failure(call.excinfo)
        elif isinstance(item, AssayItem) and isinstance(report.longrepr, tuple):  # skipped: file, line, why
            report.longrepr = (str(item.path), item.test.line, report.longrepr[2])
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.trials.close()
        self.files += [str(path) for path in self.trials.files]
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["assay_files"] = self.files

    def pytest_unconfigure(self) -> None:
        self.trials.close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        """A worker of pytest-xdist has ended."""
        self.files += getattr(node, "workeroutput", {}).get("assay_files", [])

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if text := unasked(self.trials.tests):  # no warning, which a project's settings may make an error
            terminalreporter.write_line(f"assay: {visible(text)}")
        for path in sorted(self.files):
            terminalreporter.write_line(f"assay: results in {path}")


def _is_ours(path: Path, named: bool) -> bool:
    """Whether a file has Assay tests. `named`: it was named on pytest's command line."""
    if path.name in NOT_TESTS or (path.name.startswith("_") and not named):
        return False
    if not imports_the_language(path):
        return False
    file = read_test_file(path)
    return bool(file.tests or file.computed or file.error)


class AssayFile(pytest.File):
    """A file with tests; its code runs when its first test does."""

    def __init__(self, *, trials: Trials, **more: Any) -> None:
        super().__init__(**more)
        self.trials = trials
        self._loaded: Loaded | None = None
        self._samples: list[Sample] = []

    def collect(self) -> Iterator[AssayItem]:
        file = read_test_file(self.path)
        if file.error:
            raise self.CollectError(visible(strip_terminal(file.error)))
        for test in _computed(self.load()) if file.computed or file.has_rows else file.tests:
            source = relative(self.path, self.trials.root.resolve())
            for model in self.trials.models:
                times = self.trials.times(model, test.id, source)
                for epoch in range(1, times + 1):
                    label = one_line(model) + (f"-epoch{epoch}" if times > 1 else "")
                    name = f"{test.variable}[{label}]"
                    # With the whole id pytest knows the text in the brackets, which --lf needs.
                    yield AssayItem.from_parent(
                        self, name=name, nodeid=f"{self.nodeid}::{name}", test=test, model=model, epoch=epoch
                    )

    def load(self) -> list[Sample]:
        """The file's tests. Raises TestFileError, naming file and line, if it cannot be imported."""
        if self._loaded is None:
            fingerprints = self.trials.fingerprints(self.path.parent)
            with ordinary_warnings():
                self._loaded = load_file(
                    TestFile(self.path), root=self.trials.root.resolve(), fingerprints=fingerprints
                )
                self._samples = list(self._loaded.every())
                for text in (*self._loaded.mistakes, *self._loaded.warnings):
                    self.warn(pytest.PytestWarning(visible(strip_terminal(text))))
            fingerprints.remember()
        if self._loaded.errors:
            raise TestFileError(self._loaded.errors[0])
        return self._samples

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:  # type: ignore[override]
        if isinstance(excinfo.value, AssayError):
            return visible(strip_terminal(str(excinfo.value)))
        return super().repr_failure(excinfo)


def _computed(samples: list[Sample]) -> Iterator[Listed]:
    for sample in samples:
        variable = sample.id.partition(".")[2]
        yield Listed(sample.id, variable, sample.source, 1, sample.description, sample.tags)


class AssayItem(pytest.Item):
    """One trial: a test, a model, an epoch. It runs as the item's setup, so that a trial without an answer is
    pytest's error, and only a judged answer is its failure."""

    def __init__(self, *, test: Listed, model: str, epoch: int, **more: Any) -> None:
        super().__init__(**more)
        self.test, self.model, self.epoch = test, model, epoch
        self.record: TrialRecord | None = None
        self.extra_keyword_matches.update(test.tags)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.test.line - 1, self.name

    def setup(self) -> None:
        file = self.parent
        assert isinstance(file, AssayFile)
        sample = next((each for each in file.load() if each.id == self.test.id), None)
        if sample is None:
            pytest.skip(f"{self.test.variable} is not a test: it is not made of nodes")
        try:
            record = file.trials.run(sample, self.model, self.epoch)
        except RunEnds as error:
            spent = str(error).partition(";")[0]
            self.session.shouldstop = f"assay: {spent}"
            raise RunEnds(f"{spent}; this session makes no more calls") from None
        self.record = record
        self._tell(record)
        if record.outcome is Outcome.SKIPPED:
            pytest.skip(visible(strip_terminal(record.error)))
        if record.outcome is Outcome.ERROR:
            raise NotPassed(record)

    def runtest(self) -> None:
        if self.record is not None and self.record.outcome is not Outcome.PASS:
            raise NotPassed(self.record)

    def _steps(self, record: TrialRecord) -> ExceptionChainRepr:
        """What pytest shows of a failure: the steps, and one line of them in summaries and --junitxml."""
        lines = [*lines_of(record.reason)] if record.reason else []
        short = one_line(told(record), 300) or "failed"
        lines += [line for line in (why_line(record), outcome_line(record)) if line is not None]
        steps = ReprEntryNative([f"{line.text}\n" for line in lines])
        where = ReprFileLocation(str(self.path), self.test.line, short)
        return ExceptionChainRepr([(ReprTraceback([steps], None, "native"), where, None)])

    def _tell(self, record: TrialRecord) -> None:
        """Add properties for --junitxml and other reports."""
        facts = {
            "model": record.model,
            "epoch": record.epoch,
            "outcome": record.outcome.value,
            "cause": of_record(record).cause,
            "score": record.score,
            "cost": record.cost,
            "sandbox": record.sandbox,
        }
        self.user_properties += [(f"assay_{name}", _plain(value)) for name, value in facts.items()]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The steps of the trial, as run_test prints them, without terminal escapes."""
        error = excinfo.value
        if isinstance(error, NotPassed):
            return self._steps(error.record)
        if isinstance(error, AssayError):
            return visible(strip_terminal(str(error)))
        return super().repr_failure(excinfo, style)


def _plain(value: Any) -> str:
    return one_line(str(value)) if value is not None else ""
