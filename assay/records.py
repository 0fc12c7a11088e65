"""Plain data that crosses module boundaries, and the two protocols. Below it are assay.dialogue, assay.limits
and assay.model_roles, whose names are here too."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, Unpack, cast, get_args

from assay.dialogue import Completion as Completion
from assay.dialogue import JsonMode as JsonMode
from assay.dialogue import Message as Message
from assay.dialogue import Role as Role
from assay.dialogue import Schema as Schema
from assay.dialogue import Tool as Tool
from assay.dialogue import ToolCall as ToolCall
from assay.dialogue import Usage as Usage
from assay.limits import Container as Container
from assay.limits import Layer as Layer
from assay.limits import Limits as Limits
from assay.limits import Standby as Standby
from assay.model_roles import EVAL_LLM as EVAL_LLM
from assay.model_roles import LLM as LLM
from assay.model_roles import VISION_EVAL_LLM as VISION_EVAL_LLM

# ---------------------------------------------------------------- models


@dataclass(frozen=True, slots=True)
class TrialKey:
    """Which trial of a model it is, or a call belongs to. `source`: path of the test file, '' if there is
    none; it is no part of the identity, since files move."""

    test: str
    epoch: int = 1
    suite: str = ""
    source: str = field(default="", compare=False)


class Model(Protocol):
    """A model under test or a judge. `name` is what the user wrote, e.g. openai/gpt-4o."""

    @property
    def name(self) -> str: ...

    def for_trial(self, trial: TrialKey) -> Model:
        """The same model, bound to one trial: the epoch is part of the cache key, and the oracle chooses its
        replies by the trial."""

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        """Answer a dialogue. `json` asks for JSON: True for JSON mode, a Schema for that form if the provider
        supports it, or else JSON mode. `tools`: those that it may call; a model that is never given any
        needs no such parameter. Raises ProviderError."""


def with_parameters(model: Model, parameters: Mapping[str, Any]) -> Model:
    """The model with these parameters over its own (temperature, max_tokens, system_prompt ...), by its
    method `with_parameters`. A model without that method is returned as it is: its replies do not depend on
    parameters (oracle, replay)."""
    own = getattr(model, "with_parameters", None) if parameters else None
    return model if own is None else cast(Model, own(parameters))


@dataclass(frozen=True)
class Traits:
    """How a model differs from one that a provider serves, declared as its attribute `traits`.

    `free`: no call costs money or tokens, so nothing is estimated. `replays`: its replies are known
    beforehand, so a call takes no time and is not cached. `interactive`: a person answers on the terminal,
    one question at a time. `self_judged`: it also replies as the judge of its own trials, so these prove the
    tests and do not measure a model; a method `variants(trial) -> int` may say how many trials of a test
    there are then, 0 for none.
    """

    free: bool = False
    replays: bool = False
    interactive: bool = False
    self_judged: bool = False


def traits_of(model: Model) -> Traits:
    """What `model` declares."""
    found: Traits = getattr(model, "traits", Traits())
    return found


# ---------------------------------------------------------------- pictures

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
IMAGE_SIGNATURES = ((PNG_SIGNATURE, "png"), (b"\xff\xd8\xff", "jpg"), (b"GIF8", "gif"), (b"BM", "bmp"))
# Of those that providers and browsers show
IMAGE_TYPES = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}


def image_suffix(data: bytes) -> str:
    """What the name of a picture's file ends in (png, jpg, gif, webp, bmp), by its first bytes; else nothing.

    >>> image_suffix(b"GIF89a..."), image_suffix(b"<svg>")
    ('gif', '')
    """
    for signature, suffix in IMAGE_SIGNATURES:
        if data.startswith(signature):
            return suffix
    return "webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


# ---------------------------------------------------------------- sandboxes

CROWDED = re.compile(r"\[killed: more than \d+ processes\]\n\Z")  # how the sandbox's agent ends stderr

OUTPUT_TAIL = 1 << 16  # bytes that are kept of the end of an output over the cap (half of it, if it is less)


@dataclass(frozen=True)
class ExecResult:
    """What a command did. A non-zero exit, a time-out or a memory kill is a result, not an error."""

    stdout: bytes
    stderr: bytes
    returncode: int | None  # negative: killed by that signal; None: killed at its deadline
    timed_out: bool = False
    truncated: bool = False  # of output over the cap only the head and the last OUTPUT_TAIL bytes are here
    out_of_memory: bool = False
    seconds: float = 0.0
    waited_seconds: float = 0.0  # of these, for a core that others had: the time limit does not count them
    cpu_seconds: float = 0.0
    max_rss: int = 0  # bytes, of the largest single process
    time_limit_s: float = 0.0
    queued_seconds: float = 0.0  # before it began, until a core was free; no part of `seconds`
    from_cache: bool = False  # a compile that was done before: its figures are of then

    @property
    def texts(self) -> tuple[str, str]:
        """stdout and stderr as text: what the command printed, and nothing else."""
        stderr = self.stderr.decode("utf-8", errors="replace")
        return self.stdout.decode("utf-8", errors="replace"), CROWDED.sub("", stderr)

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages of Assay about how the command ended, for people and models to read, not to judge."""
        notes = []
        if self.truncated:
            notes.append("[output cut: too long; its middle is left out]")
        if self.out_of_memory:
            notes.append("[killed: memory limit reached]")
        if self.timed_out:
            notes.append(f"[killed: time limit of {self.time_limit_s:g} s reached]")
        if crowded := CROWDED.search(self.stderr[-100:].decode("utf-8", errors="replace")):
            notes.append(crowded[0].rstrip())
        return tuple(notes)

    @property
    def output(self) -> str:
        """stdout, stderr and the notes, each starting on a new line: to show, not to judge."""
        return joined(joined(*self.texts), "\n".join(self.notes))


