"""Tools of a server of the Model Context Protocol, which is a program of the sandbox."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import MissingData, NodeError
from assay.extras import install, lacking
from assay.language.agents.mcp_server import McpServer, ServerLost
from assay.language.agents.programs import TIME_LIMIT_S
from assay.language.agents.tool import NO_OUTPUT, OUTPUT, AgentTool, cut
from assay.language.agents.workbench import Done, Workbench
from assay.language.picture_files import file_fault
from assay.language.tools import read_arguments
from assay.records import Tool

MOST_TOOLS = 100  # that a model is offered; providers take 128
DESCRIBED = 4_000  # characters of a tool's description
LARGEST_FORM = 50_000  # characters of a tool's schema
MOST_PICTURES = 8  # of one result
LARGEST_PICTURE = 4 << 20  # bytes


@dataclass(frozen=True)
class Mcp(AgentTool):
    """The agent may use the tools of an MCP server: `command`, shell text, is started in the sandbox, in the
    work directory, and spoken to over its stdin and stdout. The model gets its tools under their names, or
    those that `only` names. `time_limit_s`: seconds for one call; then the server is stopped, and the next
    call begins a new one. `max_output`: bytes of a result that the model is told. Needs the extra mcp."""

    command: str
    only: Sequence[str] = ()
    time_limit_s: float = TIME_LIMIT_S
    max_output: int = OUTPUT
    needs = ("python3", "bash")

    def __post_init__(self) -> None:
        if not isinstance(self.command, str) or not self.command.strip():
            raise NodeError('Mcp needs a command, e.g. Mcp("python3 server.py")')
        if isinstance(self.only, str):
            raise NodeError(f"Mcp needs a list of names, e.g. only=[{self.only!r}]")
        object.__setattr__(self, "only", tuple(self.only))

    @property
    def parts(self) -> tuple[AgentTool, ...]:
        return ()  # known once the server runs

    async def opened(self, bench: Workbench) -> tuple[AgentTool, ...]:
        """Raises ServerLost for a server that cannot be used, MissingData without the extra."""
        if lacking("mcp"):
            raise MissingData(f"Mcp needs the package mcp: {install('mcp')}")
        _, listed = await self._started(bench)
        by_name = {each.name: each for each in listed}
        if absent := [name for name in self.only if name not in by_name]:
            raise ServerLost(f"it has no tool {absent[0]!r}; it has {', '.join(by_name)[:1000]}")
        wanted = [by_name[name] for name in self.only or by_name]
        if len(wanted) > MOST_TOOLS:
            raise ServerLost(f"it lists {len(wanted)} tools; name at most {MOST_TOOLS} with only=[...]")
        return tuple(McpTool(self, each.name, _told(each)) for each in wanted)

    async def running(self, bench: Workbench) -> tuple[McpServer, str]:
        """The server, and what the model is told if it is a new one. Raises ServerLost."""
        server: McpServer = bench.servers[self]
        if not server.ended:
            return server, ""
        return (await self._started(bench))[0], f"\n[a new server: of the one before, {server.ended}]"

    async def _started(self, bench: Workbench) -> tuple[McpServer, list[Any]]:
        server = bench.servers[self] = McpServer(self.command)
        return server, await server.start(await bench.sandbox(), 10 * MOST_TOOLS)


@dataclass(frozen=True)
class McpTool(AgentTool):
    """One of them. `called`: what the server calls it."""

    server: Mcp
    called: str
    told: Tool

    @property
    def tool(self) -> Tool:
        return self.told

    def arguments(self, arguments: str) -> dict[str, Any]:
        return read_arguments(arguments)

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        from mcp import MCPError

        try:
            server, note = await self.server.running(bench)
            result = await server.call(self.called, given, bench.bounded(self.server.time_limit_s))
        except ServerLost as error:
            why = cut(str(error), self.server.max_output)
            return Done(
                f"error: the server of {self.called}: {why}; the next call begins a new one",
                True,
                note="lost",
            )
        except MCPError as error:
            return Done(f"error: {cut(str(error), self.server.max_output)}", failed=True, note="failed")
        text, images = _content(result)
        failed = bool(result.is_error)
        told = cut(text, self.server.max_output) or ("" if images else NO_OUTPUT)
        return Done(told + note, failed, note="failed" if failed else "", images=images)


def _told(listed: Any) -> Tool:
    """A tool of mcp.types as the model is told of it. Raises ServerLost."""
    form = json.dumps({"properties": {}, **listed.input_schema})
    if len(form) > LARGEST_FORM:
        raise ServerLost(f"the schema of its tool {listed.name!r:.100} is too long")
    name = re.sub(r"[^A-Za-z0-9_-]", "_", listed.name)[:64] or "_"  # what every provider takes
    return Tool(name, cut(listed.description or "", DESCRIBED), form)


def _content(result: Any) -> tuple[str, tuple[bytes, ...]]:
    """What a result says, and its pictures."""
    texts: list[str] = []
    images: list[bytes] = []
    for each in result.content:
        if each.type == "text":
            texts.append(each.text)
        elif each.type == "image":
            picture, fault = _picture(each.data)
            if fault or len(images) == MOST_PICTURES:
                texts.append(f"[a picture was left out: {fault or f'more than {MOST_PICTURES}'}]")
            else:
                images.append(picture)
        elif each.type == "resource" and hasattr(each.resource, "text"):
            texts.append(f"{each.resource.uri}\n{each.resource.text}")
        elif each.type == "resource_link":
            texts.append(str(each.uri))
        else:
            texts.append(f"[{each.type} was left out]")
    if not texts and result.structured_content is not None:
        texts.append(json.dumps(result.structured_content, ensure_ascii=False))
    return "\n".join(texts), tuple(images)


def _picture(said: str) -> tuple[bytes, str]:
    try:
        data = base64.b64decode(said, validate=True)
    except (ValueError, binascii.Error):
        return b"", "it is not base64"
    if len(data) > LARGEST_PICTURE:
        return b"", f"more than {LARGEST_PICTURE >> 20} MB"
    return data, file_fault(data)
