def turns(*pairs, last):
    """Question, answer, question, answer ..., and the last message."""
    return [text for pair in pairs for text in pair] + [last]


RIGHT = {
    "TestPlay20QuestionsAnimal": [
        turns(
            ("Is it a mammal?", "no"),
            ("Does it live on land?", "no"),
            ("Is it a fish?", "no"),
            ("What does it eat?", "please ask a yes-or-no question"),
            ("Sorry. Has it got more than four limbs?", "yes"),
            ("Has it got a hard shell?", "No."),
            ("Are its limbs eight arms?", "Yes."),
            last="My guess: an **octopus**",
        ),
        turns(
            ("Does it live in water?", "yes"),
            ("Has it got eight arms?", "yes"),
            last="**MY GUESS**: Octopus!",
        ),
    ],
    "TestPlay20QuestionsThing": [
        turns(
            ("Is it a car or a bench?", "please ask a yes-or-no question"),
            ("Is it a car?", "no"),
            ("Is it larger than a person?", "sometimes"),
            ("Can you move with it?", "yes"),
            ("Has it got an engine?", "no"),
            ("Does it have two wheels?", "yes"),
            last="It must be this.\n\nMy guess: a bicycle.",
        ),
        turns(
            ('I write "My guess: ..." later. Do you ride on it?', "yes"),
            ("Has it got pedals?", "yes"),
            last="My guess: a bike",
        ),
    ],
}


def never_stops(messages):
    """Asks, and as the judge answers, for ever."""
    return "no" if "The secret thing is" in messages[0].content else "Is it an octopus or a bicycle?"


def says_nothing(messages):
    """The player; the judge answers."""
    return "no" if "The secret thing is" in messages[0].content else ""


WRONG = {
    "TestPlay20QuestionsAnimal": [
        "My guess: a squid",
        turns(
            ("Does it live in water?", "yes"),
            ("Has it got arms?", "yes"),
            last="My guess: a squid, not an octopus",
        ),
        "My guess: a squid or an octopus",
        never_stops,
        says_nothing,
    ],
    "TestPlay20QuestionsThing": [
        "My guess: a lamp post",
        turns(("Has it got wheels?", "yes"), ("Is it a bicycle?", "yes"), last="My guess: a motorbike"),
        never_stops,
        says_nothing,
    ],
}
