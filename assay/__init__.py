"""Tests of language models as expressions, run from Python: `assay.run(test, models="openai/gpt-4o")`.

Every node of the language is a name here. A name is imported when it is first used: `import assay` costs
next to nothing. __init__.pyi tells type checkers the same.
"""

__version__ = "0.1.0"

_WHERE = {
    "assay.suites.rows": "Rows",
    "assay.api": "Results Comparison compare load rescore run run_async",
    "assay.language.agents.agent_run": "AgentRun",
    "assay.language.agents.browser": "Browser",
    "assay.language.agents.files": "EditFile ReadFile",
    "assay.language.agents.mcp": "Mcp",
    "assay.language.agents.programs": "Python Shell",
    "assay.language.asked_judge": "Judge",
    "assay.language.browser": "SeleniumDraw",
    "assay.language.control": "Echo UntilDone",
    "assay.language.dsl": (
        "AndNode Branch Conversation Node NoOutput NotNode OrNode Reason StringNode ThenNode"
    ),
    "assay.language.extract": "ExtractCode ExtractJSON",
    "assay.language.files": "Files MakeFile MakeFilesFromJSON",
    "assay.language.functions": "PyEvaluator PyFunc Setup",
    "assay.language.interactive": "SendStdoutReceiveStdin StartDockerJob",
    "assay.language.judge": (
        "ContainsIntEvaluator EqualEvaluator JSONSubsetEvaluator RegexEvaluator SubstringEvaluator"
    ),
    "assay.language.make_tests": "make_c_test make_python_test",
    "assay.models.function_model": "model",
    "assay.language.bridge.agent_command": "AgentCommand",
    "assay.language.models": "LLMConversation LLMRun LLMVisionRun",
    "assay.language.oldstyle": "Env",
    "assay.language.pictures": "Image",
    "assay.language.run": (
        "BashRun ClojureRun CppRun CRun GoRun JavaRun JavaScriptRun LanguageRun PythonRun "
        "RustRun SQLRun TerminalRun TypeScriptRun"
    ),
    "assay.language.tool_calls": "ToolCallEvaluator",
    "assay.language.tools": "tool",
    "assay.records": "EVAL_LLM LLM VISION_EVAL_LLM Block Score",
    "assay.turns": "Call Script Turn",
    "assay.errors": "AssayError",
}
_MODULES = {name: module for module, names in _WHERE.items() for name in names.split()}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
