"""Pictures that tools return, on every wire, and for models that see none."""

import base64

import pytest

from assay.errors import ProviderError
from assay.models.pictures import SEES_NONE
from assay.records import Message, Tool, ToolCall
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import NAMES, ask, llms_for
from testing.models.test_model_providers import PNG

TOOLS = (Tool("look", "Looks."),)
DIALOGUE = (
    Message("user", "Look."),
    Message("assistant", "", calls=(ToolCall("c1", "look"), ToolCall("c2", "look"))),
    Message("tool", "a page", (PNG,), call_id="c1"),
    Message("tool", "no page", (PNG,), call_id="c2", failed=True),
)
WIRES = {
    **{name: (name, {}) for name in NAMES.values()},
    "responses": ("openai/m", {"api": "responses"}),
    "text": ("my-server/m", {"tools": "text"}),
}
LEFT_OUT = "[a picture was left out: this model sees none]"


@pytest.fixture(
    params=[pytest.param(each, marks=[pytest.mark.slow(1)] * each.startswith("mistral")) for each in WIRES]
)
def wire(request):
    return WIRES[request.param]


def asked_of(server, name, options, messages=DIALOGUE, calls=1):
    llms = llms_for(server.url)
    llms[name.partition("/")[0]].update(options)
    return [ask(server, name, messages=messages, tools=TOOLS, llms=llms) for _ in range(calls)]


def test_pictures_reach_the_model_on_every_wire(wire):
    with ModelServer() as server:
        asked_of(server, *wire)
        (asked,) = server.asked
    sent = [image.rpartition(",")[2] for image in asked.images]
    assert [base64.b64decode(each) for each in sent] == [PNG, PNG]
    said = "\n".join(text for _, text in asked.messages)
    assert "a page" in said and "no page" in said and LEFT_OUT not in said


def test_a_server_that_refuses_pictures_is_told_that_they_were_left_out(wire):
    def reply(asked):
        if asked.images:
            return Reply("Invalid content type. image_url is only supported by certain models.", status=400)
        return Reply("I see nothing.")

    with ModelServer(reply=reply) as server:
        (found,) = asked_of(server, *wire)
        assert found.text == "I see nothing."
        assert [bool(each.images) for each in server.asked] == [True, False]
        assert "\n".join(text for _, text in server.asked[-1].messages).count(LEFT_OUT) == 2


def test_ollama_leaves_them_out_where_the_server_says_that_nobody_would_see_them():
    with ModelServer(models=("m-blind",)) as server:
        asked_of(server, "ollama/m-blind", {})
        (asked,) = server.asked
    assert not asked.images and LEFT_OUT in asked.messages[-1][1]


def test_a_picture_that_the_test_asks_about_is_never_left_out(wire):
    refused = Reply("this model does not support image input", status=400)
    with (
        ModelServer(reply=lambda asked: refused if asked.images else Reply("A cat.")) as server,
        pytest.raises(ProviderError, match="does not support image"),
    ):
        asked_of(server, *wire, messages=(Message("user", "What is it?", (PNG,)),))


@pytest.mark.parametrize(
    "said",
    [
        "Invalid content type. image_url is only supported by certain models.",
        "Failed to deserialize the JSON body into the target type: messages[3]: unknown variant `image_url`",
        "At most 0 image(s) may be provided in one request.",
        "Qwen3-8B is not a multimodal model",
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        "for 'role:user' the following must be satisfied[('messages.2.content' must be a string)]",
        "Image input is not enabled for this model",
        "No endpoints found that support image input",
        "this model is missing data required for image input",
        "This model does not support vision.",
    ],
)
def test_how_servers_say_that_a_model_sees_no_pictures(said):
    assert SEES_NONE.search(said)


@pytest.mark.parametrize(
    "said",
    [
        "messages.1.content.0.image.source.base64: image exceeds 5 MB maximum",
        "Could not process image",
        "prompt is too long: 200001 tokens",
        "You exceeded your current quota",
    ],
)
def test_what_else_servers_say_is_no_reason_to_leave_pictures_out(said):
    assert not SEES_NONE.search(said)
