"""Nodes that extract code or JSON from a model's reply."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from assay.errors import ModelFault
from assay.language.apart import read
from assay.language.dsl import Branch, Branches, Context, Node, Reason, no_output
from assay.language.fences import Fence, drop_thinking, fenced_blocks
from assay.language.languages import language_of, same_language
from assay.language.values import as_text
from assay.records import LLM, Block, Cause, Message

EMPTY = "the reply is empty"
NO_BLOCK = "neither reply holds a block of code; the whole second reply was taken"
MAX_READINGS = 3  # each may cost a run in the sandbox
MAX_JSON_DEPTH = 200  # lists and objects in one another
MAX_JSON_STARTS = 1000  # opening brackets tried in one reply; more is not prose around an object
MAX_JSON_PASSES = 20  # total passes over the reply: each unclosed bracket reads to its end
SPARE_JSON_READ = 50_000  # further characters, whose cost is negligible

BRACKET = re.compile(r"[{\[]")

ASK_FOR_FILE = (
    "Below is an answer to a programming question. Reply with the {lang}code it proposes and nothing else: "
    "one complete file, ready to run as it is, in one fenced code block.\n\n<A>"
)
ASK_FOR_PART = (
    "Below is an answer to a programming question. Reply with the {lang}code it proposes and nothing else, "
    "in one fenced code block. Leave out any main function, example calls, tests and commands to install or "
    "run it.{postfix}\n\n<A>"
)
ASK_FOR_JSON = (
    "Below is an answer that should hold a JSON value. Reply with that JSON and nothing else.\n\n<A>"
)


class AskAgain(Node):
    """A step that asks the model under test once more if its reply is unclear."""

    asks = (LLM,)
    asks_again = True
    is_judge = False
    yields_text = True

    async def ask_again(
        self, ctx: Context, why: str, prompt: str, json: bool = False
    ) -> tuple[str, tuple[Block, ...]]:
        """The second reply, and both turns as blocks."""
        question = Block("chat", f"{why}; asked {ctx.llm.name}", prompt, role="user")
        with ctx.attempting(self, question):
            completion = await ctx.llm.complete((Message("user", prompt),), json=json)
        answer = Block("chat", f"{ctx.llm.name} replied", completion.text, role="assistant")
        return completion.text, (question, answer)


def looks_like_code(text: str, lang: str | None) -> bool:
    """Whether a reply without any fence is itself a program. If in doubt, it is not.

    >>> looks_like_code("print('hi')", None), looks_like_code("No, sorry.", None)
    (True, False)
    """
    stripped = text.strip()
    if stripped.startswith("#!"):
        return True
    known = language_of(lang) if lang else None
    if known in (None, "python"):
        try:
            body = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            body = []
        if any(not isinstance(part, ast.Expr) or isinstance(part.value, ast.Call) for part in body):
            return True
    if known in (None, "sql") and re.match(r"(select|create|insert|update|delete|with)\b", stripped, re.I):
        return stripped.endswith(";")
    starts = (
        r"#include\b|#define\b|fn \w|use \w|import \w|package \w|public \w|int \w|void \w|const \w|let \w|"
    )
    starts += r"function\b|\((ns|defn?|println)\b|<!doctype\b|<html\b"
    return re.match(starts, stripped, re.I) is not None and stripped[-1] in "});>"


def unique_block(blocks: Sequence[Fence], lang: str | None) -> tuple[Fence, str] | None:
    """The block that the reply means and why, or None if that is unclear."""
    if len(blocks) == 1:
        return blocks[0], "the reply's only fenced block"
    if lang:
        asked = [block for block in blocks if same_language(block.label, lang)]
        if len(asked) == 1:
            return asked[0], f"the reply's only {lang} block of {len(blocks)}"
        unlabelled = [block for block in blocks if not block.label]
        if not asked and len(unlabelled) == 1:
            return unlabelled[0], f"the reply's only unlabelled block of {len(blocks)}, none says {lang}"
    return None


def _distinct(blocks: Iterator[Fence]) -> list[Fence]:
    return list({block.code.strip(): block for block in blocks if block.code.strip()}.values())


def _code_in(text: str, lang: str | None) -> tuple[str, list[Fence], bool]:
    """A reply without its thinking, its different blocks, and whether it is a program as a whole."""
    reply = drop_thinking(text)
    blocks = _distinct(fenced_blocks(reply))
    return reply, blocks, not blocks and bool(reply.strip()) and looks_like_code(reply, lang)


@dataclass(frozen=True, repr=False)
class ExtractCode(AskAgain):
    """The code in a reply: the one fenced block, or the only one in the asked language.

    If that is unclear, the model under test is asked for just the code: with `keep_main` for a
    complete file, otherwise without main and examples, naming `postfix`; `manual` is asked
    instead if given, with `<A>` for the reply. `postfix` is appended to the code. When the
    second reply holds several blocks they are tried one after the other, the longest first.
    """

    keep_main: bool = False
    postfix: str = ""
    manual: str | None = None
    lang: str | None = None

    def _prompt(self) -> str:
        if self.manual is not None:
            return self.manual
        lang = f"{self.lang} " if self.lang else ""
        if self.keep_main:
            return ASK_FOR_FILE.replace("{lang}", lang)
        appended = f" These lines will be appended to it:\n{self.postfix}" if self.postfix else ""
        return ASK_FOR_PART.replace("{lang}", lang).replace("{postfix}", appended)

    def _branch(self, code: str, label: str, why: str, *more: Block) -> Branch:
        text = f"{code}\n{self.postfix}" if self.postfix else code
        shown = Block("code", why, text, language=label or self.lang or "")
        return Branch(text, Reason(self, (*more, shown)))

    async def run(self, value: Any, ctx: Context) -> Branches:
        reply, blocks, is_code = await read(_code_in, as_text(value), self.lang)
        if not reply.strip():
            yield no_output(self, EMPTY, cause=Cause.NO_CODE)
            return
        if unique := unique_block(blocks, self.lang):
            yield self._branch(unique[0].code, unique[0].label, unique[1])
            return
        if is_code:
            yield self._branch(reply, "", "the whole reply: it has no fence and reads as a program")
            return
        why = f"unclear which of {len(blocks)} blocks is meant" if blocks else "the reply has no fenced block"
        said, turns = await self.ask_again(ctx, why, self._prompt().replace("<A>", reply))
        answer, found, is_code = await read(_code_in, said, self.lang)
        if unique := unique_block(found, self.lang):
            found = [unique[0]]
        if not found:
            mark = () if is_code else (Block("text", body=NO_BLOCK, cause=Cause.NO_CODE),)
            yield self._branch(answer, "", "the whole second reply", *turns, *mark)
        found.sort(
            key=lambda block: (not (self.lang and same_language(block.label, self.lang)), -len(block.code))
        )
        for number, block in enumerate(found[:MAX_READINGS], 1):
            title = f"reading {number} of the second reply" if len(found) > 1 else "the second reply's block"
            yield self._branch(block.code, block.label, title, *turns)


def _parsed(text: str) -> Any:
    """The object or list that `text` is, else None. Hostile nesting and huge numbers are None too."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, (dict, list)) or (
        text.count("[") + text.count("{") > MAX_JSON_DEPTH and _deep(value)
    ):
        return None
    return value


