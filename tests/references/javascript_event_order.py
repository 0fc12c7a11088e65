ORDER = list("HIEGUNJFOTLPRMKACBD")


def listed(letters):
    return "[" + ", ".join(f'"{letter}"' for letter in letters) + "]"


def moved(letter, behind):
    """The order with one letter put behind another."""
    rest = [each for each in ORDER if each != letter]
    rest.insert(rest.index(behind) + 1, letter)
    return listed(rest)


RIGHT = {
    "TestJavascriptEventOrder": [
        "First the script itself (an executor and an async function up to its first await run at once), then nextTick, then "
        "the microtasks in the order in which they were queued; a promise returned from then costs two more rounds. Last the "
        "timers, and after each of them ticks and microtasks.\n\n" + listed(ORDER),
        f"```json\n{listed(ORDER)}\n```\n\nK is so late because J's callback returns a promise.",
    ]
}

WRONG = {
    "TestJavascriptEventOrder": [
        lambda messages: "",
        moved("N", "K"),  # nextTick after the microtasks
        moved("K", "F"),  # as if a returned promise cost nothing
        moved("D", "A"),  # both timers before what the first one queued: as node did before version 11
        moved("B", "A"),
        moved("R", "T"),  # a rejection takes its way through then
        "Microtasks come before timers, and nextTick before them. " + listed(sorted(ORDER)),
    ]
}
