"""The payments of a run, call by call, in a file beside the run's; correct also after kill -9.

One JSON line for each call that was not answered from the cache: [model, input, output, reasoning tokens, US
dollars or null]. It is written when the reply arrives, so a kill loses only the calls in flight.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakValueDictionary

from assay.records import Completion, Usage
from assay.results.serialize import cost_from_json, count_from_json
from assay.results.untrusted_files import LARGEST, content, regular


@dataclass(frozen=True)
class Spent:
    """A sum of paid calls. `cost`: of those whose price is known; `unknown`: the number of the others."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    unknown: int = 0


class Spending:
    """The file of one run. It never stops a run: a full disk costs the account, not the trials."""

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self.path = path
        self._file = -1
        self._torn = False  # whether the file ends in the middle of a line, as on a full disk
        self._noted: WeakValueDictionary[int, Completion] = WeakValueDictionary()
        if fresh:
            path.unlink(missing_ok=True)

    def total(self) -> Spent:
        """Everything paid so far, by any process."""
        calls, usage, cost, unknown = 0, Usage(), 0.0, 0
        with contextlib.suppress(OSError):
            for line in content(self.path, LARGEST).splitlines():
                with contextlib.suppress(ValueError, TypeError):  # an incomplete line
                    _, given, taken, thought, dollars = json.loads(line)
                    usage += Usage(*map(count_from_json, (given, taken, thought)))
                    calls += 1
                    paid = cost_from_json(dollars)
                    cost += paid or 0.0
                    unknown += paid is None
        return Spent(calls, usage, cost, unknown)

    def add(self, model: str, completion: Completion) -> None:
        """Note a reply. One from the cache, or of a free model, is not a payment. A reply given again to a
        restarted trial (assay.running.trial_retry) was paid once."""
        usage = completion.usage
        if self._noted.get(id(completion)) is completion:
            return
        self._noted[id(completion)] = completion
        if completion.cached or not (usage.input_tokens or usage.output_tokens or completion.cost):
            return
        numbers = (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens)
        line = json.dumps([model, *numbers, completion.cost]).encode() + b"\n"
        with contextlib.suppress(OSError):
            if self._file < 0:
                self._file = regular(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
                size = os.fstat(self._file).st_size
                self._torn = bool(size) and os.pread(self._file, 1, size - 1) != b"\n"
            if self._torn:
                line = b"\n" + line
            self._torn = True
            self._torn = os.write(self._file, line) < len(line)

    def close(self) -> None:
        """May be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
