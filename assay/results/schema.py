"""The form of a line in a results file, as types: msgspec reads them, and the JSON Schema is made from them.

`python -m assay.results.schema` prints the schema in docs/results.schema.json. A new field with a default
leaves VERSION unchanged: older versions of Assay ignore it.
"""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from assay.records import Outcome, TurnCost

VERSION = 1
MOST = 10**15  # of any count
LONGEST_S = 1e10

Count = Annotated[int, Meta(ge=0, le=MOST)]
Seconds = Annotated[float, Meta(ge=0, le=LONGEST_S)]
# Another value is read as unknown, not refused: serialize.py checks these.
Dollars = Annotated[Any, Meta(extra_json_schema={"type": ["number", "null"], "minimum": 0, "maximum": MOST})]
Verdict = Annotated[Any, Meta(extra_json_schema={"type": ["boolean", "null"]})]
Kind = Literal["text", "code", "chat", "image", "verdict", "group"]
Words = Annotated[Any, Meta(extra_json_schema={"type": "string"})]


class Tokens(Struct, array_like=True, frozen=True):
    """Input, output and reasoning tokens, and of the input those read from the provider's cache, written to
    it, and written for an hour; the output includes the reasoning, the input includes the cache."""

    input_tokens: Count = 0
    output_tokens: Count = 0
    reasoning_tokens: Count = 0
    cached_tokens: Count = 0
    cache_write_tokens: Count = 0
    cache_write_1h_tokens: Count = 0


class Step(Struct, omit_defaults=True):
    """One piece of an explanation; a group has children, an image the name of a file in the images folder."""

    kind: Annotated[Kind, Meta(description="kind of the step")]
    title: Annotated[str, Meta(description="a heading")] = ""
    body: Annotated[str, Meta(description="the text; Markdown for chat")] = ""
    language: Annotated[str, Meta(description="language of code")] = ""
    role: Annotated[str, Meta(description="who speaks: system, user or assistant; or end, changes")] = ""
    passed: Annotated[Verdict, Meta(description="verdict of this step; null if not needed")] = None
    file: Annotated[str, Meta(description="of an image, or what an agent handed in: SHA-256 and suffix")] = ""
    children: Annotated[list[Step], Meta(description="steps of a group")] = []
    cause: Annotated[str, Meta(description="what went wrong, in the step that shows it")] = ""
    folded: Annotated[bool, Meta(description="a group that is shown as its title until it is opened")] = False
    spent: Annotated[TurnCost | None, Meta(description="what a turn of an agent took")] = None


