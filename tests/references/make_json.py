import json


def nothing(messages):
    return ""


PER = {"name": "Per Lindqvist", "arrives": "2024-06-12", "nights": 3, "rooms": [1, 2], "extras": []}
TAMM = {"name": "Mr. Tamm", "arrives": "2024-06-13", "nights": 1, "rooms": [4], "extras": []}
ADA = {
    "name": "Ada Okafor",
    "arrives": "2024-06-14",
    "nights": 2,
    "rooms": [3],
    "extras": ["breakfast", "parking"],
}
ROSA = {"name": "Rosa Vidal", "arrives": "2024-06-14", "nights": 4, "rooms": [4], "extras": ["breakfast"]}


def booking(guests, total):
    return json.dumps({"guests": guests, "total_eur": total}, indent=2)


RIGHT = {
    "TestMakeJson": [
        booking([PER, ADA, ROSA], 778),
        f"```json\n{booking([PER, ADA, ROSA], 778.0)}\n```",
    ]
}

WRONG = {
    "TestMakeJson": [
        nothing,
        booking([PER, TAMM, ADA, ROSA], 838),  # the cancelled guest
        booking([ADA, PER, ROSA], 778),  # in the order of the notes
        booking([PER, ADA, ROSA], 598),  # forgets that two rooms cost twice as much
        booking([PER, ADA, ROSA, TAMM], 778),
    ]
}
