from evaluator import *

DESCRIPTION = (
    "Can the model write a thumbnail script that minds turned photos, transparency and broken files?"
)
TAGS = ["code", "python", "image"]
REQUIRES = ["python:PIL"]
DETERMINISTIC = True

question = """
python script with Pillow please: everything below photos/ gets a small version in small/, same folders, same names.
- .jpg .jpeg .png, also in capitals. leave out all other files
- longest side at most 200 pixels, keep the shape, don't blow up pictures that are smaller
- photos from phones have to show upright (EXIF), now some come out lying on their side
- png stay png with their transparency, jpg stay jpg
- some files are damaged, the script must not stop there, and I don't want anything of them in small/ (which isn't there yet)
at the end it prints how many were written, like: 12 written
"""


def make_photos():
    from PIL import Image

    os.makedirs("photos/trip/day 2")
    os.makedirs("photos/empty")

    def quarters(width, height):
        """Red and green above, blue and white below."""
        image = Image.new("RGB", (width, height), "white")
        image.paste("red", (0, 0, width // 2, height // 2))
        image.paste("lime", (width // 2, 0, width, height // 2))
        image.paste("blue", (0, height // 2, width // 2, height))
        return image

    quarters(640, 480).save("photos/wide.jpg", quality=95)
    quarters(300, 500).save("photos/trip/tall.JPEG", quality=95)
    quarters(120, 80).save("photos/trip/tiny.jpg", quality=95)
    quarters(2000, 6).save("photos/strip.jpg", quality=95)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise: what is stored lies on its left side
    quarters(300, 600).transpose(Image.Transpose.ROTATE_90).save(
        "photos/trip/day 2/phone.JPG", quality=95, exif=exif
    )
    glass = quarters(400, 400).convert("RGBA")
    glass.putalpha(Image.radial_gradient("L").resize((400, 400)).point(lambda v: 255 if v < 100 else 0))
    glass.save("photos/glass.PNG")
    palette = Image.new("P", (500, 250), 0)
    palette.putpalette([255, 0, 255, 0, 160, 0])
    palette.paste(1, (125, 60, 375, 190))
    palette.save("photos/trip/sign.png", transparency=0)
    quarters(250, 250).convert("L").save("photos/grey.jpg", quality=95)
    quarters(500, 300).save("photos/clip.gif")
    with open("photos/wide.jpg", "rb") as file:
        half = file.read()[:2500]
    for name, data in (
        ("half.jpg", half),
        ("trip/empty.png", b""),
        ("text.png", b"hello"),
        ("notes.txt", b"jpg"),
    ):
        with open("photos/" + name, "wb") as file:
            file.write(data)


expected = {  # name: its size, and the corners' colours where it shows the four quarters
    "wide.jpg": ("JPEG", 200, 150, True),
    "trip/tall.JPEG": ("JPEG", 120, 200, True),
    "trip/tiny.jpg": ("JPEG", 120, 80, True),
    "strip.jpg": ("JPEG", 200, 1, False),
    "trip/day 2/phone.JPG": ("JPEG", 100, 200, True),
    "glass.PNG": ("PNG", 200, 200, False),
    "trip/sign.png": ("PNG", 200, 100, False),
    "grey.jpg": ("JPEG", 200, 200, False),
}


def are_small():
    from PIL import Image, ImageOps

    found = {
        os.path.relpath(os.path.join(folder, name), "small")
        for folder, _, names in os.walk("small")
        for name in names
    }
    if found != set(expected):
        return False, f"small/ holds {sorted(found)}"
    for name, (kind, width, height, quarters) in expected.items():
        with Image.open("small/" + name) as image:
            image.load()
            if image.format != kind:
                return False, f"{name} is a {image.format}"
            shown = ImageOps.exif_transpose(image).convert("RGBA")
        if abs(shown.width - width) > 1 or abs(shown.height - height) > 1 or max(shown.size) > 200:
            return False, f"{name} is {shown.size}"
        corners = [shown.getpixel((int(shown.width * x), int(shown.height * y)))
                   for x, y in ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8), (0.01, 0.01), (0.5, 0.45))]  # fmt: skip
        said = "".join("".join("01"[value > 127] for value in pixel[:3]) for pixel in corners[:4])
        if quarters and said != "100010001111":
            return False, f"{name} has the corners {corners}"
        if kind == "PNG" and not corners[4][3] == 0 < 255 == corners[5][3]:
            return False, f"{name} lost its transparency: {corners}"
    return True


TestPyImageResize = (
    Setup(make_photos)
    >> question
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="python")
    >> PythonRun()
    >> (RegexEvaluator(r"(?m)^8 written\s*$") & PyEvaluator(are_small))
)

if __name__ == "__main__":
    print(run_test(TestPyImageResize))
