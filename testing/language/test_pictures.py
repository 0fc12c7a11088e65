"""Pictures for a judge: what is one is decided apart from this process; providers can take what is sent."""

import io
import json
import random
import struct
import subprocess
import sys
import tracemalloc

import pytest
from PIL import Image

from assay.language.dsl import NoOutput
from assay.language.inside import file_text
from assay.language.picture_files import file_fault, header, png_of_bmp
from assay.language.pictures import encoded_image
from assay.language.values import binary_block
from assay.records import Message
from evaluator import VISION_EVAL_LLM, Judge, LLMVisionRun
from testing.language.pipeline import ScriptedModel, run, run_in_sandbox, sandbox_unavailable
from testing.language.test_model_nodes import picture

EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(x) run\n"
JPEG_2000 = b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(1000)


def seen(value, *replies):
    """What comes of showing a value to a judge of pictures, without a sandbox; and that judge."""
    judge = ScriptedModel(*replies)
    return run(LLMVisionRun("Colour?"), value, vision=judge, open_sandbox=sandbox_unavailable), judge


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_whole_pictures_are_sent_as_they_are(kind):
    data = picture(kind)
    ran, judge = seen(data, "red")
    assert ran.output == "red" and judge.asked[0] == (Message("user", "Colour?", (data,)),)


@pytest.mark.parametrize("value", [picture("BMP"), Image.new("CMYK", (3, 2)), Image.new("F", (3, 2))])
def test_other_pictures_are_encoded(value):
    _, judge = seen(value, "ok")
    (sent,) = judge.asked[0][0].images
    assert (header(sent).format, header(sent).width, header(sent).height) == ("PNG", 3, 2)


NO_PICTURES = {
    "a text": "text",
    "nothing": b"",
    "None": None,
    "an empty BMP": b"BM" + bytes(60),
    "a cut BMP": picture("BMP")[:40],
    "only the beginning of a GIF": b"GIF89a" + bytes(range(200)),
    "a cut PNG": picture(size=(300, 200))[:-30],
    "a PNG with a wrong bit": picture(size=(30, 20))[:45] + b"\xff" + picture(size=(30, 20))[46:],
    "EPS": EPS,
    "JPEG 2000": JPEG_2000,
    "ICO": b"\0\0\1\0\1\0" + bytes(100),
    "a bomb": picture("BMP")[:18] + (60000).to_bytes(4, "little") * 2 + picture("BMP")[26:],
}


@pytest.mark.parametrize("case", NO_PICTURES)
def test_what_is_no_picture_is_a_fail_and_not_shown_to_the_judge(case):
    ran, judge = seen(NO_PICTURES[case])
    assert isinstance(ran.output, NoOutput) and judge.asked == []
    assert "no picture" in ran.text


@pytest.mark.parametrize("case", ["only the beginning of a GIF", "EPS", "a PNG with a wrong bit"])
def test_nor_is_it_where_there_is_a_sandbox(case):
    ran = run_in_sandbox(Judge("Red?", llm=VISION_EVAL_LLM), NO_PICTURES[case], vision=ScriptedModel())
    assert isinstance(ran.output, NoOutput) and "no picture" in ran.text


def test_a_picture_is_judged_where_there_is_a_sandbox():
    judge = ScriptedModel("VERDICT: YES")
    assert run_in_sandbox(Judge("Red?", llm=VISION_EVAL_LLM), picture(), vision=judge).output is True
    assert judge.asked[0][0].images == (picture(),)


@pytest.mark.parametrize("value", [picture(), picture("BMP"), EPS, JPEG_2000, NO_PICTURES["ICO"]])
def test_this_process_decodes_nothing(value, monkeypatch):
    """A plug-in of Pillow may start Ghostscript, or take all memory."""

    def opened(*_, **__):
        raise AssertionError("Image.open was called in this process")

    monkeypatch.setattr(Image, "open", opened)
    seen(value, "ok")
    run_in_sandbox(LLMVisionRun("?"), value, vision=ScriptedModel("ok"))


def test_what_is_larger_than_a_provider_takes_is_made_smaller():
    noise = random.Random(1).randbytes(3 * 2400 * 1600)
    out = io.BytesIO()
    Image.frombytes("RGB", (2400, 1600), noise).save(out, "PNG", compress_level=1)
    _, judge = seen(out.getvalue(), "ok")
    (sent,) = judge.asked[0][0].images
    assert len(sent) <= 700_000 and max(header(sent).width, header(sent).height) <= 2000
    assert header(sent).width * 2 == header(sent).height * 3


def decoded(data, format=""):
    done = subprocess.run(
        [sys.executable, "-I", "-c", file_text("picture_script.py"), format], input=data, capture_output=True
    )
    line, _, made = done.stdout.partition(b"\n")
    return json.loads(line), made


def test_in_the_sandbox_other_formats_are_pictures_too():
    facts, made = decoded(picture("TIFF"))
    assert facts == {"format": "TIFF", "width": 3, "height": 2, "as_is": False}
    assert (header(made).format, header(made).width) == ("PNG", 3)


def test_outside_it_only_the_format_of_the_header_is_tried():
    assert "fault" in decoded(picture("TIFF"), "PNG")[0] and "fault" not in decoded(picture(), "PNG")[0]


@pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP"])
def test_of_a_picture_that_moves_the_first_frame_is_sent(kind):
    """There are providers that refuse such a picture: an ERROR, each time anew, of the program's making."""
    out = io.BytesIO()
    frames = [Image.new("RGB", (3, 2), colour) for colour in ("red", "blue")]
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], lossless=True)
    facts, made = decoded(out.getvalue(), kind)
    assert facts["as_is"] is False and header(made).format == "PNG"
    with Image.open(io.BytesIO(made)) as image:
        assert not getattr(image, "is_animated", False)
        assert image.convert("RGB").getpixel((0, 0)) == (255, 0, 0)


# ---------------------------------------------------------------- by their structure


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "I;16"])
def test_every_kind_of_png_is_whole_until_it_is_cut(mode):
    out = io.BytesIO()
    Image.new(mode, (33, 17)).save(out, "PNG")
    assert file_fault(out.getvalue()) == ""
    assert file_fault(out.getvalue()[:-20]) != ""


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA"])
def test_a_bmp_is_the_same_picture_as_a_png(mode):
    source = Image.effect_noise((37, 5), 80).convert(mode)
    out = io.BytesIO()
    source.save(out, "BMP")
    png = png_of_bmp(out.getvalue())
    assert file_fault(png) == ""
    with Image.open(io.BytesIO(png)) as image, Image.open(io.BytesIO(out.getvalue())) as wanted:
        assert image.convert("RGB").tobytes() == wanted.convert("RGB").tobytes()


def test_a_picture_that_would_fill_the_memory_is_refused_unopened():
    with pytest.raises(ValueError, match="60000"):
        encoded_image(NO_PICTURES["a bomb"])


def test_a_short_bmp_takes_no_memory_for_the_rows_that_it_claims():
    head = b"BM" + struct.pack("<IHHI", 60, 0, 0, 54)
    claims = head + struct.pack("<IiiHHIIiiII", 40, 1, 15_000_000, 1, 24, 0, 0, 0, 0, 0, 0)
    tracemalloc.start()
    try:
        assert "cannot be decoded" in binary_block(claims, "file a.bmp").title
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
