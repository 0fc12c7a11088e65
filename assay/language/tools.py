"""Tools of a test's author: a typed function with a docstring becomes what a model is told of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from assay.errors import NodeError
from assay.language.values import on_one_line
from assay.records import Block, Completion, Tool, ToolCall

Function = TypeVar("Function", bound=Callable[..., Any])

ONE_LINE = 100  # characters of arguments that are shown on one
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what every provider takes
SURROGATES = re.compile("[\ud800-\udfff]")
HEADING = re.compile(r"\s*(?:Args|Arguments|Parameters):\s*")
# "city: its name", "`city` (str): its name", ":param str city: its name", below "Args:" or not
DESCRIBED = re.compile(r"(\s*)(?:[-*] |:param (?:\S+ )?)?`{0,2}(\w+)`{0,2}(?: ?\([^)]*\))?: *(.*)")


def tool(function: Function) -> Function:
    """A function as a tool: `@tool` above its `def` finds what is missing when the test file is loaded.

    The function stays as it is. See `tool_of`.
    """
    tool_of(function)
    return function


def tool_of(made_from: Tool | Mapping[str, Any] | Callable[..., Any]) -> Tool:
    """What a model is told of a tool: a Tool as it is, a function, or a dict.

    A function needs a type for each parameter (str, int, float, bool, list, dict, Literal, Optional, a
    dataclass or TypedDict, and combinations) and a docstring, which is the tool's description; a line
    `parameter: text` in it describes that parameter. A dict has a name, a description and parameters (a JSON
    schema of an object), or these under "function", as OpenAI writes them. Raises NodeError.
    """
    if isinstance(made_from, Tool):
        return _named(made_from, "the tool")
    if isinstance(made_from, Mapping):
        return _of_dict(made_from)
    if isinstance(made_from, (type, str)):
        class_ = isinstance(made_from, type) and f"write {made_from.__name__}()"
        hint = class_ or "name it without quotes, as in tools=[Shell()]"
        raise NodeError(f"a tool is a function, a dict or an object, not {made_from!r:.100}: {hint}")
    if not isinstance(made_from, FunctionType):
        raise NodeError(f"a tool is a function written with def, a dict or a Tool, not {made_from!r:.100}")
    return _of_function(made_from)


def tools_of(given: Sequence[Tool | Mapping[str, Any] | Callable[..., Any]]) -> tuple[Tool, ...]:
    """`tool_of` of each. Raises NodeError if two have one name."""
    if given == ():  # as nearly always: each sample of a suite is made several times
        return ()
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
        raise NodeError(f"tools must be a list, e.g. tools=[get_weather], not {given!r:.100}")
    tools = tuple(map(tool_of, given))
    names = [each.name for each in tools]
    for name in names:
        if names.count(name) > 1:
            raise NodeError(f"two tools are called {name}")
    return tools


def arguments_for(function: Callable[..., Any], arguments: str) -> dict[str, Any]:
    """The arguments of a model's call (JSON) as the function takes them: dataclasses built, defaults left to
    the function. Raises ValueError with a sentence that tells the model what to write instead."""
    import msgspec

    given = read_arguments(arguments)
    types, parameters = _types(function), _parameters(function)
    if unknown := [name for name in given if name not in parameters]:
        raise ValueError(f"unknown argument {unknown[0]!r:.100}; known: {', '.join(parameters) or 'none'}")
    for name, parameter in parameters.items():
        if name not in given and parameter.default is parameter.empty:
            raise ValueError(f"argument {name!r} is missing")
    found = {}
    for name, value in given.items():
        try:
            found[name] = msgspec.convert(value, types[name])
        except (msgspec.ValidationError, RecursionError) as error:
            raise ValueError(f"argument {name!r}: {error}") from None
    return found


class Calling(str):
    """The text of a reply to tools, which may be empty, and what it calls."""

    calls: tuple[ToolCall, ...]
    tools: tuple[Tool, ...]

    def __new__(cls, reply: Completion, tools: tuple[Tool, ...]) -> Calling:
        made = super().__new__(cls, reply.text)
        made.calls, made.tools = reply.calls, tools
        return made

    def __bool__(self) -> bool:
        return bool(self.calls) or len(self) > 0

    def defaults(self, name: str) -> dict[str, Any]:
        """What the arguments of a tool are where a call leaves them out."""
        properties = self._form(name).get("properties", {})
        forms_of = {each: form for each, form in properties.items() if isinstance(form, dict)}
        return {each: form["default"] for each, form in forms_of.items() if "default" in form}

    def optional(self, name: str) -> set[str]:
        """The arguments of a tool that a call may leave out, so that null is as good as none."""
        form = self._form(name)
        return set(form.get("properties", {})) - set(form.get("required", ()))

    def _form(self, name: str) -> dict[str, Any]:
        forms = [json.loads(each.parameters) for each in self.tools if each.name == name]
        return forms[0] if forms else {}


def offer_block(tools: Sequence[Tool]) -> Block:
    """Tools as a report shows them."""
    lines = (f"{each.name}: {on_one_line(each.description)}" for each in tools)
    return Block("text", "tools offered", "\n".join(lines))


def call_blocks(calls: Sequence[ToolCall]) -> tuple[Block, ...]:
    """Calls as a report shows them."""
    return tuple(
        Block("code", f"called {on_one_line(call.name, 80)}", _indented(call.arguments), language="json")
        for call in calls
    )


def _indented(arguments: str) -> str:
    try:
        given = read_arguments(arguments)
        line = json.dumps(given, ensure_ascii=False)
        if len(line) <= ONE_LINE:
            return line
        # not deeper: of what nests deeply, the indentation alone would be quadratic
        lines = (
            f"  {json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}" for name, each in given.items()
        )
        return "{\n" + ",\n".join(lines) + "\n}"
    except (ValueError, RecursionError):
        return arguments


def read_arguments(arguments: str) -> dict[str, Any]:
    """The arguments of a call as a dict; no text at all is none. Half a surrogate pair, which no file and no
    provider takes, becomes U+FFFD. Raises ValueError for what is not a JSON object."""
    try:
        found = json.loads(arguments) if arguments.strip() else {}
        if "\\ud" in arguments.lower():
            found = json.loads(SURROGATES.sub("\ufffd", json.dumps(found, ensure_ascii=False)))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the arguments are not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"the arguments must be a JSON object, not {type(found).__name__}")
    return found


def _named(made: Tool, where: str) -> Tool:
    if not NAME.fullmatch(made.name):
        raise NodeError(
            f"{where}: the name {made.name!r:.100} is not one that every provider takes: at most 64 letters, "
            "digits, _ and -"
        )
    return made


def _of_dict(given: Mapping[str, Any]) -> Tool:
    its = given.get("function", given)
    if not isinstance(its, Mapping) or not isinstance(its.get("name"), str):
        raise NodeError(f"a tool as a dict needs a name, a description and parameters, not {given!r:.100}")
    form = its.get("parameters", {"type": "object", "properties": {}})
    if not isinstance(form, Mapping) or form.get("type") != "object":
        raise NodeError(
            f"tool {its['name']}: parameters must be the JSON schema of an object, e.g. "
            '{"type": "object", "properties": {"city": {"type": "string"}}}'
        )
    made = Tool(its["name"], str(its.get("description", "")), json.dumps(form))
    return _named(made, "the tool")


@lru_cache(maxsize=1024)
def _of_function(function: FunctionType) -> Tool:
    where, described = _where(function), _described(function)
    if not described[""]:
        raise NodeError(f"{where} needs a docstring: it tells the model what the tool does")
    types = _types(function)
    schemas = dict(zip(types, _schemas(function, types), strict=True))
    properties: dict[str, Any] = {}
    required = []
    for name, parameter in _parameters(function).items():
        properties[name] = schemas[name]
        if text := described.get(name):
            properties[name]["description"] = text
        if parameter.default is parameter.empty:
            required.append(name)
        elif parameter.default is not None:
            properties[name]["default"] = _as_json(parameter.default)
    form = {"type": "object", "properties": properties, "required": required}
    return _named(Tool(function.__name__, described[""], json.dumps(form)), where)


def _where(function: Any) -> str:
    code = function.__code__
    return f"{function.__name__}() ({Path(code.co_filename).name}:{code.co_firstlineno})"


def _parameters(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The signature's parameters; NodeError for one that cannot be given by name."""
    import inspect

    found = inspect.signature(function).parameters
    for name, each in found.items():
        if each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL, each.VAR_KEYWORD):
            raise NodeError(
                f"{_where(function)}: a model gives arguments by name, which {name} does not take"
            )
    return found


