TEXT = (
    "Right, so we left the harbour at six, and the fog was so thick that you could not see the end of the pier. "
    "We waited and waited and waited for the signal. Then my sister shouted that she'd heard the bell, no, not the "
    "bell, the horn of the ferry. Nobody believed her, nobody. But she was right. She was always right about sounds. "
    "The ferry passed us so, so close that I could've read the paper over the captain's shoulder. After that we, uh, "
    "we rowed back, made tea and never told our mother."
)

RIGHT = {
    "TestWhisperMerge": [
        TEXT,
        "Here is the merged transcript:\n\n> "
        + TEXT.replace("she'd", "she\u2019d").replace("nobody. But", "nobody, but").replace(". ", ".\n> ")
        + "\n\nI kept the repeated words, since they are spoken that way.",
    ]
}

WRONG = {
    "TestWhisperMerge": [
        "",
        TEXT.replace(
            "waited and waited and waited", "waited and waited"
        ),  # a repetition taken for an overlap
        TEXT.replace("bell, no, not the bell,", "bell, no, not the bell, no, not the bell,"),
        TEXT.replace("so, so close", "so close"),
        TEXT.replace("we, uh, we", "we"),  # tidied up
        TEXT.replace("the captain's shoulder", "the captain's tain's shoulder"),
        "Right, so we left the harbour at six, in thick fog. The sister heard the horn of the ferry, and nobody "
        "believed her. They rowed back, made tea and never told our mother.",
    ]
}
