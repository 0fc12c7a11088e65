"""What a step shows of bytes that are not text: a picture where they are one, else the head of a hex dump."""

import io
import struct

import pytest
from PIL import Image

from assay.language.dsl import as_blocks
from assay.language.picture_files import header
from assay.language.values import MAX_PIXELS, binary_block, is_binary, value_block
from assay.records import Block, Outcome
from evaluator import EqualEvaluator, MakeFile, PyEvaluator, PyFunc, PythonRun, SubstringEvaluator
from testing.language.pipeline import Emit, run, run_in_sandbox, trial

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")


def picture(format="PNG", size=(20, 10), colour=(200, 30, 40)):
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, format=format)
    return out.getvalue()


def blocks_of(block):
    yield block
    for child in block.children:
        yield from blocks_of(child)


def of_kind(ran, kind):
    return [each for block in ran.blocks for each in blocks_of(block) if each.kind == kind]


def never(data):
    return False


@pytest.mark.parametrize("format", FORMATS)
def test_a_picture_that_fails_is_shown(format):
    data = picture(format)
    ran = run(PyFunc(never), data)
    (verdict,), (shown,) = of_kind(ran, "verdict"), of_kind(ran, "image")
    assert verdict.body == f"returned False; called with a {format} picture of 20 x 10, {len(data):,} bytes"
    assert shown.title == "called with" and shown.body == f"{format}, 20 x 10 pixels, {len(data):,} bytes"
    with Image.open(io.BytesIO(shown.data)) as image:
        assert image.format == ("PNG" if format == "BMP" else format) and image.size == (20, 10)
        red, green, blue = image.convert("RGB").getpixel((3, 3))
        assert abs(red - 200) < 12 and abs(green - 30) < 12 and abs(blue - 40) < 12


@pytest.mark.parametrize("format", FORMATS)
def test_sizes_are_read_from_headers(format):
    for size in ((1, 1), (300, 200), (641, 3)):
        found = header(picture(format, size))
        assert (found.format, found.width, found.height) == (format, *size)


def test_lossless_and_extended_webp_and_bmp_upside_down_tell_their_size():
    for options in ({"lossless": True}, {"exif": b"Exif\0\0MM"}):
        out = io.BytesIO()
        Image.new("RGBA", (33, 44), (1, 2, 3, 90)).save(out, format="WEBP", **options)
        assert (header(out.getvalue()).width, header(out.getvalue()).height) == (33, 44)
    flipped = bytearray(picture("BMP"))
    flipped[22:26] = struct.pack("<i", -10)
    assert header(bytes(flipped)).height == 10
    assert binary_block(bytes(flipped), "it").kind == "image"


def test_any_step_that_fails_shows_it():
    for judge in (SubstringEvaluator("a text"), EqualEvaluator("a text")):
        ran = run(judge, picture())
        assert [each.title for each in of_kind(ran, "image")] == ["the output"]
        assert "it was a PNG picture of 20 x 10" in ran.text
        assert "�" not in ran.text
    assert of_kind(run(~SubstringEvaluator("x"), b"no text \xff\0"), "code") == []  # passed: nothing to show


def test_what_a_function_returns_or_raises_on_is_shown():
    assert of_kind(run(PyFunc(lambda data: picture("BMP")), "any"), "image")
    ran = run(PyFunc(lambda data: 1 / 0), picture())
    assert of_kind(ran, "image")[0].title == "called with" and "ZeroDivisionError" in ran.text


def test_other_bytes_are_a_hex_dump_with_their_length():
    data = b"\x7fELF\x02\x01" + bytes(5000)
    ran = run(PyFunc(never), data)
    (shown,) = of_kind(ran, "code")
    assert shown.language == "hexdump" and shown.body.startswith("00000000  7f 45 4c 46 02 01 00 00")
    assert shown.body.splitlines()[0].endswith("  .ELF............")
    assert shown.body.endswith("...\n5,006 bytes in all") and len(shown.body.splitlines()) == 18
    assert "5,006 bytes that are not text" in ran.text


