"""Programs ask by the real SDKs of OpenAI and Anthropic; the trial's model sees messages and tools."""

import asyncio
import base64
import json

import pytest

from assay.errors import BudgetExceeded, ProviderError, Refused
from assay.language.bridge.asked import NoMoreCalls
from assay.records import Completion, Message, Tool, ToolCall, Usage
from testing.language.bridge.on_a_pty import bridged

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = Tool("get_weather", "Says how warm it is.", json.dumps(SCHEMA))
CALL = ToolCall("call_1", "get_weather", '{"city":  "Oslo"}')
CALLING = Completion(
    "I look.",
    Usage(20, 7, 3, 5, 2),
    calls=(CALL,),
    reasoning="hm",
    native='{"signed": 1}',
    finish_reason="tool_calls",
)
CLIENTS = []  # of one test
DONE = Completion("12 degrees", Usage(30, 4), finish_reason="stop")


class Model:
    """Gives its replies in order, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies, self.asked = list(replies), []

    async def __call__(self, asked):
        self.asked.append(asked)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def asking(model, ask):
    async def run():
        async with bridged(model) as (address, bridge, serving):
            try:
                return await asyncio.wait_for(ask(address, bridge, serving), 60)
            finally:
                while CLIENTS:
                    await CLIENTS.pop().close()

    return asyncio.run(run())


def openai_at(address):
    import openai

    CLIENTS.append(openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0))
    return CLIENTS[-1]


def anthropic_at(address):
    import anthropic

    CLIENTS.append(anthropic.AsyncAnthropic(base_url=address, api_key="none", max_retries=0))
    return CLIENTS[-1]


async def of_chat(address, stream):
    client, tools = openai_at(address), [{"type": "function", "function": {
        "name": TOOL.name, "description": TOOL.description, "parameters": SCHEMA}}]  # fmt: skip
    content = [{"type": "text", "text": "How warm?"}, {"type": "image_url", "image_url": {"url": URL}}]
    dialogue = [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": content}]
    asked = {"model": "any", "messages": dialogue, "tools": tools}
    if stream:
        text, call, usage, finish = "", {}, None, None
        async for chunk in await client.chat.completions.create(
            **asked, stream=True, stream_options={"include_usage": True}
        ):
            usage = chunk.usage or usage
            for choice in chunk.choices:
                text += choice.delta.content or ""
                finish = choice.finish_reason or finish
                for delta in choice.delta.tool_calls or []:
                    call = {"id": delta.id, "type": "function", "function": delta.function.model_dump()}
        message = {"role": "assistant", "content": text, "tool_calls": [call]}
    else:
        reply = await client.chat.completions.create(**asked)
        usage, finish = reply.usage, reply.choices[0].finish_reason
        message = reply.choices[0].message.model_dump(exclude_none=True)
    assert (finish, usage.prompt_tokens, usage.completion_tokens) == ("tool_calls", 20, 7)
    assert usage.prompt_tokens_details.cached_tokens == 5
    result = {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": "12"}
    reply = await client.chat.completions.create(
        **{**asked, "messages": [*dialogue, message, result]}, response_format={"type": "json_object"}
    )
    return reply.choices[0].message.content


async def of_messages(address, stream):
    client = anthropic_at(address)
    tools = [{"name": TOOL.name, "description": TOOL.description, "input_schema": SCHEMA}]
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()}
    content = [{"type": "text", "text": "How warm?"}, {"type": "image", "source": source}]
    dialogue = [{"role": "user", "content": content}]
    asked = {"model": "any", "max_tokens": 100, "system": "Be brief.", "tools": tools}
    if stream:
        async with client.messages.stream(**asked, messages=dialogue) as events:
            reply = await events.get_final_message()
    else:
        reply = await client.messages.create(**asked, messages=dialogue)
    usage = reply.usage
    assert (reply.stop_reason, usage.input_tokens, usage.output_tokens) == ("tool_use", 13, 7)
    assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (5, 2)
    turn = {"role": "assistant", "content": [part.model_dump(exclude_none=True) for part in reply.content]}
    result = {"type": "tool_result", "tool_use_id": reply.content[-1].id, "content": "12"}
    reply = await client.messages.create(
        **asked, messages=[*dialogue, turn, {"role": "user", "content": [result]}]
    )
    return reply.content[0].text


async def of_responses(address, stream):
    client = openai_at(address)
    tools = [{"type": "function", "name": TOOL.name, "description": TOOL.description, "parameters": SCHEMA}]
    content = [{"type": "input_text", "text": "How warm?"}, {"type": "input_image", "image_url": URL}]
    dialogue = [{"role": "user", "content": content}]
    asked = {"model": "any", "instructions": "Be brief.", "tools": tools}
    if stream:
        async with client.responses.stream(**asked, input=dialogue) as events:
            reply = await events.get_final_response()
    else:
        reply = await client.responses.create(**asked, input=dialogue)
    assert reply.status == "completed"
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (20, 7)
    call = next(item for item in reply.output if item.type == "function_call")
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "12"}
    turn = [item.model_dump(exclude_none=True) for item in reply.output]
    reply = await client.responses.create(
        **asked, input=[*dialogue, *turn, result], text={"format": {"type": "json_object"}}
    )
    return reply.output_text


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("ask", [of_chat, of_messages, of_responses])
def test_a_program_calls_a_tool_and_goes_on(ask, stream):
    model = Model(CALLING, DONE)
    assert asking(model, lambda address, *_: ask(address, stream)) == "12 degrees"
    first, second = model.asked
    question = (Message("system", "Be brief."), Message("user", "How warm?", (PNG,)))
    assert first.messages == question
    assert [(tool.name, tool.description, json.loads(tool.parameters)) for tool in first.tools] == [
        (TOOL.name, TOOL.description, SCHEMA)
    ]
    # the turn as it was, reasoning and signature included, though the program never saw them
    assert second.messages == (*question, CALLING.turn, Message("tool", "12", call_id="call_1"))
    assert second.json == (ask is not of_messages)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_an_error_of_the_provider_is_told_and_kept(stream):
    async def ask(address, bridge, serving):
        import openai

        said = [{"role": "user", "content": "hi"}]
        client = openai_at(address)
        with pytest.raises(openai.APIError, match="the server is down"):
            found = await client.chat.completions.create(model="any", messages=said, stream=stream)
            async for _ in found:
                pass
        assert isinstance(bridge.failure, ProviderError)
        reply = await client.chat.completions.create(model="any", messages=said)
        assert bridge.failure is None
        return reply.choices[0].message.content

    assert asking(Model(ProviderError("the server is down"), DONE), ask) == "12 degrees"


def test_no_more_calls_is_no_failure():
    async def ask(address, bridge, serving):
        import anthropic

        said = [{"role": "user", "content": "hi"}]
        with pytest.raises(anthropic.BadRequestError, match="no more than 1 call"):
            await anthropic_at(address).messages.create(model="any", max_tokens=5, messages=said)
        return bridge.failure

    assert asking(Model(NoMoreCalls("no more than 1 call")), ask) is None


@pytest.mark.parametrize("why", [{"too_long": True}, {"content": True}])
def test_what_a_program_asks_in_vain_after_an_answer_is_no_failure_of_the_provider(why):
    async def ask(address, bridge, serving):
        import openai

        failures = []
        for refused in (True, False, True):
            asked = openai_at(address).chat.completions.create(
                model="any", messages=[{"role": "user", "content": "hi"}]
            )
            if refused:
                with pytest.raises(openai.APIStatusError, match="too many") as error:
                    await asked
                failures.append((error.value.status_code, bridge.failure is not None))
            else:
                await asked
        return failures

    refused = Refused("too many tokens", **why)
    assert asking(Model(refused, DONE, refused), ask) == [(500, True), (400, False)]


def test_a_key_that_is_refused_is_the_provider_s_failure_at_any_call():
    async def ask(address, bridge, serving):
        import openai

        client = openai_at(address)
        await client.chat.completions.create(model="any", messages=[{"role": "user", "content": "hi"}])
        with pytest.raises(openai.APIStatusError):
            await client.chat.completions.create(model="any", messages=[{"role": "user", "content": "hi"}])
        return bridge.failure is not None

    assert asking(Model(DONE, Refused("HTTP 401: the key was rejected")), ask)


def test_arguments_that_nest_deeply_are_answered():
    async def ask(address, bridge, serving):
        said = [{"role": "user", "content": "hi"}]
        reply = await anthropic_at(address).messages.create(model="any", max_tokens=5, messages=said)
        return len(reply.content[0].input["_broken"])

    deep = Completion("", calls=(ToolCall("c", "f", "[" * 100_000),))
    assert asking(Model(deep), ask) == 100_000


def test_what_ends_the_run_ends_the_serving():
    async def ask(address, bridge, serving):
        said = [{"role": "user", "content": "hi"}]
        asked = asyncio.create_task(openai_at(address).chat.completions.create(model="any", messages=said))
        await asyncio.wait_for(serving, 30)
        assert isinstance(bridge.ended_by, BudgetExceeded)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)

    asking(Model(BudgetExceeded("the budget is spent")), ask)


def test_orders_may_stand_among_the_messages():
    """Claude Code puts some of its own there."""

    async def ask(address, bridge, serving):
        import httpx

        said = [{"role": "user", "content": "hi"}, {"role": "system", "content": "Be brief."}]
        async with httpx.AsyncClient(timeout=30) as client:
            return (
                await client.post(f"{address}/v1/messages", json={"messages": said, "max_tokens": 9})
            ).json()

    model = Model(Completion("hello"))
    assert asking(model, ask)["content"][0]["text"] == "hello"
    assert [each.role for each in model.asked[0].messages] == ["user", "system"]


BAD = [
    ("/v1/chat/completions", b"{", 400),
    ("/v1/chat/completions", b"[]", 400),
    (
        "/v1/chat/completions",
        b'{"messages": [{"role": "user", "content": "a"}], "tools": [{"type": "function", '
        b'"function": {"name": "f", "parameters": {"minimum": NaN}}}]}',
        400,
    ),
    (
        "/v1/chat/completions",
        b'{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": '
        b'{"url": "data:image/bmp;base64,Qk1GAAAA"}}]}]}',
        400,
    ),
    ("/v1/chat/completions", '{"messages": [{"role": "user", "content": "hi"}]}'.encode("utf-16"), 400),
    ("/v1/chat/completions", b'{"messages": "hi"}', 400),
    ("/v1/chat/completions", b'{"messages": [{"role": "god", "content": "hi"}]}', 400),
    (
        "/v1/chat/completions",
        b'{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": "http://x/y.png"}]}]}',
        400,
    ),
    ("/v1/messages", b'{"messages": [{"role": "user", "content": [{"type": "document"}]}]}', 400),
    ("/v1/responses", b'{"input": "hi", "previous_response_id": "r"}', 400),
    ("/v1/embeddings", b"{}", 404),
    ("/v1/chat/completions", b"[" * 100_000, 400),
]


@pytest.mark.parametrize(("path", "body", "status"), BAD, ids=range(len(BAD)))
def test_what_cannot_be_answered_is_refused(path, body, status):
    async def ask(address, bridge, serving):
        import httpx

        async with httpx.AsyncClient(timeout=30) as client:
            reply = await client.post(address + path, content=body)
            listed = await client.get(f"{address}/v1/models")
        assert listed.json()["data"][0]["id"] == "openai/gpt-test"
        return reply.status_code, bool(reply.json()["error"]["message"])

    model = Model()
    assert asking(model, ask) == (status, True)
    assert not model.asked


def test_many_calls_at_once_and_a_large_one():
    async def answer(asked):
        await asyncio.sleep(0.01)
        return Completion(f"{len(asked.messages[-1].content)}")

    async def ask(address, bridge, serving):
        client, sizes = openai_at(address), [1, 10, 1_000_000, 3_000_000, 100, 5, 7, 9]
        replies = await asyncio.gather(*(
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x" * size}])
            for size in sizes
        ))  # fmt: skip
        assert [int(reply.choices[0].message.content) for reply in replies] == sizes

    asking(answer, ask)


def test_bytes_that_are_no_text_cannot_reach_a_provider():
    """It would refuse them, and the trial would be an ERROR instead of a FAIL."""

    async def ask(address, bridge, serving):
        import httpx

        body = b'{"messages": [{"role": "user", "content": "a\xed\xa0\x80b\\ud800c"}]}'
        async with httpx.AsyncClient(timeout=30) as client:
            return (await client.post(f"{address}/v1/chat/completions", content=body)).status_code

    model = Model(Completion("hello"))
    assert asking(model, ask) == 200
    (said,) = model.asked[0].messages
    assert said.content.startswith("a") and said.content.encode("utf-8")
