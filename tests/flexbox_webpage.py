from evaluator import *

DESCRIPTION = "Can the model lay out a page with flexbox, judged on the picture a real browser makes of it?"
TAGS = ["code", "html", "visual"]
REQUIRES = ["python:PIL"]

question = """
I need a static web page for the display at our ferry pier. It should fill the whole window, whatever its size, without
margins or scroll bars: on top a bar, 60 pixels high, colour #203040, in it the heading "Ferry times" in white and
centered; at the bottom a bar of 40 pixels in #008060, empty; between them on the left a column, 200 pixels wide,
#ffd000, empty, and the white rest on its right. Exactly in the middle of that rest a square, 120 pixels on a side, in
#c00000. Use flexbox, please. Show me the html and the css.
"""

one_file = """
Below is an answer with a web page, maybe in several parts. Put it into one html file with the css inside it and reply
with only that file in one code block. Change nothing else.

<A>
"""


def laid_out(png):
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    width, height = picture.size
    x, y = (200 + width) // 2, 60 + (height - 100) // 2
    bar, green, yellow, red, white = (32, 48, 64), (0, 128, 96), (255, 208, 0), (192, 0, 0), (255, 255, 255)
    wanted = {
        (5, 5): bar,
        (width - 6, 54): bar,
        (5, 65): yellow,
        (195, height - 45): yellow,
        (205, 65): white,
    }
    wanted |= {(5, height - 35): green, (width - 6, height - 5): green, (width - 6, height - 45): white}
    wanted |= {(x + dx, y + dy): red for dx in (-56, 56) for dy in (-56, 56)}
    wanted |= {(x + dx, y + dy): white for dx, dy in [(-64, 0), (64, 0), (0, -64), (0, 64)]}
    wrong = [
        f"{at} is {picture.getpixel(at)} instead of {colour}"
        for at, colour in wanted.items()
        if max(abs(a - b) for a, b in zip(picture.getpixel(at), colour, strict=True)) > 4
    ]
    return not wrong, "; ".join(wrong) or "all colours where they belong"


judge = """
This is a picture of a web page. Is the heading "Ferry times" readable in white letters in the middle of the dark bar at
the top, and is there no other text?
"""

TestFlexboxWebpage = (
    question
    >> LLMRun()
    >> ExtractCode(manual=one_file)  # html and css may come in two blocks
    >> (
        RegexEvaluator(r"display\s*:\s*(inline-)?flex")
        & (SeleniumDraw() >> Echo() >> (PyEvaluator(laid_out) & Judge(judge, llm=VISION_EVAL_LLM)))
    )
)

if __name__ == "__main__":
    print(run_test(TestFlexboxWebpage))
