"""Pages drawn by real headless Chromium inside the sandbox."""

import io

import pytest
from PIL import Image

from assay.language.dsl import NoOutput
from assay.language.picture_files import png_fault
from evaluator import LLMVisionRun, MakeFile, SeleniumDraw
from testing.language.pipeline import ScriptedModel, run_in_sandbox

TRIANGLE = """<body style="margin:0"><canvas id=c width=1024 height=768></canvas><script>
const gl = c.getContext('webgl', {preserveDrawingBuffer: true})
function shader(kind, source) {
  const made = gl.createShader(kind); gl.shaderSource(made, source); gl.compileShader(made); return made
}
const p = gl.createProgram()
gl.attachShader(p, shader(gl.VERTEX_SHADER, 'attribute vec2 a; void main() { gl_Position = vec4(a, 0, 1); }'))
gl.attachShader(p, shader(gl.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(1, 0, 0, 1); }'))
gl.linkProgram(p); gl.useProgram(p)
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, 0, 1]), gl.STATIC_DRAW)
gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
gl.clearColor(0, 0, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT); gl.drawArrays(gl.TRIANGLES, 0, 3)
</script>"""


def drawn(page, **arguments):
    ran = run_in_sandbox(SeleniumDraw(**arguments), page)
    assert isinstance(ran.output, bytes), ran.text
    return Image.open(io.BytesIO(ran.output)).convert("RGB")


def test_a_page_becomes_a_picture_of_it():
    picture = drawn(
        "<body style='margin:0;display:flex'><div style='background:#0f0;width:100px;height:768px'></div>"
    )
    assert picture.size == (1024, 768)
    assert picture.getpixel((50, 700)) == (0, 255, 0) and picture.getpixel((150, 700)) == (255, 255, 255)


def test_webgl_works():
    picture = drawn(TRIANGLE)
    assert picture.getpixel((512, 400)) == (255, 0, 0) and picture.getpixel((20, 20)) == (0, 0, 255)


def test_scripts_run_and_dialogs_do_not_hang_them():
    page = """<body><script>
    window.requestAnimationFrame = null
    alert(1); if (!confirm('sure?') && prompt('name') === null) document.body.style.background = '#00f'
    setInterval(() => alert('again'), 1)
    </script>"""
    assert drawn(page).getpixel((500, 500)) == (0, 0, 255)


def test_the_page_may_use_files_of_the_work_directory_and_no_network():
    page = """<link rel=stylesheet href=style.css><body><script>
    fetch('http://127.0.0.1/').catch(() => fetch('http://example.com/'))
      .catch(() => { document.body.style.color = document.body.style.background })
    </script>"""
    test = "body { background: #f00 }" >> MakeFile("style.css") >> page >> SeleniumDraw()
    picture = Image.open(io.BytesIO(run_in_sandbox(test).output)).convert("RGB")
    assert picture.getpixel((500, 500)) == (255, 0, 0)


def test_what_a_program_left_under_the_pictures_name_is_no_hindrance():
    test = (
        "ln -s /etc/passwd page.png; mkfifo page.html 2>/dev/null; rm page.html"
        >> _terminal()
        >> "<p>"
        >> SeleniumDraw()
    )
    assert isinstance(run_in_sandbox(test).output, bytes)


def _terminal():
    from evaluator import TerminalRun

    return TerminalRun()


@pytest.mark.slow(3)
@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("<script>for (;;);</script>", "not drawn within 4 s"),
        (
            "<script>let a = []; for (;;) a.push(new Array(1e6).fill(a.length))</script>",
            "brought the browser down",
        ),
    ],
)
def test_a_page_that_cannot_be_drawn_is_a_fail(page, why):
    ran = run_in_sandbox(SeleniumDraw(time_limit_s=4 if "for (;;);" in page else 20), page)
    assert isinstance(ran.output, NoOutput) and why in ran.output.why


def test_the_picture_reaches_the_vision_judge():
    judge = ScriptedModel("yes")
    ran = run_in_sandbox("<h1>Hi" >> SeleniumDraw() >> LLMVisionRun("Does it say Hi?"), vision=judge)
    assert ran.output == "yes"
    assert judge.asked[0][0].images[0].startswith(b"\x89PNG")
    assert any(block.kind == "image" for child in ran.blocks[0].children for block in child.children)


def png(size, kind="PNG"):
    out = io.BytesIO()
    Image.new("RGB", size).save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (png((4, 3)), ""),
        (png((5, 3)), "measures 5 x 3"),
        (png((4, 3), "GIF"), "not a PNG"),
        (png((4, 3))[:40], "not a PNG"),
        (b"", "not a PNG"),
        (png((4, 3))[:16] + (60000).to_bytes(4, "big") * 2 + png((4, 3))[24:], "measures 60000 x 60000"),
    ],
)
def test_bytes_that_are_no_picture_of_the_page_are_told(data, fault):
    assert fault in png_fault(data, 4, 3) and bool(fault) == bool(png_fault(data, 4, 3))
