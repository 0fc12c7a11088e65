"""What a test file imports: `from evaluator import *`.

See docs/writing-tests.md for every name with an example.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import time

from assay.nodes.control import Echo, UntilDone
from assay.nodes.dsl import (
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
from assay.nodes.extract import ExtractCode, ExtractJSON
from assay.nodes.files import MakeFile, MakeFilesFromJSON
from assay.nodes.functions import PyEvaluator, PyFunc, Setup
from assay.nodes.interactive import SendStdoutReceiveStdin, StartDockerJob
from assay.nodes.judge import (
    ContainsIntEvaluator,
    EqualEvaluator,
    JSONSubsetEvaluator,
    RegexEvaluator,
    SubstringEvaluator,
)
from assay.nodes.models import LLMConversation, LLMRun, LLMVisionRun
from assay.nodes.oldstyle import Env
from assay.nodes.run import (
    BashRun,
    ClojureRun,
    CppRun,
    CRun,
    JavaRun,
    JavaScriptRun,
    PythonRun,
    RustRun,
    SQLRun,
    TerminalRun,
)
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, Block, Score

PYTHON_ENV = "python3"  # the command that runs Python inside the sandbox
