def nothing(messages):
    return ""


LOOSE = r"""{
  "name": "north \"yard\"",
  "feeders": [
    {"id": 1, "kg": 2.50, "open": true},
    {"id": 2, "kg": 0.75, "open": false},
    {"id": 3, "kg": 0, "open": null}
  ],
  "note": "don't refill\nafter dark",
  "max": 40
}"""

CUT = r"""{"recipe": "rye bread", "grams": {"rye": 450, "water": 380, "salt": 9},
 "steps": [{"do": "mix", "minutes": 10, "tools": ["bowl", "spoon"]},
           {"do": "rest", "minutes": 720, "tools": []},
           {"do": "say \"done\" and bake", "minutes": 55}]}"""

RIGHT = {
    "TestFixJsonLoose": [
        f"Here you go:\n\n```json\n{LOOSE}\n```\n\nI quoted the keys, dropped the comment and added a comma.",
        LOOSE,
    ],
    "TestFixJsonCut": [CUT, f"```json\n{CUT}\n```\nThe half key `too` is gone."],
}

WRONG = {
    "TestFixJsonLoose": [
        nothing,
        "```json\n" + LOOSE.replace("true", '"True"') + "\n```",  # a boolean became a string
        "```json\n" + LOOSE.replace("\\nafter dark", "") + "\n```",  # lost half a note
        '```json\n{"config": ' + LOOSE + "}\n```",
    ],
    "TestFixJsonCut": [
        nothing,
        CUT.replace(', "minutes": 55', ', "minutes": 55, "tools": []'),  # invents what was cut off
        CUT.replace('"bowl", "spoon"', '"bowl spoon"'),
        [CUT[:-2], CUT[:-2]],  # still open
        ["I cannot repair this: the end of the file is missing.", "There is no JSON."],
    ],
}