def joined(first: str, second: str) -> str:
    """One text after the other, on a new line.

    >>> joined("4", "2 warnings"), joined("", "x"), joined("4\\n", "x")
    ('4\\n2 warnings', 'x', '4\\nx')
    """
    return f"{first}\n{second}" if first and second and not first.endswith("\n") else first + second


@dataclass(frozen=True)
class TerminalOutput:
    """What an interactive program printed. Exactly one of the flags says why reading stopped."""

    data: bytes
    matched: bool = False  # the end-of-output string was seen
    ended: bool = False  # the program ended
    timed_out: bool = False
    waited_seconds: float = 0.0  # for a core that others had, while it was read

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", errors="replace")


class Terminal(Protocol):
    """An interactive program on a terminal inside a sandbox."""

    async def send(self, data: bytes) -> None:
        """Type `data`. Sending to a program that has ended is ignored."""

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        """Read until `marker` is seen, the program ends, or the limit; an empty marker waits for the end."""

    async def close(self) -> None: ...


class Build(Protocol):
    """`Sandbox.run` for a command that only compiles `files`."""

    async def __call__(
        self, argv: Sequence[str], *, files: Mapping[str, bytes], time_limit_s: float
    ) -> ExecResult: ...


class RunOptions(TypedDict, total=False):
    """What `Sandbox.run` may be given beside the command: `files` (paths relative to the work directory, each
    with its content as bytes), `stdin` (bytes), `time_limit_s` (20 unless it is given) and `env` (a dict of
    texts)."""

    files: Mapping[str, bytes]
    stdin: bytes
    time_limit_s: float
    env: Mapping[str, str]


class Sandbox(Protocol):
    """One disposable machine, owned by one trial. Its working directory is /usr/src/app.

    One that knows what was compiled before has a `build` (see `builder`).
    """

    @property
    def tier(self) -> str:
        """Where code runs, for the record: e.g. 'podman', 'bubblewrap+image', 'bubblewrap+host'."""

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        """Write `files` (a dict of bytes, by paths relative to the work directory), then run `argv` there
        to its end. The other `options` are those of RunOptions: `stdin` (bytes), `time_limit_s` and `env`.

        Every process that the command leaves behind is killed, except programs begun by `start`.
        Raises SandboxError when the sandbox itself broke; NodeError for a file name that
        escapes the work directory.
        """

    async def start(
        self,
        argv: Sequence[str],
        *,
        files: Mapping[str, bytes] = {},
        env: Mapping[str, str] = {},
    ) -> Terminal:
        """Start an interactive program on a terminal (80x24, no echo)."""

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        """A regular file's content. Raises FileNotFoundError, or NodeError for links, FIFOs,
        directories and files over `max_bytes`."""

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        """The work directory and HOME, or what `only` names in the former, as bytes that `unpack` of
        another sandbox takes. Raises NodeError for what is too much, and for a name that leaves
        the work directory."""

    async def unpack(self, data: bytes) -> None:
        """Put what `pack` gave there: folders, files, links, with their modes and times."""

    async def close(self) -> None:
        """Kill everything inside and remove it. Never raises; may be called twice."""


def builder(sandbox: Sandbox) -> Build:
    """What to call to compile in a sandbox: its `build`, which may reuse an earlier result for the same
    files, or else its `run`."""
    found: Build = getattr(sandbox, "build", sandbox.run)
    return found


# ---------------------------------------------------------------- explanations and results


class Outcome(enum.StrEnum):
    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"  # provider, sandbox or judge broke: never counted as wrong, retried on resume
    SKIPPED = "skipped"  # the sandbox lacks a requirement


VERDICTS = (Outcome.PASS, Outcome.FAIL)