def _types(function: Callable[..., Any]) -> dict[str, Any]:
    """The type of each parameter."""
    import typing

    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise NodeError(f"{_where(function)}: its types cannot be read: {error}") from None
    for name in _parameters(function):
        if name not in hints:
            raise NodeError(f"{_where(function)}: parameter {name} needs a type, e.g. {name}: str")
    return {name: hints[name] for name in _parameters(function)}


def _schemas(function: Callable[..., Any], types: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The JSON schema of each type, with nothing that only refers to another: not every server follows."""
    import msgspec

    try:
        found, parts = msgspec.json.schema_components(types.values(), ref_template="{name}")
    except (TypeError, RecursionError) as error:
        raise NodeError(f"{_where(function)}: its types have no JSON schema: {error}") from None

    def whole(schema: Any, inside: tuple[str, ...] = ()) -> Any:
        if isinstance(schema, list):
            return [whole(each, inside) for each in schema]
        if not isinstance(schema, dict):
            return schema
        if (name := schema.get("$ref")) is None:
            return {key: whole(value, inside) for key, value in schema.items() if key != "title"}
        if name in inside:
            raise NodeError(f"{_where(function)}: type {name} contains itself")
        return {**whole(parts[name], (*inside, name)), **{k: v for k, v in schema.items() if k != "$ref"}}

    made: list[dict[str, Any]] = whole(list(found))
    return made


def _as_json(default: Any) -> Any:
    import msgspec

    return msgspec.to_builtins(default)


def _described(function: Callable[..., Any]) -> dict[str, str]:
    """The docstring: under '' the tool's description, under a parameter's name its own."""
    import inspect

    names = _parameters(function)
    texts: dict[str, list[str]] = {"": []}
    now, depth = "", -1  # whose text goes on, where a line stands further to the right than `depth`
    for line in (inspect.getdoc(function) or "").splitlines():
        match = DESCRIBED.fullmatch(line)
        if match is not None and match[2] in names:
            now, depth = match[2], len(match[1])
            texts[now] = [match[3]]
        elif now and line.strip() and len(line) - len(line.lstrip()) > depth:
            texts[now].append(line.strip())
        else:
            now = ""
            if not HEADING.fullmatch(line):
                texts[""].append(line)
    own = "\n".join(texts.pop("")).strip()
    return {"": re.sub(r"\n{3,}", "\n\n", own), **{name: " ".join(text) for name, text in texts.items()}}
