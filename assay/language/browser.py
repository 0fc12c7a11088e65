"""The node that draws a web page in a real browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.errors import NodeLost, SandboxError
from assay.language.dsl import Branch, Branches, Context, Node, Reason, no_output, no_second_sandbox
from assay.language.inside import source_of
from assay.language.picture_files import png_fault
from assay.language.values import as_bytes, as_text, how_it_ended
from assay.records import Block, Sandbox

WIDTH, HEIGHT = 1024, 768
STOP_S = 5.0  # what the browser may take besides its start and the page's own time


@dataclass(frozen=True, repr=False)
class SeleniumDraw(Node):
    """Draw the incoming HTML in headless Chromium; the output is a PNG of 1024 x 768 pixels.

    The browser runs inside the trial's sandbox, without network, with a fresh profile; the page
    may use files of the work directory. It is drawn once it has loaded and painted, or as far
    as it got in half its time. A page that cannot be drawn is a FAIL.
    """

    time_limit_s: float = 20.0
    needs = ("chromium", "python3")
    is_judge = False

    async def run(self, value: Any, ctx: Context) -> Branches:
        code = Block("code", "page.html", as_text(value), language="html")
        with ctx.attempting(self, code):
            async with ctx.browser:
                picture, fault, status = await self._drawn(as_bytes(value), ctx)
        if fault:
            yield no_output(self, f"no picture of the page: {fault}", code)
            return
        yield Branch(picture, Reason(self, (code, Block("image", f"the page ({status})", data=picture))))

    async def _drawn(self, page: bytes, ctx: Context) -> tuple[bytes, str, str]:
        """As `draw`. A browser that does not start in a sandbox where a model's code has run may miss what
        that code took (shared memory, say): a fresh sandbox tells."""
        try:
            return await draw(await ctx.open_sandbox(), page, self.time_limit_s)
        except NodeLost:
            raise
        except SandboxError:
            if ctx.fresh_sandbox is no_second_sandbox:
                raise
        ctx.terminals.clear()
        return await draw(await ctx.fresh_sandbox(), page, self.time_limit_s)


async def draw(sandbox: Sandbox, page: bytes, time_limit_s: float = 20.0) -> tuple[bytes, str, str]:
    """The picture, what is wrong with it, and how the browser ended. Raises SandboxError where the browser
    does not even start."""
    import asyncio

    from assay.language.chromium import NOT_STARTED, START_S

    program = source_of("chromium", "browser_script")
    argv = ["python3", "-I", "-c", program, str(WIDTH), str(HEIGHT), str(time_limit_s)]
    limit = START_S + time_limit_s + STOP_S
    result = await sandbox.run(argv, files={"page.html": page}, time_limit_s=limit)
    status = how_it_ended(result)
    said = result.stderr.decode("utf-8", errors="replace").strip()
    if result.returncode == NOT_STARTED:
        raise SandboxError(f"the browser does not work in this sandbox: {said}")
    if result.returncode != 0:
        return b"", said or status, status
    try:
        picture = await sandbox.read_file("page.png")
    except FileNotFoundError:
        return b"", "the browser left none", status
    return picture, await asyncio.to_thread(png_fault, picture, WIDTH, HEIGHT), status
