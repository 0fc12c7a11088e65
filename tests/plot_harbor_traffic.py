from evaluator import *

DESCRIPTION = "Can the model draw a chart from data that a person can read, judged by its picture?"
TAGS = ["code", "python", "visual", "data"]
REQUIRES = ["python:matplotlib", "python:PIL"]
DETERMINISTIC = True

question = """
Please write a python script that draws our harbor's year with matplotlib and writes the picture to standard output as png
(nothing else), 800 x 500 pixels. Ships per month from January to December: 31, 28, 35, 42, 55, 71, 80, 78, 60, 44, 33, 30.
As bars, the month of the maximum in red (#cc0000) and all others in grey (#888888), month names (Jan, Feb ...) below, the
title "Ships per month", and the value above each bar. No screen is connected to the machine.
"""


def has_red_and_grey_bars(png):
    from PIL import Image

    picture = Image.open(io.BytesIO(png))
    if picture.format != "PNG" or picture.size != (800, 500):
        return False, f"a {picture.format} of {picture.size}"
    counts = {}
    for count, colour in picture.convert("RGB").getcolors(1 << 20):
        counts[colour] = counts.get(colour, 0) + count
    red, grey = counts.get((204, 0, 0), 0), counts.get((136, 136, 136), 0)
    share = grey / max(red, 1)  # of the other bars' heights, 507, to the highest one's, 80
    return red > 1000 and 5.5 < share < 7.2, f"{red} red and {grey} grey pixels, {share:.2f} to 1"


judge = """
This should be a bar chart with twelve bars, one a month from Jan to Dec, with the title "Ships per month", the value above
each bar, the bar of July (80) in red and all others in grey. Is it, and is everything readable, with nothing cut off or
overlapping?
"""

TestPlotHarborTraffic = (
    question
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="python")
    >> PythonRun(out_bytes=True)
    >> (PyEvaluator(has_red_and_grey_bars) & Judge(judge, llm=VISION_EVAL_LLM))
)

if __name__ == "__main__":
    print(run_test(TestPlotHarborTraffic))