class Cause(enum.StrEnum):
    """Why a trial is a FAIL or an ERROR; the values are shown to people. The last five are only for an ERROR,
    which does not judge the model; TIMED_OUT is also for the time limit of the trial."""

    WRONG = "wrong"  # an answer that was judged, and is not the right one
    CUT_OFF = "cut off"  # the reply ends at a limit: max_tokens, or the model's context
    REFUSED = "refused"  # the model declined to answer
    FILTERED = "filtered"  # the provider's filter kept the answer back
    NO_CODE = "no code"  # nothing in the reply that the test could take: empty, no code, no JSON
    NO_CALL = "no tool call"  # where the test gives tools, and the reply is to call one
    BROKEN_CALL = "broken tool call"  # whose arguments are not a JSON object
    DOES_NOT_BUILD = "does not build"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    OUTPUT_CUT = "output cut"  # the program printed more than is kept
    JUDGE = "judge said no"
    RAISED = "function raised"  # the test's, on what the model gave; not an assertion
    OUT_OF_TURNS = "out of turns"  # an agent, at a limit of its step
    OUT_OF_TOKENS = "out of tokens"
    OUT_OF_MONEY = "out of money"
    OUT_OF_TIME = "out of time"
    TOOL_CALL = "called a tool"  # instead of answering, a tool that it does not have
    NO_VERDICT = "judge gave no verdict"  # that can be read, or refused to
    PROVIDER = "provider"
    NOT_RECORDED = "not recorded"  # the question, of a saved trial that is judged again
    SANDBOX = "sandbox"
    GRADER = "grader"  # a mistake in the test


class TurnCost(NamedTuple):
    """What one turn of an agent took. `cost` in US dollars, None if no price is known; seconds of the model's
    reply and of the calls that it asked for."""

    input_tokens: int
    output_tokens: int
    cost: float | None
    reply_seconds: float
    call_seconds: float


BlockKind = Literal["text", "code", "chat", "image", "verdict", "group"]
BLOCK_KINDS = get_args(BlockKind)


