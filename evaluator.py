"""What a test file imports: `from evaluator import *`.

docs/writing-tests.md has every name with an example. Importing this starts nothing and imports
neither a provider nor a sandbox; run_test fetches what it needs when it is called.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from assay.language.agents.agent_run import AgentRun
from assay.language.agents.browser import Browser
from assay.language.agents.files import EditFile, ReadFile
from assay.language.agents.mcp import Mcp
from assay.language.agents.programs import Python, Shell
from assay.language.asked_judge import Judge
from assay.language.bridge.agent_command import AgentCommand
from assay.language.browser import SeleniumDraw
from assay.language.control import Echo, UntilDone
from assay.language.dsl import (
    AndNode,
    Branch,
    Conversation,
    Node,
    NoOutput,
    NotNode,
    OrNode,
    Reason,
    StringNode,
    ThenNode,
)
from assay.language.extract import ExtractCode, ExtractJSON
from assay.language.files import Files, MakeFile, MakeFilesFromJSON
from assay.language.functions import PyEvaluator, PyFunc, Setup
from assay.language.interactive import SendStdoutReceiveStdin, StartDockerJob
from assay.language.judge import (
    ContainsIntEvaluator,
    EqualEvaluator,
    JSONSubsetEvaluator,
    RegexEvaluator,
    SubstringEvaluator,
)
from assay.language.make_tests import make_c_test, make_python_test
from assay.language.models import LLMConversation, LLMRun, LLMVisionRun
from assay.language.oldstyle import Env
from assay.language.pictures import Image
from assay.language.run import (
    BashRun,
    ClojureRun,
    CppRun,
    CRun,
    GoRun,
    JavaRun,
    JavaScriptRun,
    LanguageRun,
    PythonRun,
    RustRun,
    SQLRun,
    TerminalRun,
    TypeScriptRun,
)
from assay.language.tool_calls import ToolCallEvaluator
from assay.language.tools import tool
from assay.records import EVAL_LLM, LLM, NOTEBOOK, VISION_EVAL_LLM, Block, Score
from assay.suites.rows import Rows
from assay.turns import Call, Script, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.records import Model, TrialRecord
    from assay.suites.sample import Sample

PYTHON_ENV = "python3"  # the command that runs Python inside the sandbox

__all__ = [
    "EVAL_LLM",
    "LLM",
    "PYTHON_ENV",
    "VISION_EVAL_LLM",
    "AgentCommand",
    "AgentRun",
    "AndNode",
    "BashRun",
    "Block",
    "Branch",
    "Browser",
    "CRun",
    "Call",
    "ClojureRun",
    "ContainsIntEvaluator",
    "Conversation",
    "CppRun",
    "Echo",
    "EditFile",
    "Env",
    "EqualEvaluator",
    "ExtractCode",
    "ExtractJSON",
    "Files",
    "GoRun",
    "Image",
    "JSONSubsetEvaluator",
    "JavaRun",
    "JavaScriptRun",
    "Judge",
    "LLMConversation",
    "LLMRun",
    "LLMVisionRun",
    "LanguageRun",
    "Literal",
    "MakeFile",
    "MakeFilesFromJSON",
    "Mcp",
    "NoOutput",
    "Node",
    "NotNode",
    "OrNode",
    "PyEvaluator",
    "PyFunc",
    "Python",
    "PythonRun",
    "ReadFile",
    "Reason",
    "RegexEvaluator",
    "Rows",
    "RustRun",
    "SQLRun",
    "Score",
    "Script",
    "SeleniumDraw",
    "SendStdoutReceiveStdin",
    "Setup",
    "Shell",
    "StartDockerJob",
    "StringNode",
    "SubstringEvaluator",
    "TerminalRun",
    "ThenNode",
    "ToolCallEvaluator",
    "Turn",
    "TypeScriptRun",
    "UntilDone",
    "io",
    "json",
    "make_c_test",
    "make_python_test",
    "os",
    "random",
    "re",
    "run_test",
    "time",
    "tool",
]


def run_test(
    test: Node,
    model: str | Model | Callable[..., Any] | None = None,
    *,
    judge: str | Model | Callable[..., Any] | None = None,
    sandbox: str | None = None,
) -> bool:
    """Run one test once, print its steps, and tell whether it passed.

    The model and judge (by name, as an object, or a function of the dialogue) and the sandbox are those of
    config.json unless given here or, where the test
    file is run as a script, as --model, --judge and --sandbox. Works inside a running event
    loop too (Jupyter). Raises ConfigError when a setting must be changed; a script ends with it.
    """
    from assay.errors import AssayError
    from assay.home import home as home_folder
    from assay.running.event_loop import run_beside

    if not isinstance(test, Node):
        raise TypeError(f"run_test needs a test (nodes joined by >>), not {type(test).__name__}")
    caller = sys._getframe(1).f_globals
    is_script = caller.get("__name__") == "__main__" and "__file__" in caller
    if is_script:
        flags = _flags()
        model, judge, sandbox = model or flags.model, judge or flags.judge, sandbox or flags.sandbox
    name, home = _place(test, caller)
    root = home_folder()
    sample = _sample(test, name, home, root)
    try:
        record: TrialRecord = run_beside(lambda: _run(sample, root, model, judge, sandbox))
    except AssayError as error:
        if is_script:
            sys.exit(f"error: {error}")
        raise
    from assay.report.steps import print_steps

    print_steps(record)
    return record.outcome.value == "pass"


def _flags() -> Any:
    """The flags of a test file that runs as a script; what it does with others is its business."""
    import argparse
    import difflib

    from assay.home import program

    parser = argparse.ArgumentParser(
        description="Run this file's tests once and print their steps. "
        f"{program()} runs all tests of all files."
    )
    parser.add_argument(
        "--model", help="the model to test, e.g. openai/gpt-4o, or oracle (default: config.json)"
    )
    parser.add_argument("--judge", help="the model that judges, also of pictures (default: config.json)")
    parser.add_argument("--sandbox", help="where code runs (default: config.json, else the first that works)")
    flags, others = parser.parse_known_args()
    for flag in others:
        if near := difflib.get_close_matches(
            flag.partition("=")[0], ("--model", "--judge", "--sandbox"), 1, 0.7
        ):
            parser.error(f"unknown flag {flag}. Did you mean {near[0]}?")
    return flags


def _place(test: Node, caller: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The test's variable and the module that defines it: the caller, or one that was imported."""
    modules = [vars(module) for module in list(sys.modules.values()) if hasattr(module, "__file__")]
    found = [(name, home) for home in (caller, *modules) for name, value in home.items() if value is test]
    # a notebook that imports a test holds it as well, but only the test's own file has references
    found.sort(key=lambda pair: not pair[1].get("__file__"))
    return found[0] if found else ("test", caller)


