import base64


def encoded(text):
    return base64.b64encode(text.encode()).decode()


RIGHT = {
    "TestBase64QandA": [
        [encoded("The Seine flows through Paris."), encoded("Seine has five letters.")],
        ["```\n" + encoded("It is the river Seine.") + "\n```", encoded("5")],
        [
            f"`{encoded('La Seine.')}`",
            "```base64\n" + encoded("Its name has **5 letters**: S-e-i-n-e.") + "\n```\n",
        ],
    ]
}

WRONG = {
    "TestBase64QandA": [
        "",
        "The Seine flows through Paris.",
        "VGhlIFNlaW5l (The Seine)",
        encoded("The Thames flows through Paris."),
        [encoded("The Seine."), "It has five letters."],
        [encoded("The Seine."), encoded("It has six letters.")],
        [encoded("The Seine."), encoded("Which name do you mean?")],
    ]
}