@dataclass(frozen=True)
class Block:
    """One piece of an explanation. The report knows these kinds and no node class.

    text: title, body. code: also language. chat: role, body (markdown). image: data in memory,
    `file` once stored (name of a content-addressed file). verdict: passed, body says why.
    group: title, children; `folded`: a reader sees the title, and the children when they open it. `spent`:
    of a turn of an agent. `role` is "end" of the text that says how an agent ended, "changes" of the group
    with the files that it changed, and "files" of one with files that the test gives.

    `cause` (a Cause) marks the block that tells what went wrong: its body, or the title if it has none, is
    the sentence with the deciding fact. Of several on the way to a FAIL the first after the model's last
    reply counts.
    """

    kind: BlockKind
    title: str = ""
    body: str = ""
    language: str = ""
    role: str = ""
    passed: bool | None = None
    data: bytes = b""
    file: str = ""
    children: tuple[Block, ...] = ()
    cause: str = ""
    folded: bool = False
    spent: TurnCost | None = None

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for what no record could be made of, or read again."""
        if self.kind not in BLOCK_KINDS:
            raise ValueError(f"Block: the kind {self.kind!r:.40} must be one of {', '.join(BLOCK_KINDS)}")
        for name in ("title", "body"):
            if not isinstance(text := getattr(self, name), str):
                raise TypeError(f"Block: its {name} must be a text, not {text!r:.60}; write str(...)")


@dataclass(frozen=True)
class Score:
    """A numeric verdict. It is truthy when `passed`, so it can be used wherever a bool can.

    `value`: the trial's score, from 0, the worst, to 1, unless the suite declares another scale; None if the
    verdict is only passed or not, and only the metrics count. `share`: `value` is from 0 to 1 whatever the
    suite declares. `metrics`: numbers to average and compare. `extra`: a suite's own facts, as JSON values;
    the record keeps them, and only the suite reads them.
    """

    value: float | None
    passed: bool
    metrics: Mapping[str, float] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    share: bool = field(default=False, compare=False)

    def __bool__(self) -> bool:
        return self.passed


@dataclass(frozen=True)
class Reply:
    """One call of a trial, kept so that the trial can be judged again without a model. `asked`: a hash of the
    dialogue (assay.results.replies); `text`: None if it was too long to keep."""

    role: str
    asked: str
    text: str | None
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    finish_reason: str = ""
    calls: tuple[ToolCall, ...] = ()  # of tools
    by_batch: bool = False


NOTEBOOK = "notebook"  # in the place of the file, in the name of a test that is in none
FROM_PYTHON = "tests"  # what their suite is called


class InSuite(Protocol):
    """A record, or a row of records of one test."""

    @property
    def suite(self) -> str: ...

    @property
    def test(self) -> str: ...

    @property
    def source(self) -> str: ...


def is_from_python(its: InSuite) -> bool:
    """Whether its test was an expression or rows given to `assay.run`, not one of a file."""
    return its.suite == "applied" and not its.source and its.test.startswith(f"{NOTEBOOK}.")


def suite_title(its: InSuite) -> str:
    """The suite's name as people see it, and by which --suite chooses results: "tests" for expressions and
    rows given to `assay.run`. Their records have the name of the applied suite, by which results saved
    earlier are found."""
    return FROM_PYTHON if is_from_python(its) else its.suite


@dataclass(frozen=True)
class TrialRecord:
    """One finished trial, as the store keeps it and the report reads it.

    Seconds are wall time: `model_seconds` waiting for models, `queue_seconds` waiting for a free connection,
    a sandbox or a turn, `sandbox_seconds` inside sandbox calls. Programs waited for a core for
    `waited_seconds` of these, and their time limits were extended by as much. `cost` is in US dollars, None
    if the price of any call is unknown.
    """

    test: str  # "print_hello.TestPrintHello"
    model: str
    epoch: int
    outcome: Outcome
    suite: str = "applied"
    score: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    error: str = ""  # why ERROR or SKIPPED
    reason: Block | None = None
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    calls: int = 0
    cached_calls: int = 0
    attempts: int = 0
    seconds: float = 0.0
    model_seconds: float = 0.0
    sandbox_seconds: float = 0.0
    queue_seconds: float = 0.0
    waited_seconds: float = 0.0
    sandbox: str = ""  # tier
    limits: str = ""  # limits profile
    started_at: str = ""  # ISO 8601, UTC
    commit: str = ""
    fingerprint: str = ""  # of the test, by what its author controls (assay.suites.fingerprint)
    # of what the test asks and checks, whatever its name; '' if unknown (assay.language.expression_hash)
    expression: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)  # role -> model name
    description: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""  # path of the test file, relative to the repository
    extra: Mapping[str, Any] = field(default_factory=dict)  # a suite's own fields
    conditions: Mapping[str, Any] = field(default_factory=dict)  # flags of the suite that change its meaning
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of the model: temperature and the like
    # of the model, as its server says: parameter_size ("8.0B"), quantization ("Q4_K_M"), context_length
    about: Mapping[str, Any] = field(default_factory=dict)
    replies: tuple[Reply, ...] = ()  # in the order of the calls
    # of a trial that was judged again: what it was before, whether that changed and why
    # (assay.rescoring.verdict_diff)
    rescored: Mapping[str, Any] = field(default_factory=dict)
    cause: str = ""  # of a FAIL or an ERROR: a Cause; '' in records older than it
    # one sentence with the deciding fact; of a PASS, how its program crashed or was stopped, if it was
    why: str = ""
    # told on reading, never stored: what became of a later try that ended in no verdict ("ERROR: no key")
    later: str = ""
    first_asked: str = ""  # told on reading without replies: the hash of the first one's question

    @property
    def question(self) -> str:
        """A hash of the first question that the model under test was asked (assay.results.replies); '' if it
        was asked none or this is unknown."""
        return self.first_asked or next((each.asked for each in self.replies if each.role == LLM), "")

    @property
    def answered_at(self) -> str:
        """When its replies were given: of a trial that was judged again, when the original one began."""
        return str(self.rescored.get("judged_at") or self.started_at)

    @property
    def working_seconds(self) -> float:
        """Wall time without the run's own queues: "time a trial" in reports."""
        return max(0.0, self.seconds - self.queue_seconds)

    @property
    def key(self) -> TrialKey:
        """Which trial of its model it is."""
        return TrialKey(self.test, self.epoch, self.suite, self.source)


Value = str | int | float | None


@dataclass(frozen=True)
class Cell:
    """A value in a table and how it looks. A bare value in a row is a cell with only that value.

    `value`: for sorting and for JSON, and shown unless `text` is given. `shade`: the cell's colour, from 0 to
    1 on the scales "rate" (bad to good) and "heat" (little to much), from -1 to 1 on "gap" (the other's
    advantage to one's own). `link`, in HTML: the name of a page of the same suite, (test, model) for the page
    of these trials, or an http address. `hover`: more text.
    """

    value: Value
    text: str = ""
    shade: float | None = None
    scale: Literal["rate", "heat", "gap"] = "rate"
    link: str | tuple[str, str] = ""
    hover: str = ""


@dataclass(frozen=True)
class Table:
    """A table that a suite computes from records, rendered in the terminal and as Markdown, JSON and HTML.

    `rows` hold strings, numbers, None ("-") or Cells. `note` is shown below the table. `align`: "left",
    "right", "center" or "" (numbers to the right, the rest to the left) for each column. `compact`: narrow
    columns of one width, as in a heat map. `sortable`: the reader of a page may sort the rows.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value | Cell, ...], ...]
    note: str = ""
    align: tuple[Literal["left", "right", "center", ""], ...] = ()
    compact: bool = False
    sortable: bool = True
