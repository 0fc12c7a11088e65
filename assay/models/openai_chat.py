"""Dialogues and replies in the form of OpenAI's chat completions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.models.failures import StatusError, Unreadable, count, dollars, message_in
from assay.models.pictures import data_url
from assay.models.provider import Call, form_of, native_turn, own_turn, told_arguments, told_name
from assay.records import Completion, Message, Schema, Tool, ToolCall, Usage

# Where servers put what a model thought. They want it back, in the same place, while tools are in use.
THOUGHTS = (
    *("reasoning_content", "reasoning", "reasoning_details"),
    *("thinking_blocks", "provider_specific_fields"),  # litellm's: signatures are in them
)
OF_THOUGHTS = re.compile(rf"\b(?:{'|'.join(THOUGHTS)})\b")
THINKING = "thinking"  # of a reply in parts, put together; goes back nowhere
FAILED = "The tool failed: "  # there is no other place to say so
STREAMED = {"stream": True, "stream_options": {"include_usage": True}}
STREAM_ABOVE = 16_384  # tokens of a reply: about so many come within ten minutes
THINKS = frozenset(("reasoning_effort", "reasoning", "thinking", "thinking_budget"))  # of models that do
OF_A_CALL = ("id", "type", "index", "function")


def response_format(schema: Schema) -> dict[str, Any]:
    """A schema as chat completions take it."""
    form = {"name": schema.name, "strict": True, "schema": form_of(schema)}
    return {"type": "json_schema", "json_schema": form}


def function_of(tool: Tool) -> dict[str, Any]:
    """A tool by its name, what it does and the schema of its arguments."""
    return {"name": tool.name, "description": tool.description, "parameters": json.loads(tool.parameters)}


def chat_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    return [{"type": "function", "function": function_of(tool)} for tool in tools]


def chat_messages(messages: Sequence[Message], form: str = "") -> list[dict[str, Any]]:
    """Messages as chat completions take them, images as data URLs. Those of a tool's result follow behind all
    results, because only a user's turn may have any. `form`: of turns that are handed back as they came."""
    found: list[dict[str, Any]] = []
    shown: list[bytes] = []
    for m in messages:
        if m.role == "tool":
            said = FAILED + m.content if m.failed else m.content
            found.append({"role": "tool", "tool_call_id": m.call_id, "content": said})
            shown += m.images
            continue
        found += _pictures(shown)
        shown = []
        turn: dict[str, Any] = {"role": m.role, "content": _content(m.content, m.images)}
        if m.calls:
            turn |= {"content": turn["content"] or None, "tool_calls": [*map(_made, m.calls)]}
        own = own_turn(m, form) if form else None
        found.append(turn | own if isinstance(own, dict) else turn)
    return found + _pictures(shown)


def _pictures(images: Sequence[bytes]) -> list[dict[str, Any]]:
    told = "What the tools returned also has this:"
    return [{"role": "user", "content": _content(told, images)}] if images else []


def _content(text: str, images: Sequence[bytes]) -> str | list[dict[str, Any]]:
    if not images:
        return text
    pictures = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in images]
    return [*([{"type": "text", "text": text}] if text else []), *pictures]


def _made(call: ToolCall) -> dict[str, Any]:
    function = {"name": told_name(call), "arguments": told_arguments(call)}
    return {"id": call.id, "type": "function", "function": function}


# How servers that speak OpenAI's API end a reply in words of their own: Gemini's, Mistral's, Zhipu's ...
_CUT = "max_tokens max_output_tokens model_length"
_KEPT_BACK = "safety recitation blocklist prohibited_content spii image_safety sensitive content_filtered"
FINISHES = {word: "length" for word in _CUT.split()} | {word: "content_filter" for word in _KEPT_BACK.split()}
BROKEN_OFF = ("error", "abort", "insufficient_system_resource", "network_error")
ENDED_EARLY = ("length", "content_filter")


def read_completion(reply: Mapping[str, Any], call: Call | None = None, form: str = "") -> Completion:
    """A chat completion's JSON as our record. A refusal or a filtered text is an answer; a reply without a
    choice or a message is none. A model that calls a tool although `call` offers none has said what it said
    beside. `form`: of the turn, where it is to be handed back as it came. Raises Unreadable, or StatusError
    where the upstream failed."""
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise Unreadable("no choice in it")
    finish = str(choice.get("finish_reason") or "")
    finish = FINISHES.get(finish.lower(), finish)
    if choice.get("error") or finish.lower() in BROKEN_OFF:
        # OpenRouter: the upstream broke in the middle; what there is of a text is no answer
        why = f"the upstream failed ({finish})" if finish else "the upstream failed"
        if choice.get("error"):
            why, _ = message_in(choice, why)
        raise StatusError(500, f"error in the reply: {why}")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Unreadable("no message in its choice")
    said = text_in(message.get("content"))
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal and not said:
        said, finish = refusal, "refusal"
    tools, native = call is not None and bool(call.tools), ""
    made, calls = _made_in(message), list[ToolCall]()
    if tools and call is not None:
        calls = calls_in(made, sum(len(m.calls) for m in call.messages), whole=finish not in ENDED_EARLY)
        native = _native(message, made, calls, form)
    if calls:
        finish = finish if finish in ENDED_EARLY else "tool_calls"
    elif made or finish in ("tool_calls", "function_call"):
        finish = "stop" if said else "tool_calls"
    usage = reply.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        said,
        read_usage(usage),
        cost=_cost(usage),
        finish_reason=finish,
        model=str(reply.get("model") or ""),
        calls=tuple(calls),
        reasoning=_reasoning(message),
        native=native,
    )


