from evaluator import *

DESCRIPTION = "Can the model write a JPEG encoder from memory, byte by byte, that real decoders read?"
TAGS = ["code", "python", "image", "format"]
REQUIRES = ["python:PIL"]
DETERMINISTIC = True

question = """
On our board there is only bare python, no Pillow, no numpy, and I have to save camera pictures as JPEG. Please write
save_jpeg(path, rows) with the standard library only: rows is a list of rows from top to bottom, each a list of
(r, g, b) with 0 to 255. Any size from 1 x 1 on, also when it's not a multiple of 8. It must be a real colour JPEG that
browsers open, of good quality but clearly smaller than the raw pixels for a normal picture. Our pictures are small, so
it may be slow, but 100 x 60 should take less than 3 seconds.
"""


def pictures():
    """Name -> rows of (r, g, b): smooth, sharp edged, odd sizes, extremes."""

    def picture(width, height, colour):
        return [[colour(x, y) for x in range(width)] for y in range(height)]

    def shapes(x, y):
        if (x - 30) ** 2 + (y - 28) ** 2 < 300:
            return 230, 40, 30
        return (20 + 2 * x, 240 - 3 * y, 90 + x) if (x // 4 + y // 4) % 9 else (250, 250, 250)

    return {
        "smooth": picture(96, 56, lambda x, y: (40 + 2 * x, 250 - 4 * y, 128 + x // 2 - y)),
        "shapes": picture(61, 43, shapes),
        "checks": picture(24, 24, lambda x, y: (255, 255, 255) if (x + y) % 2 else (0, 0, 0)),
        "dot": picture(1, 1, lambda x, y: (10, 200, 90)),
        "line": picture(1, 30, lambda x, y: (8 * y, 0, 255 - 8 * y)),
        "white": picture(17, 9, lambda x, y: (255, 255, 255)),
        "blue": picture(40, 16, lambda x, y: (0, 0, 255)),
    }


def save_all():
    return "import json\nfor name, rows in json.load(open('pictures.json')).items():\n" + (
        "    save_jpeg(name + '.jpg', [[tuple(pixel) for pixel in row] for row in rows])\n"
    )


def make_pictures():
    with open("pictures.json", "w") as file:
        json.dump(pictures(), file)


def they_open():
    from PIL import Image

    worst = {"smooth": 2, "shapes": 12, "checks": 10, "dot": 4, "line": 5, "white": 2, "blue": 4}
    for name, rows in pictures().items():
        with Image.open(name + ".jpg") as image:
            image.load()
            if image.format != "JPEG" or image.size != (len(rows[0]), len(rows)):
                return False, f"{name} is {image.format}, {image.size}"
            data = image.convert("RGB").tobytes()
        raw = bytes(value for row in rows for pixel in row for value in pixel)
        off = sum(abs(a - b) for a, b in zip(data, raw, strict=True)) / len(raw)
        print(f"{name}: {off:.1f} off on average, {os.path.getsize(name + '.jpg')} bytes of {len(raw)}")
        if off > worst[name]:
            return False, f"{name} does not look like what was drawn"
    small = os.path.getsize("smooth.jpg") < 0.4 * 3 * 96 * 56
    return small, "smooth.jpg is hardly compressed"


libraries = r"(PIL|numpy|cv2|imageio|scipy|matplotlib|subprocess)\b"
uses_a_library = RegexEvaluator(rf"(?m)^\s*(import\s.*\b{libraries}|from\s+{libraries}\S*\s+import)")

TestPythonJpeg = (
    Setup(make_pictures)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (~uses_a_library & (PythonRun(save_all()) >> PyEvaluator(they_open)))
)

if __name__ == "__main__":
    print(run_test(TestPythonJpeg))
