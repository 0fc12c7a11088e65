"""
Every error this project raises on purpose.

* AssayError
  - ConfigError             the user must change a setting, a flag or a file
    . TestFileError         a test file cannot be loaded; names file and line
  - ProviderError           a model API failed; the trial is an ERROR, never a wrong answer
    . Transient             worth a retry (429, 5xx, time-out, disconnect, unreadable body)
    . Refused               the request itself is invalid (400, 401, 403, 404); a retry cannot help
    . JudgeError            a judge gave no readable verdict, or refused to give one
    . NotRecorded           a saved trial has no reply to what the current test asks (--rescore)
    . RunEnds               this run can ask nothing more; it stops cleanly, and --resume goes on
      + BudgetExceeded      --max-cost or --max-tokens is used up
      + NobodyThere         nothing answers at the server's address, several times in a row
      + Rejected            one call after another is refused for the key, the account or the model's name,
                            or meets a mistake in a package's provider
  - SandboxError            the sandbox, not the program inside it, failed
    . SandboxUnavailable    this machine has no working sandbox; says what to install
    . NodeLost              the machine of the sandbox is gone; the trial restarts on another one
    . SandboxMistake        a mistake in a package's sandbox (a ConfigError too); names method, file and line
  - MissingRequirement      the sandbox lacks what the test needs; the trial is SKIPPED
    . MissingData           a file that the test needs is missing; says how to get it
  - NodeError               a node got a value that it cannot use
    . NotANode              a class stands where a node must, as in "a question" >> LLMRun
    . ModelFault            a model, or its program, broke its own trial: a FAIL
  - GraderError             a mistake in the test: its author's code broke; never the model's failure
    . NoText                a step that reads a text got a value that has none, such as a set or a Completion
  - StoreError              results cannot be written (full disk, missing permission); the run stops

A program that fails, times out or floods its output inside a sandbox is data
(`records.ExecResult`), not an error.
"""

from __future__ import annotations

from collections.abc import Callable


class AssayError(Exception):
    """Base class: `except AssayError` separates our failures from bugs."""


class ConfigError(AssayError): ...


class TestFileError(ConfigError):
    __test__ = False  # the name starts with Test; pytest must not collect it


class ProviderError(AssayError): ...


class Transient(ProviderError):
    """A failure that a retry may mend. `retry_after_s`: the wait that the server asked for, in seconds."""

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Refused(ProviderError):
    """A request that the server refuses. `form`: perhaps because of the requested form of the reply (a
    schema, or JSON mode); `content`: because of what it says, not of its key, its account or the model's
    name; `too_long`: because the model cannot read so much of it; `always`: because of the key, the account
    or the model's name, so that another request would fare the same."""

    def __init__(
        self,
        message: str,
        *,
        form: bool = False,
        content: bool = False,
        too_long: bool = False,
        always: bool = False,
    ) -> None:
        super().__init__(message)
        self.form, self.content, self.too_long = form, content or too_long, too_long
        self.always = always


class JudgeError(ProviderError): ...


class NotRecorded(ProviderError): ...


class RunEnds(ProviderError): ...


class BudgetExceeded(RunEnds):
    """`says`: makes the message, because the calls in flight are still to be paid."""

    def __init__(self, says: str | Callable[[], str]) -> None:
        super().__init__(says)

    def __str__(self) -> str:
        (says,) = self.args
        return says if isinstance(says, str) else str(says())


class NobodyThere(RunEnds): ...


class Rejected(RunEnds):
    """`judge`: whether it is a judge that was refused."""

    def __init__(self, says: str, judge: bool = False) -> None:
        super().__init__(says)
        self.judge = judge


class SandboxError(AssayError): ...


class SandboxUnavailable(SandboxError): ...


class NodeLost(SandboxError): ...


class SandboxMistake(SandboxError, ConfigError): ...


class MissingRequirement(AssayError):
    """`missing`: the requirements that the sandbox lacks, as written in REQUIRES. `chosen_by`: the flag that
    chooses the sandbox."""

    def __init__(self, missing: tuple[str, ...], sandbox: str, chosen_by: str = "") -> None:
        doctor = f"doctor {chosen_by}".rstrip()
        super().__init__(
            f"sandbox {sandbox} lacks {', '.join(missing)}; the command {doctor} says what to do"
        )
        self.missing = missing


class MissingData(MissingRequirement):
    """`what`: what is missing, and how to get it."""

    def __init__(self, what: str) -> None:
        AssayError.__init__(self, what)
        self.missing = (what,)


class NodeError(AssayError): ...


class NotANode(NodeError):
    """`kind`: the class of nodes; `call`: what makes a node of it."""

    def __init__(self, kind: type, call: str) -> None:
        super().__init__(f"{kind.__name__} is a class, not a node: write {call}")
        self.kind = kind


class ModelFault(NodeError):
    """The trial is a FAIL with `cause` (a records.Cause). With an ERROR, a model could make any failure of
    its own uncounted, and --resume would pay for it again."""

    def __init__(self, message: str, cause: str = "wrong") -> None:
        super().__init__(message)
        self.cause = cause


class GraderError(AssayError): ...


class NoText(GraderError):
    """`value`: what came; `part`: what has no text, the value itself or something in it."""

    def __init__(self, value: object, part: object, said: str = "") -> None:
        super().__init__(said or f"{value!r:.60} has no text")
        self.value, self.part = value, part


class StoreError(AssayError): ...