def text_in(content: Any, kind: str = "text") -> str:
    """Of a reply; some servers answer in parts, of which Mistral's thinking has parts again."""
    if isinstance(content, str):
        return content if kind == "text" else ""
    parts = content if isinstance(content, list) else []
    return "".join(text_in(p.get(kind)) for p in parts if isinstance(p, dict) and p.get("type") == kind)


def _cost(usage: Mapping[str, Any]) -> float | None:
    """What OpenRouter says that a call costs; with a key of one's own for the upstream, that costs too."""
    cost, upstream = usage.get("cost"), _object(usage.get("cost_details")).get("upstream_inference_cost")
    if usage.get("is_byok") is True and None not in (its := (dollars(cost), dollars(upstream))):
        return sum(filter(None, its))
    return dollars(cost)


def refuses_thoughts(error: StatusError, messages: Sequence[Message]) -> bool:
    """Whether a server does not take what was handed back of a model's thoughts, which it names."""
    back = error.status in (400, 422) and any(m.native for m in messages)
    return back and OF_THOUGHTS.search(error.message) is not None


def _reasoning(message: Mapping[str, Any]) -> str:
    if thought := text_in(message.get("content"), "thinking"):
        return thought
    for name in ("reasoning_content", "reasoning", THINKING):
        if isinstance(said := message.get(name), str) and said:
            return said
    details = message.get("reasoning_details")
    details = [each for each in details if isinstance(each, dict)] if isinstance(details, list) else []
    parts = [each.get("text") or each.get("summary") for each in details]
    return "\n\n".join(part for part in parts if isinstance(part, str) and part)


def _made_in(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Calls of tools as they were written. Raises Unreadable."""
    made = message.get("tool_calls") or []
    if not made and isinstance(old := message.get("function_call"), dict):
        made = [{"function": old}]
    if not isinstance(made, list) or not all(isinstance(each, dict) for each in made):
        raise Unreadable("tool calls that are not a list of objects")
    return made


def calls_in(made: Sequence[Mapping[str, Any]], before: int, *, whole: bool) -> list[ToolCall]:
    """Each with an id of its own, made by how many calls were `before` if it has none. Raises Unreadable."""
    found: list[ToolCall] = []
    seen: set[str] = set()
    for each in made:
        function, own = each.get("function"), str(each.get("id") or "")
        if not isinstance(function, dict):
            raise Unreadable("a call of a tool without a function")
        if not own or own in seen:
            own = f"call_{before + len(found)}"
        seen.add(own)
        written = function.get("arguments")
        if not isinstance(written, str):
            written = "" if written is None else json.dumps(written, ensure_ascii=False)
        if whole and not written.strip():
            written = "{}"  # how some servers write no arguments
        found.append(ToolCall(own, str(function.get("name") or ""), written))
    return found


def _native(
    message: Mapping[str, Any], made: Sequence[Mapping[str, Any]], calls: Sequence[ToolCall], form: str
) -> str:
    """What a turn has beyond its text and calls, and is to be handed back with it: thoughts, also where they
    are empty, and signatures in calls."""
    back = {name: message[name] for name in THOUGHTS if message.get(name) is not None}
    if back.get("reasoning_details"):
        back = {"reasoning_details": back["reasoning_details"]}
    more = [{name: value for name, value in each.items() if name not in OF_A_CALL} for each in made]
    if any(more):
        back["tool_calls"] = [_made(call) | its for call, its in zip(calls, more, strict=True)]
    return native_turn(form, back) if form and back else ""


def read_usage(usage: Mapping[str, Any]) -> Usage:
    """Token counts of a chat completion. xAI counts reasoning beside the completion, Gemini too and does not
    say how much: put it in. DeepSeek and Moonshot have names of their own for what was cached."""
    read, wrote = (
        _object(usage.get(name)) for name in ("prompt_tokens_details", "completion_tokens_details")
    )
    reasoning = count(wrote.get("reasoning_tokens"))
    used_in, used_out = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    named = (read.get("cached_tokens"), usage.get("prompt_cache_hit_tokens"), usage.get("cached_tokens"))
    cached = next(filter(None, map(count, named)), 0)
    beside = count(usage.get("total_tokens")) - used_in - used_out
    if not (wrote or cached) and beside > 0:
        reasoning = beside
    if reasoning and beside == reasoning:
        used_out += reasoning
    kept, lasting = count(read.get("cache_write_tokens")), _object(read.get("cache_creation_token_details"))
    hour = count(lasting.get("ephemeral_1h_input_tokens"))  # as litellm tells it
    return Usage(used_in, used_out, reasoning, cached, kept, hour)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