class Calling(Struct, array_like=True, frozen=True):
    """Id, name and arguments (JSON) of a call of a tool."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class Said(Struct, omit_defaults=True):
    """One call of a model. Its reply is `text`, or the body of the `at`-th assistant's step (from 0); it has
    neither if it was too long to keep."""

    role: Annotated[str, Meta(description="llm, eval_llm or vision_eval_llm")]
    asked: Annotated[str, Meta(description="hash of the dialogue")]
    usage: Annotated[Tokens, Meta(description="tokens of the call")]
    cost: Annotated[Dollars, Meta(description="US dollars; null if unknown")] = None
    finish: Annotated[str, Meta(description="why the reply ended, in the provider's words")] = ""
    at: Annotated[int | None, Meta(description="which of the assistant's steps has the reply")] = None
    text: Annotated[str | None, Meta(description="the reply, if no step has it")] = None
    calls: Annotated[list[Calling], Meta(description="the tools that it calls")] = []
    batch: Annotated[bool, Meta(description="whether the reply came by a batch API")] = False


class Asked(Struct):
    """Who was asked what in a call, and how the reply ended."""

    role: Any = None
    asked: Any = None
    finish_reason: Any = msgspec.field(default="", name="finish")


class Head(Struct, kw_only=True):
    """A trial without its explanation and replies, which are most of a line."""

    v: Annotated[int, Meta(description="version of the schema")] = VERSION
    test: Annotated[str, Meta(description="file and name of the test: print_hello.TestPrintHello")]
    model: Annotated[str, Meta(description="the model under test, as the user wrote it")]
    epoch: Annotated[int, Meta(ge=-MOST, le=MOST, description="number of the trial of this test, from 1")]
    outcome: Annotated[Outcome, Meta(description="error and skipped say nothing about the model")]
    suite: Annotated[
        str,
        Meta(
            description="suite of the test; `applied` also if it was given from Python, which tables and "
            "`--suite` call `tests`"
        ),
    ] = "applied"
    usage: Annotated[Tokens, Meta(description="tokens of all calls, including the judges'")] = Tokens()
    cost: Annotated[Dollars, Meta(description="US dollars; null if a call's price is unknown")] = None
    score: Annotated[float | None, Meta(description="0, the worst, to 1, the best")] = None
    metrics: Annotated[
        dict[str, float | None], Meta(description="numbers of the suite; null: not a number")
    ] = {}
    error: Annotated[str, Meta(description="why the outcome is error or skipped")] = ""
    calls: Annotated[Count, Meta(description="calls of models")] = 0
    cached_calls: Annotated[Count, Meta(description="calls answered from the cache")] = 0
    attempts: Annotated[Count, Meta(description="requests sent, including retries")] = 0
    seconds: Annotated[Seconds, Meta(description="wall time of the whole trial")] = 0.0
    model_seconds: Annotated[Seconds, Meta(description="time spent waiting for models")] = 0.0
    sandbox_seconds: Annotated[Seconds, Meta(description="time spent in sandbox calls")] = 0.0
    queue_seconds: Annotated[
        Seconds, Meta(description="time spent waiting for a free connection, a sandbox or a turn")
    ] = 0.0
    waited_seconds: Annotated[Seconds, Meta(description="time that programs waited for a core")] = 0.0
    sandbox: Annotated[str, Meta(description="where code ran: podman, bubblewrap+image")] = ""
    limits: Annotated[str, Meta(description="name of the profile of limits, and the figures that differ")] = (
        ""
    )
    started_at: Annotated[str, Meta(description="ISO 8601, UTC")] = ""
    commit: Annotated[
        str, Meta(description="commit of the checkout that ran the trial; -dirty: with changes beside it")
    ] = ""
    fingerprint: Annotated[str, Meta(description="hash of what the test's author controls")] = ""
    expression: Annotated[str, Meta(description="hash of what the test asks and checks")] = ""
    versions: Annotated[dict[str, Words], Meta(description="of what took part; sandbox: inside it")] = {}
    judges: Annotated[dict[str, Words], Meta(description="role of each judge: its model")] = {}
    description: Annotated[str, Meta(description="description of the test")] = ""
    tags: Annotated[list[Words], Meta(description="tags of the test")] = []
    source: Annotated[
        str,
        Meta(
            description="path of the test file in the repository; of a suite's sample the file that it "
            "names, or else `suite.py`"
        ),
    ] = ""
    extra: Annotated[dict[str, Any], Meta(description="the suite's own facts")] = {}
    conditions: Annotated[dict[str, Any], Meta(description="flags that change what a verdict means")] = {}
    parameters: Annotated[dict[str, Any], Meta(description="of the model, such as temperature")] = {}
    about: Annotated[dict[str, Any], Meta(description="the model, as its server describes it")] = {}
    rescored: Annotated[dict[str, Any], Meta(description="of a rescored trial: what the original was")] = {}
    cause: Annotated[str, Meta(description="cause of a fail or an error")] = ""
    why: Annotated[str, Meta(description="the deciding fact, in a sentence")] = ""


class KeyLine(Struct):
    """What tells whether several lines are tries of the same trial, or of versions of a test."""

    test: str
    model: str
    epoch: int
    suite: str = "applied"
    fingerprint: str = ""
    conditions: dict[str, Any] = {}


class LightLine(Head, kw_only=True):
    """The facts of a line, without explanation. `later` is in no file: it is TrialRecord.later."""

    replies: list[Asked] = []
    later: str = ""


class TableLine(LightLine, kw_only=True):
    """A line as tables need it, with its explanation unparsed."""

    reason: Step | None = None


class Line(Head, kw_only=True):
    """One finished trial. Fields at their default are left out; readers ignore unknown ones."""

    reason: Annotated[Step | None, Meta(description="the explanation, step by step")] = None
    replies: Annotated[list[Said], Meta(description="every call, in order")] = []


def json_schema() -> dict[str, Any]:
    """The schema of one line (JSON Schema, draft 2020-12)."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of an Assay results file, version {VERSION}",
    }
    return head | msgspec.json.schema(Line)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
