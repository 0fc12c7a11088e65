"""
Every error this project raises on purpose.

* AssayError
  - ConfigError             a setting, a flag or a file must be changed by the user
    . TestFileError         a test file cannot be loaded; names file and line
  - ProviderError           a model API failed; the trial is an ERROR, never a wrong answer
    . Transient             worth another try (429, 5xx, time-out, disconnect, unreadable body)
    . Refused               the request itself is invalid (400, 401, 403, 404); retrying cannot help
    . NotRecorded           a saved trial holds no reply to what today's test asks (--rescore)
    . BudgetExceeded        --max-cost or --max-tokens reached; the run stops cleanly
  - SandboxError            the sandbox, not the program inside it, failed
    . SandboxUnavailable    no sandbox can be had on this machine; says what to install
    . NodeLost              the machine that had the sandbox is gone; the trial is begun anew elsewhere
  - MissingRequirement      the sandbox lacks what the test needs; the trial is SKIPPED
    . MissingData           a file that the test needs is not here; says how to get it
  - NodeError               a node was given a value that it cannot use
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


class Refused(ProviderError): ...


class NotRecorded(ProviderError): ...


class BudgetExceeded(ProviderError): ...


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


class StoreError(AssayError): ...
