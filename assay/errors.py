"""
Every error this project raises on purpose.

* AssayError
  - ConfigError             a setting, a flag or a file must be changed by the user
    . TestFileError         a test file cannot be loaded; names file and line
  - ProviderError           a model API failed; the trial is an ERROR, never a wrong answer
    . Transient             worth another try (429, 5xx, time-out, disconnect, unreadable body)
    . Refused               the request itself is invalid (400, 401, 403, 404); retrying cannot help
    . JudgeError            a judge gave no verdict that can be read, or refused to
    . NotRecorded           a saved trial holds no reply to what today's test asks (--rescore)
    . RunEnds               nothing more can be asked in this run; it stops cleanly, --resume goes on
      + BudgetExceeded      --max-cost or --max-tokens reached
      + NobodyThere         nothing answers at the server's address, again and again
  - SandboxError            the sandbox, not the program inside it, failed
    . SandboxUnavailable    no sandbox can be had on this machine; says what to install
    . NodeLost              the machine that had the sandbox is gone; the trial is begun anew elsewhere
  - MissingRequirement      the sandbox lacks what the test needs; the trial is SKIPPED
    . MissingData           a file that the test needs is not here; says how to get it
  - NodeError               a node was given a value that it cannot use
    . ModelFault            what a model wrote, or its program left behind, cannot be worked with: a FAIL
  - GraderError             a mistake in the test: what its author wrote broke; never the model's failure
  - StoreError              results cannot be written (disk full, no permission); the run stops

A program that fails, times out or floods its output inside a sandbox is data
(`records.ExecResult`), not an error.
"""

from __future__ import annotations


class AssayError(Exception):
    """Base class: `except AssayError` separates our failures from bugs."""


class ConfigError(AssayError): ...


class TestFileError(ConfigError):
    __test__ = False  # the name starts with Test; pytest must not collect it


class ProviderError(AssayError): ...


class Transient(ProviderError):
    """A failure that may pass. `retry_after_s`: what the server asked for, in seconds."""

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Refused(ProviderError):
    """A request that cannot be met. `form`: it may be for the form that was wanted of the reply: a schema, or
    JSON mode."""

    def __init__(self, message: str, *, form: bool = False) -> None:
        super().__init__(message)
        self.form = form


class JudgeError(ProviderError): ...


class NotRecorded(ProviderError): ...


class RunEnds(ProviderError): ...


class BudgetExceeded(RunEnds): ...


class NobodyThere(RunEnds): ...


class SandboxError(AssayError): ...


class SandboxUnavailable(SandboxError): ...


class NodeLost(SandboxError): ...


class MissingRequirement(AssayError):
    """`missing`: the requirements that the sandbox lacks, as written in REQUIRES."""

    def __init__(self, missing: tuple[str, ...], sandbox: str) -> None:
        super().__init__(f"sandbox {sandbox} lacks {', '.join(missing)}; --doctor says what to do")
        self.missing = missing


class MissingData(MissingRequirement):
    """`what` is missing, and how to get it."""

    def __init__(self, what: str) -> None:
        AssayError.__init__(self, what)
        self.missing = (what,)


class NodeError(AssayError): ...


class ModelFault(NodeError):
    """The trial is a FAIL, for `cause` (a records.Cause): were it an ERROR, a model could have any failure
    of its own left uncounted, and paid for again by --resume."""

    def __init__(self, message: str, cause: str = "wrong") -> None:
        super().__init__(message)
        self.cause = cause


class GraderError(AssayError): ...


class StoreError(AssayError): ...