def _sample(test: Node, name: str, home: dict[str, Any], root: Path) -> Sample:
    """The test as the engine wants it, with what its file says of it."""
    from assay.suites.sample import Sample

    source = Path(home["__file__"]).resolve() if home.get("__file__") else None
    stem = source.stem if source else NOTEBOOK
    if source is not None and source.is_relative_to(root):
        source = source.relative_to(root)
    return Sample(
        id=f"{stem}.{name}",
        test=test,
        source=str(source or ""),
        description=str(home.get("DESCRIPTION", "")),
        requires=tuple(home.get("REQUIRES", ())),
    )


async def _run(
    sample: Sample,
    root: Path,
    model: str | Model | Callable[..., Any] | None,
    judge: str | Model | Callable[..., Any] | None,
    sandbox: str | None,
) -> TrialRecord:
    """One trial, wired as the command line does it."""
    from assay.running.request import RunRequest
    from assay.running.session import Session
    from assay.running.trial import Planned
    from assay.running.wiring import name_of
    from assay.suites.selection import Selection

    own: dict[str, Model] = {}
    asked, judged_by = (name_of(each, own) if each is not None else None for each in (model, judge))
    request = RunRequest(selection=Selection(root), judge=judged_by, vision_judge=judged_by, sandbox=sandbox)
    async with Session(request, given=own) as session:
        await session.open_engine("", trials=1)
        return await session.trial(Planned(sample, 1), asked or session.config.model, unproven=True)