def test_what_an_old_style_reason_holds_is_shown_too():
    (shown,) = as_blocks([picture("BMP")])
    assert shown.kind == "image" and shown.body.startswith("BMP, 20 x 10")
    assert as_blocks(b"\0\1")[0].language == "hexdump"
    assert as_blocks("gr\u00fc\u00dfe".encode()) == (Block("text", body="gr\u00fc\u00dfe"),)


def test_text_stays_text():
    assert not is_binary("\0") and not is_binary("größe\n\tund\x1b[0m".encode())
    assert value_block(b"12 rows\n", "output") == Block("text", "output", "12 rows\n")
    assert "called with '12 rows\\n'" in run(PyFunc(never), b"12 rows\n").text


@pytest.mark.parametrize("size", [(40_000, 40_000), (2**31 - 1, 2**31 - 1), (MAX_PIXELS + 1, 1)])
def test_a_picture_that_claims_to_be_huge_is_never_opened(size, monkeypatch):
    def opened(*args, **kwargs):
        raise AssertionError("decoded")

    monkeypatch.setattr(Image, "open", opened)
    for format, at, form in (("PNG", 16, ">II"), ("BMP", 18, "<II")):
        data = bytearray(picture(format))
        data[at : at + 8] = struct.pack(form, *size)
        shown = binary_block(bytes(data), "drawn")
        assert shown.kind == "code" and "too large to be shown" in shown.title


@pytest.mark.parametrize("format", FORMATS)
def test_a_broken_picture_is_a_hex_dump_that_says_so(format):
    noise = Image.effect_noise((64, 64), 90).convert("RGB")
    out = io.BytesIO()
    noise.save(out, format=format)
    for cut in (len(out.getvalue()) // 2, 40):
        shown = binary_block(out.getvalue()[:cut], "drawn")
        assert shown.kind == "code" and shown.body.endswith(f"{cut:,} bytes in all")
        assert "cannot be decoded" in shown.title or (format == "JPEG" and cut == 40)


def test_a_header_of_another_format_is_not_tried():
    """Pillow must not be talked into a decoder that the first bytes do not name."""
    shown = binary_block(b"BM" + picture("PNG")[2:], "drawn")
    assert shown.kind == "code"


def test_the_flag_drawn_in_the_sandbox_is_in_the_record():
    program = """
import struct, sys
rows = (b"\\x30\\x20\\xd0" * 30) * 20
head = b"BM" + struct.pack("<IHHI", 54 + len(rows) + 40, 0, 0, 54)
info = struct.pack("<IiiHHIIiiII", 40, 30, 20, 1, 24, 0, 0, 0, 0, 0, 0)
padded = b"".join(rows[y * 90 : y * 90 + 90] + b"\\0\\0" for y in range(20))
sys.stdout.buffer.write(head + info + padded)
"""
    record = trial(Emit((program,)) >> PythonRun(out_bytes=True) >> PyFunc(never))
    assert record.outcome is Outcome.FAIL
    shown = [each for each in blocks_of(record.reason) if each.kind == "image"]
    assert [each.body[:20] for each in shown] == ["BMP, 30 x 20 pixels,"] * 2
    assert shown[0].data == shown[1].data and shown[0].data.startswith(b"\x89PNG")
    assert "�" not in str(record.reason)


def wants_text(data):
    return b"hello" in data


def test_a_verdict_in_the_sandbox_and_a_file_show_bytes_too():
    ran = run_in_sandbox(MakeFile("a.png") >> PyEvaluator(wants_text), picture())
    titles = [each.title for each in of_kind(ran, "image")]
    assert ran.output is False and titles == ["file a.png", "called with"]
    assert "wants_text() returned False; called with a PNG picture" in ran.text
