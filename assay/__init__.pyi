"""What `assay/__init__.py` imports when a name is first used."""

from assay.api import (
    Comparison as Comparison,
)
from assay.api import (
    Results as Results,
)
from assay.api import (
    compare as compare,
)
from assay.api import (
    load as load,
)
from assay.api import (
    rescore as rescore,
)
from assay.api import (
    run as run,
)
from assay.api import (
    run_async as run_async,
)
from assay.errors import (
    AssayError as AssayError,
)
from assay.language.agents.agent_run import (
    AgentRun as AgentRun,
)
from assay.language.agents.browser import (
    Browser as Browser,
)
from assay.language.agents.files import (
    EditFile as EditFile,
)
from assay.language.agents.files import (
    ReadFile as ReadFile,
)
from assay.language.agents.mcp import (
    Mcp as Mcp,
)
from assay.language.agents.programs import (
    Python as Python,
)
from assay.language.agents.programs import (
    Shell as Shell,
)
from assay.language.asked_judge import (
    Judge as Judge,
)
from assay.language.bridge.agent_command import (
    AgentCommand as AgentCommand,
)
from assay.language.browser import (
    SeleniumDraw as SeleniumDraw,
)
from assay.language.control import (
    Echo as Echo,
)
from assay.language.control import (
    UntilDone as UntilDone,
)
from assay.language.dsl import (
    AndNode as AndNode,
)
from assay.language.dsl import (
    Branch as Branch,
)
from assay.language.dsl import (
    Conversation as Conversation,
)
from assay.language.dsl import (
    Node as Node,
)
from assay.language.dsl import (
    NoOutput as NoOutput,
)
from assay.language.dsl import (
    NotNode as NotNode,
)
from assay.language.dsl import (
    OrNode as OrNode,
)
from assay.language.dsl import (
    Reason as Reason,
)
from assay.language.dsl import (
    StringNode as StringNode,
)
from assay.language.dsl import (
    ThenNode as ThenNode,
)
from assay.language.extract import (
    ExtractCode as ExtractCode,
)
from assay.language.extract import (
    ExtractJSON as ExtractJSON,
)
from assay.language.files import (
    Files as Files,
)
from assay.language.files import (
    MakeFile as MakeFile,
)
from assay.language.files import (
    MakeFilesFromJSON as MakeFilesFromJSON,
)
from assay.language.functions import (
    PyEvaluator as PyEvaluator,
)
from assay.language.functions import (
    PyFunc as PyFunc,
)
from assay.language.functions import (
    Setup as Setup,
)
from assay.language.interactive import (
    SendStdoutReceiveStdin as SendStdoutReceiveStdin,
)
from assay.language.interactive import (
    StartDockerJob as StartDockerJob,
)
from assay.language.judge import (
    ContainsIntEvaluator as ContainsIntEvaluator,
)
from assay.language.judge import (
    EqualEvaluator as EqualEvaluator,
)
from assay.language.judge import (
    JSONSubsetEvaluator as JSONSubsetEvaluator,
)
from assay.language.judge import (
    RegexEvaluator as RegexEvaluator,
)
from assay.language.judge import (
    SubstringEvaluator as SubstringEvaluator,
)
from assay.language.make_tests import (
    make_c_test as make_c_test,
)
from assay.language.make_tests import (
    make_python_test as make_python_test,
)
from assay.language.models import (
    LLMConversation as LLMConversation,
)
from assay.language.models import (
    LLMRun as LLMRun,
)
from assay.language.models import (
    LLMVisionRun as LLMVisionRun,
)
from assay.language.oldstyle import (
    Env as Env,
)
from assay.language.pictures import (
    Image as Image,
)
from assay.language.run import (
    BashRun as BashRun,
)
from assay.language.run import (
    ClojureRun as ClojureRun,
)
from assay.language.run import (
    CppRun as CppRun,
)
from assay.language.run import (
    CRun as CRun,
)
from assay.language.run import (
    GoRun as GoRun,
)
from assay.language.run import (
    JavaRun as JavaRun,
)
from assay.language.run import (
    JavaScriptRun as JavaScriptRun,
)
from assay.language.run import (
    LanguageRun as LanguageRun,
)
from assay.language.run import (
    PythonRun as PythonRun,
)
from assay.language.run import (
    RustRun as RustRun,
)
from assay.language.run import (
    SQLRun as SQLRun,
)
from assay.language.run import (
    TerminalRun as TerminalRun,
)
from assay.language.run import (
    TypeScriptRun as TypeScriptRun,
)
from assay.language.tool_calls import (
    ToolCallEvaluator as ToolCallEvaluator,
)
from assay.language.tools import (
    tool as tool,
)
from assay.models.function_model import (
    model as model,
)
from assay.records import (
    EVAL_LLM as EVAL_LLM,
)
from assay.records import (
    LLM as LLM,
)
from assay.records import (
    VISION_EVAL_LLM as VISION_EVAL_LLM,
)
from assay.records import (
    Block as Block,
)
from assay.records import (
    Score as Score,
)
from assay.suites.rows import (
    Rows as Rows,
)
from assay.turns import (
    Call as Call,
)
from assay.turns import (
    Script as Script,
)
from assay.turns import (
    Turn as Turn,
)

__version__: str
