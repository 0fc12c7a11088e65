"""A server of the Model Context Protocol that runs in the sandbox, spoken to by the official client here.

All that comes from there may be a model's doing: what is too much, no message or no answer ends the server,
and no schema of its is executed here (to validate by one may take for ever).
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from assay.language.agents.workbench import ENVIRONMENT
from assay.language.inside import source_of
from assay.records import Sandbox, Terminal

START_S = 30.0
PROBE_S = 10.0  # for each message at the start: older servers do not answer the first one
SLICE_S = 1.0
CLOSED_S = 5.0
LARGEST = 8 << 20  # bytes of a message
MOST = 32 << 20  # bytes of all messages during one call
MOST_PAGES = 50  # of a list of tools
SHOWN = 300  # characters of what is no message


class ServerLost(Exception):
    """The server has ended, or is of no use any more."""


class McpServer:
    """One server, and the session with it. Its output is read only while it is waited for."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.ended = ""  # how
        self._heard = 0
        self._garbage = ""
        self._waiting = asyncio.Event()
        self._over = asyncio.Event()
        self._session: asyncio.Task[None] | None = None
        self._client: Any = None

    async def start(self, sandbox: Sandbox, most_tools: int) -> list[Any]:
        """The tools that it lists (mcp.types.Tool). Raises ServerLost."""
        await asyncio.to_thread(__import__, "mcp")  # takes a second
        logging.getLogger("mcp").addHandler(logging.NullHandler())  # else it prints what servers say
        argv = ["python3", "-I", "-c", source_of("agents/inside/stdio_relay"), self.command]
        terminal = await sandbox.start(argv, env=ENVIRONMENT)
        ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._session = asyncio.create_task(self._run(terminal, ready))
        found: list[Any] = await self._waited(self._listed(ready, most_tools), START_S)
        return found

    async def _listed(self, ready: asyncio.Future[Any], most: int) -> list[Any]:
        self._client = await ready
        found: list[Any] = []
        cursor = None
        for _ in range(MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            found += page.tools
            if len(found) > most:
                raise ServerLost(
                    f"it lists more than {most} tools; name those that are needed with only=[...]"
                )
            if (cursor := page.next_cursor) is None:
                return found
        raise ServerLost(f"its list of tools has more than {MOST_PAGES} pages")

    async def call(self, name: str, given: dict[str, Any], limit_s: float) -> Any:
        """mcp.types.CallToolResult. Raises ServerLost, and MCPError for what the server calls an error."""
        answer = self._client.call_tool(name, given, read_timeout_seconds=limit_s)
        return await self._waited(answer, limit_s, lets_errors_through=True)

    async def _waited(self, answer: Any, limit_s: float, lets_errors_through: bool = False) -> Any:
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

        self._heard = 0
        self._waiting.set()
        why = ""
        try:
            async with asyncio.timeout(limit_s):
                return await answer
        except TimeoutError:
            why = f"it did not answer within {limit_s:g} s"
        except ServerLost as error:
            why = str(error)
        except MCPError as error:
            if lets_errors_through and error.error.code not in (REQUEST_TIMEOUT, CONNECTION_CLOSED):
                raise
            why = str(error)
        except (ValueError, RuntimeError, RecursionError) as error:  # it answers what makes no sense
            why = f"{type(error).__name__}: {error}"
        finally:
            self._waiting.clear()
        garbage = f"; it printed what is not a message: {self._garbage!r}" if self._garbage else ""
        self.ended = f"{self.ended or why}{garbage}"
        await self.close()
        raise ServerLost(self.ended)

    async def close(self) -> None:
        """End it. Never raises."""
        self._over.set()
        if (session := self._session) is not None:
            done, _ = await asyncio.wait({session}, timeout=CLOSED_S)
            if not done:
                session.cancel()
                await asyncio.wait({session}, timeout=CLOSED_S)

    async def _run(self, terminal: Terminal, ready: asyncio.Future[Any]) -> None:
        from mcp import Client

        try:
            async with Client(self._pipe(terminal), read_timeout_seconds=PROBE_S, cache=None) as client:
                if not ready.done():
                    ready.set_result(client)
                await self._over.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(ServerLost(str(error) or type(error).__name__))
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            await terminal.close()

    @asynccontextmanager
    async def _pipe(self, terminal: Terminal) -> AsyncIterator[Any]:
        """The streams that the client wants of a transport. What is under way at the terminal is never
        cancelled: that would give the sandbox up."""
        import anyio

        to_client, read = anyio.create_memory_object_stream[Any](math.inf)
        write, to_server = anyio.create_memory_object_stream[Any](0)

        async def speak() -> None:
            async for each in to_server:
                data = each.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                await asyncio.shield(terminal.send(data))

        started = await terminal.read_until(b"\n", time_limit_s=START_S)
        tasks = [asyncio.create_task(self._listen(terminal, to_client)), asyncio.create_task(speak())]
        try:
            if not started.matched:
                raise ServerLost("it does not start")
            yield read, write
        finally:
            self._waiting.set()  # so that it sees the end
            await terminal.close()
            tasks[1].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for stream in (to_client, read, write, to_server):
                stream.close()

    async def _listen(self, terminal: Terminal, to_client: Any) -> None:
        """Hand its messages on, until it has ended."""
        line, part = b"", b""
        with suppress(Exception):  # of a client that has gone
            while not self.ended:
                await self._waiting.wait()
                output = await terminal.read_until(b"\n", time_limit_s=SLICE_S)
                line += output.data
                if output.matched:
                    part = self._take(line, part, to_client)
                    line = b""
                elif output.ended:
                    self.ended = self.ended or "it has ended"
        to_client.close()

    def _take(self, line: bytes, part: bytes, to_client: Any) -> bytes:
        """A line of the relay's, and the part of a message that came before it; what is left of that."""
        kind, _, data = line.strip().partition(b" ")
        try:
            said = base64.b64decode(data, validate=True)
        except (ValueError, binascii.Error):
            return part
        if kind == b"X":
            self.ended = f"it has ended ({said.decode('utf-8', 'replace').strip()})"
        if kind != b"O":
            return part
        self._heard += len(said)
        *messages, part = (part + said).split(b"\n")
        for each in messages:
            if each.strip():
                self._hear(each, to_client)
        if len(part) > LARGEST or self._heard > MOST:
            most, what = (LARGEST, "in one message") if len(part) > LARGEST else (MOST, "at once")
            self.ended = f"it said more than {most >> 20} MB {what}"
        return part

    def _hear(self, said: bytes, to_client: Any) -> None:
        from mcp.shared.message import SessionMessage
        from mcp.types import jsonrpc_message_adapter

        try:
            found = json.loads(said)
            tools = found["result"].get("tools") if isinstance(found.get("result"), dict) else None
            for each in tools if isinstance(tools, list) else ():
                if isinstance(each, dict):
                    each.pop("outputSchema", None)
            message = SessionMessage(jsonrpc_message_adapter.validate_python(found, by_name=False))
        except (ValueError, RecursionError, AttributeError):
            self._garbage = self._garbage or said[:SHOWN].decode("utf-8", "replace")
            return
        to_client.send_nowait(message)
