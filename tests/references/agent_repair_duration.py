from evaluator import Call, Script

MENDED = r"""cat > duration.py <<'EOF'
import re

PARTS = r"(?:(\d+(?:\.\d+)?)h)?\s*(?:(\d+(?:\.\d+)?)m)?\s*(?:(\d+(?:\.\d+)?)s)?"


def parse(text):
    found = re.fullmatch(PARTS, text.strip())
    if found is None or not text.strip():
        raise ValueError(text)
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return int(hours * 3600 + minutes * 60 + seconds)
EOF
python3 test_duration.py"""

RESET = {
    "old_text": "            total += int(number) * UNITS[character]\n",
    "new_text": '            total += int(number) * UNITS[character]\n            number = ""\n',
}

RIGHT = {
    "TestRepairDuration": [
        Script(MENDED),
        [
            Call("shell", command="cat README duration.py; python3 test_duration.py"),
            Call("shell", command=MENDED),
            "Mended.",
        ],
    ]
}

WRONG = {
    "TestRepairDuration": [
        "I think that the number is not reset.",
        [Call("edit_file", path="duration.py", **RESET), "The test passes now."],
        Script(MENDED.replace("(?:\\.\\d+)?", "")),
        Script("echo 'print(\"all good\")' > test_duration.py"),
        Script(MENDED.replace("text.strip())\n", "text.replace(' ', ''))\n")),
        Script(MENDED.replace(" or not text.strip()", "")),
    ]
}
