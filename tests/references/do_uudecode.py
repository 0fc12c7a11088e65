RIGHT = {
    "TestDoUUDecode": [
        "It is uuencoded text:\n\n> Meet me at the old lighthouse, Thursday 19:45.\n"
        "> Bring 3 lanterns and the brass key, not the dog.",
        "```\nMeet me at the old lighthouse, Thursday 19:45.\nBring 3 lanterns and the brass key, not the dog.\n```",
    ]
}

WRONG = {
    "TestDoUUDecode": [
        "",
        "This is uuencoded; you can decode it with `uudecode note.txt`.",
        "Meet me at the old lighthouse, Tuesday 19:45.\nBring 3 lanterns and the brass key, not the dog.",
        "Meet me at the old lighthouse, Thursday 19:45.",
        "Bring 3 lanterns and the brass key, not the dog. Meet me at the old lighthouse, Thursday 19:45.",
    ]
}
