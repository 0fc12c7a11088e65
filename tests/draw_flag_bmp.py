from evaluator import *

DESCRIPTION = "Can the model write a C program that draws a flag as a BMP file, byte by byte?"
TAGS = ["code", "c", "visual", "format"]
DETERMINISTIC = True

question_japan = """
Write a C program, standard library only, that writes the flag of Japan to stdout as a BMP file, 300 pixels wide and
200 high. It's going into a build script, so it must not print anything else.
"""

question_norway = """
I'd like a small C program (no libraries) that makes a picture of the Norwegian flag and sends it to standard output
as an uncompressed 24 bit BMP, 220 x 160 pixels. Get the proportions right, please.
"""


def bmp_of_size(wanted_width, wanted_height):
    def check(data):
        header = data[:30]
        width, height = (int.from_bytes(header[at : at + 4], "little", signed=True) for at in (18, 22))
        depth = int.from_bytes(header[28:30], "little")
        pixels = data[int.from_bytes(header[10:14], "little") :]
        size = (width, abs(height))
        whole = len(pixels) >= (width * depth + 31) // 32 * 4 * abs(height)
        found = f"{header[:2]!r}, {size}, {depth} bits a pixel, {len(pixels)} bytes of pixels"
        return header[:2] == b"BM" and size == (wanted_width, wanted_height) and depth > 0 and whole, found

    return PyFunc(check)


judge = """
A program was asked to draw a flag. Which country's flag do you see in this picture? If shapes, colours or positions
are clearly wrong (mirrored, upside down, skewed, a part missing), say so and answer "none". Proportions that are off by a
tenth do not matter, nor do other shades of the right colours. Answer with the country's name alone, or none.
"""

TestDrawFlagBmpJapan = (
    question_japan
    >> LLMRun()
    >> ExtractCode(lang="c", keep_main=True)
    >> CRun(out_bytes=True)
    >> (bmp_of_size(300, 200) & Judge(judge, llm=VISION_EVAL_LLM, expect="Japan"))
)
TestDrawFlagBmpNorway = (
    question_norway
    >> LLMRun()
    >> ExtractCode(lang="c", keep_main=True)
    >> CRun(out_bytes=True)
    >> (bmp_of_size(220, 160) & Judge(judge, llm=VISION_EVAL_LLM, expect="Norway"))
)

if __name__ == "__main__":
    print(run_test(TestDrawFlagBmpJapan))
    print(run_test(TestDrawFlagBmpNorway))
