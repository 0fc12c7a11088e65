from evaluator import *

DESCRIPTION = "Can the model draw with bare WebGL, judged on what a real browser shows?"
TAGS = ["code", "javascript", "html", "visual"]
REQUIRES = ["python:PIL"]

question_triangle = """
I'm learning WebGL and want the smallest complete example, in one html file without any library: a canvas of 400 x 400
pixels in the top left corner of the page (no margin), cleared to black, on it a triangle in pure red with its corners
at (-0.8, -0.8), (0.8, -0.8) and (0, 0.8) in clip coordinates. It must be drawn at once when the page is loaded, by
WebGL, not by the 2d context.
"""

question_house = """
Please draw a simple house with WebGL, one html file, no libraries and no images from elsewhere. The canvas is 400 wide
and 400 high and lies at the very top left of the page. Sky in light blue (#87ceeb) behind everything, the lower quarter
of the canvas lawn in #228b22. The wall is a #fff8dc rectangle, from x = 100 to 300 and y = 180 to 340 (pixels from the
top left), with a triangular roof in #b22222 above it, from (80, 180) and (320, 180) to (200, 80), and a door #8b4513
from x = 180 to 220, y = 260 to 340.
"""


def shows(png, wanted):
    """Whether the picture has these colours at these places."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    wrong = [
        f"{at} is {picture.getpixel(at)} instead of {colour}"
        for at, colour in wanted.items()
        if max(abs(a - b) for a, b in zip(picture.getpixel(at), colour, strict=True)) > 4
    ]
    return not wrong, "; ".join(wrong) or "all colours where they belong"


black, red = (0, 0, 0), (255, 0, 0)
triangle = {
    (200, 50): red,
    (200, 350): red,
    (50, 356): red,
    (350, 356): red,
    (200, 200): red,
    (130, 200): red,
}
triangle |= {
    (200, 34): black,
    (100, 200): black,
    (300, 200): black,
    (200, 370): black,
    (5, 5): black,
    (395, 395): black,
}

sky, lawn, wall, roof, door = (135, 206, 235), (34, 139, 34), (255, 248, 220), (178, 34, 34), (139, 69, 19)
house = {(10, 10): sky, (390, 290): sky, (90, 185): sky, (10, 310): lawn, (390, 390): lawn, (200, 350): lawn}
house |= {
    (110, 190): wall,
    (290, 330): wall,
    (200, 250): wall,
    (200, 90): roof,
    (100, 175): roof,
    (300, 175): roof,
}
house |= {(185, 265): door, (215, 335): door, (120, 100): sky, (280, 100): sky}


def shows_triangle(png):
    return shows(png, triangle)


def shows_house(png):
    return shows(png, house)


judge = """
A program had to draw a plain house: a wall with a red triangular roof on it and a brown door in the wall, on a green
lawn under a light blue sky. Does this picture show that?
"""

uses_webgl = RegexEvaluator(r"""getContext\(\s*["'`](experimental-)?webgl2?["'`]""")

TestWebGLTriangle = (
    question_triangle
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="html")
    >> (uses_webgl & (SeleniumDraw() >> PyEvaluator(shows_triangle)))
)
TestWebGLHouse = (
    question_house
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="html")
    >> (uses_webgl & (SeleniumDraw() >> (PyEvaluator(shows_house) & Judge(judge, llm=VISION_EVAL_LLM))))
)

if __name__ == "__main__":
    print(run_test(TestWebGLTriangle))
    print(run_test(TestWebGLHouse))
