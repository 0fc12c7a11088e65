from evaluator import *

DESCRIPTION = "Can the model make one file that is a whole PNG picture and a zip archive python runs?"
TAGS = ["code", "python", "format"]
REQUIRES = ["file", "python:PIL"]
DETERMINISTIC = True

question = """
For a treasure hunt I'd like to have one file, badge.png, that is two things at once. Every picture viewer (and the command
`file`) takes it for a PNG, 48 pixels wide and 32 high, all of it orange (255, 128, 0). But it is a good zip archive too, with
hint.txt in it (content "under the third bench", with a newline) and a __main__.py, so that `python3 badge.png` prints
"Welcome aboard!". Please write me a python script that creates badge.png, only with the standard library.
"""


def is_both():
    import os
    import subprocess
    import zipfile

    from PIL import Image

    if not os.path.exists("badge.png"):
        return False, "there is no badge.png"
    with open("badge.png", "rb") as file:
        data = file.read()
    detected = subprocess.run(["file", "-b", "badge.png"], capture_output=True, text=True).stdout
    if not detected.startswith("PNG image data, 48 x 32"):
        return False, f"file says {detected}"
    # every chunk, with its checksum: viewers differ in what they forgive
    import zlib

    at, kinds = 8, []
    while kinds[-1:] != [b"IEND"]:
        size = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if len(kind) < 4 or zlib.crc32(kind + body) != int.from_bytes(
            data[at + 8 + size : at + 12 + size], "big"
        ):
            return False, f"the chunk {kind!r} behind {kinds} is broken"
        kinds.append(kind)
        at += 12 + size
    with Image.open("badge.png") as picture:
        colours = picture.convert("RGBA").getcolors()
    if colours != [(48 * 32, (255, 128, 0, 255))]:
        return False, f"colours {colours}"
    with zipfile.ZipFile("badge.png") as archive:
        if archive.testzip() is not None:
            return False, "the archive is damaged"
        hint = archive.read("hint.txt")
    printed = subprocess.run(["python3", "badge.png"], capture_output=True, text=True, timeout=10).stdout
    return (
        hint == b"under the third bench\n" and printed.strip() == "Welcome aboard!",
        f"{hint!r}, {printed!r}",
    )


TestChangeFiletype = (
    question
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="python")
    >> PythonRun()
    >> PyEvaluator(is_both, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestChangeFiletype))
