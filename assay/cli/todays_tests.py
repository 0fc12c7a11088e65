"""The tests as they are now, for trials that were made when they may have been others."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.cli.choose import APPLIED, choose, conditions_of, test_folders
from assay.cli.listing import find_suite
from assay.cli.place import Place, say
from assay.cli.suite_flags import take_defaults
from assay.config import Config
from assay.errors import ConfigError, TestFileError
from assay.records import TrialRecord
from assay.suites.fingerprint import Fingerprints
from assay.suites.suite import Sample, Suite, blame, load_tests


class TodaysTests:
    """Finds the sample that a record is of, under the conditions that the record was made under.

    A suite's flags that are given on the command line come before the record's conditions, these before
    config.json's. `wanted`: ids of the applied suite that may be asked for; no other file is imported.
    """

    def __init__(self, options: argparse.Namespace, config: Config, place: Place, wanted: Iterable[str]):
        self._options, self._config, self._place = options, config, place
        self._wanted = set(wanted)
        self._suites: dict[str, Suite | None] = {}
        self._samples: dict[tuple[str, str], dict[str, Sample]] = {}

    def sample(self, record: TrialRecord) -> Sample | None:
        """None if there is no such test any more. Raises TestFileError for a mistake in a suite."""
        if record.suite == APPLIED:
            return self._applied.get(record.test)
        suite = self.suite(record.suite)
        if suite is None:
            return None
        options = self._options_of(suite, record)
        with blame(suite.name, suite.folder):
            sample = suite.sample_for(record, options)
        if sample is None:
            key = (suite.name, json.dumps(dict(record.conditions), sort_keys=True, default=str))
            if key not in self._samples:
                with blame(suite.name, suite.folder):
                    self._samples[key] = {each.id: each for each in suite.samples(options)}
            sample = self._samples[key].get(record.test)
        conditions = conditions_of(suite, options)
        return sample if sample is None or not conditions else replace(sample, conditions=conditions)

    def suite(self, name: str) -> Suite | None:
        """The suite of that name, None if it is gone."""
        if name not in self._suites:
            try:
                self._suites[name] = find_suite(name, self._options, self._place.root)
            except TestFileError:
                raise
            except ConfigError as error:
                say(str(error))
                self._suites[name] = None
        return self._suites[name]

    @cached_property
    def _applied(self) -> dict[str, Sample]:
        options = argparse.Namespace(**{**vars(self._options), "test": [], "tag": [], "only_changed": None})
        cache = self._place.cache
        choice = choose(options, self._place.root, cache / "listing.json" if cache else None, strict=False)
        files = [file for file in choice.files if any(test.id in self._wanted for test in file.tests)]
        fingerprints = Fingerprints(
            self._place.root,
            test_folders(options, self._place.root),
            cache / "imports.json" if cache else None,
        )
        loaded = load_tests(
            files,
            root=self._place.root,
            wanted=lambda listed: listed.id in self._wanted,
            fingerprint=fingerprints,
        )
        stems = {each.partition(".")[0] for each in self._wanted}
        broken = [error for error in choice.errors if Path(error.partition(":")[0]).stem in stems]
        for error in (*broken, *loaded.errors):
            say(f"error: {error}")
        return {sample.id: sample for sample in loaded.samples}

    def _options_of(self, suite: Suite, record: TrialRecord) -> argparse.Namespace:
        """The suite's flags as they were when the record was made, as far as it tells."""
        parser = argparse.ArgumentParser(add_help=False)
        group = parser.add_argument_group(suite.name)
        with blame(suite.name, suite.folder):
            suite.flags(group)
        take_defaults(group, suite.name, self._config.suites.get(suite.name, {}))
        usual = vars(parser.parse_args([]))
        values: dict[str, Any] = {**vars(self._options), **usual, **record.conditions}
        if suite.name in self._options.suite:
            given = vars(self._options)
            values |= {name: given[name] for name, value in usual.items() if given.get(name, value) != value}
        return argparse.Namespace(**values)