def _deep(value: Any) -> bool:
    """Whether lists and objects nest more than MAX_JSON_DEPTH deep: what is read at the bottom of a short
    stack could not be written, or compared, at the bottom of a longer one."""
    level = [value]
    for _ in range(MAX_JSON_DEPTH):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True


def _embedded(text: str) -> Iterator[str]:
    """Objects and lists inside prose: wherever a bracket opens a complete JSON value."""
    decoder, at = json.JSONDecoder(), 0
    left = MAX_JSON_PASSES * len(text) + SPARE_JSON_READ
    for _ in range(MAX_JSON_STARTS):
        start = BRACKET.search(text, at)
        if start is None or left < 0:
            return
        try:
            _, at = decoder.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            left -= error.pos - start.start()
            at = start.end()
        except (ValueError, RecursionError):  # it does not say how far it came
            left -= len(text) - start.start()
            at = start.end()
        else:
            yield text[start.start() : at]


def json_readings(text: str) -> Iterator[tuple[str, str]]:
    """The JSON texts a reply may mean, best first, each once, and where it was found."""
    seen: set[str] = set()
    blocks = list(fenced_blocks(text))
    blocks.sort(key=lambda block: block.label not in ("json", "json5", "jsonc"))
    candidates = [(text.strip(), "the whole reply")]
    candidates += [(block.code.strip(), "a fenced block") for block in blocks]
    inside = sorted(_embedded(text), key=lambda found: (found[0] != "{", -len(found)))
    candidates += [(found, "a JSON value inside the reply") for found in inside]
    for candidate, where in candidates:
        if candidate not in seen and _parsed(candidate) is not None:
            seen.add(candidate)
            yield candidate, where


def _json_in(text: str) -> tuple[str, list[tuple[str, str]]]:
    """A reply without its thinking, and its first readings."""
    reply = drop_thinking(text)
    return reply, list(islice(json_readings(reply), MAX_READINGS))


def json_text(text: str) -> str | None:
    """The JSON text that a reply means; None if there is none."""
    return next((found for found, _ in json_readings(drop_thinking(text))), None)


@dataclass(frozen=True, repr=False)
class ExtractJSON(AskAgain):
    """The JSON object or list in a reply, as text; several readings, best first.

    The whole reply, then fenced blocks, then whatever brackets balance, the longest first. If
    there is none, the model under test is asked for just the JSON.
    """

    def _branch(self, found: str, where: str, *more: Block) -> Branch:
        return Branch(found, Reason(self, (*more, Block("code", where, found, language="json"))))

    async def run(self, value: Any, ctx: Context) -> Branches:
        if isinstance(value, (dict, list)):
            try:
                text = json.dumps(value)
            except (ValueError, RecursionError) as error:
                raise ModelFault(f"the incoming value cannot be written as JSON: {error}") from None
            yield self._branch(text, "the incoming value")
            return
        reply, readings = await read(_json_in, as_text(value))
        for found, where in readings:
            yield self._branch(found, where)
        if readings:
            return
        if not reply.strip():
            yield no_output(self, EMPTY, cause=Cause.NO_CODE)
            return
        why, prompt = "no JSON in the reply", ASK_FOR_JSON.replace("<A>", reply)
        said, turns = await self.ask_again(ctx, why, prompt, json=True)
        _, readings = await read(_json_in, said)
        for found, where in readings:
            yield self._branch(found, f"second reply: {where}", *turns)
        if not readings:
            why = "no JSON object or list, in the second reply either"
            yield no_output(self, why, *turns, cause=Cause.NO_CODE)
