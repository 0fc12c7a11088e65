from evaluator import *

DESCRIPTION = "Can the model turn untidy notes into JSON of a given shape?"
TAGS = ["format", "json", "data"]

question = """
Turn my notes into JSON for the booking system, please. It wants an object with the keys "guests" and "total_eur".
guests is a list in order of arrival; each has "name", "arrives" (YYYY-MM-DD), "nights" (a number), "rooms" (list of
numbers) and "extras" (list, lower case, sorted, empty if none). Cancelled bookings are left out. A room costs
60 euro a night, breakfast 8 euro and parking 5 euro a night for the booking, however many rooms it has.

notes (june 2024):
- Ada Okafor comes on the 14th, stays two nights, room 3, wants Parking + breakfast
- the Lindqvists (Per Lindqvist): 12th till 15th, rooms 1 and 2. no extras
- Mr. Tamm, 13th, one night, room 4 -> cancelled by phone
- Rosa Vidal, 14th of june, leaves on the 18th, room 4, breakfast. she comes in the evening, after Ada
"""

goal = {
    "guests": [
        {"name": "Per Lindqvist", "arrives": "2024-06-12", "nights": 3, "rooms": [1, 2], "extras": []},
        {
            "name": "Ada Okafor",
            "arrives": "2024-06-14",
            "nights": 2,
            "rooms": [3],
            "extras": ["breakfast", "parking"],
        },
        {"name": "Rosa Vidal", "arrives": "2024-06-14", "nights": 4, "rooms": [4], "extras": ["breakfast"]},
    ],
    "total_eur": 3 * 120 + 2 * (60 + 8 + 5) + 4 * (60 + 8),
}


def in_order_of_arrival(text):
    names = [guest["name"] for guest in json.loads(text)["guests"]]
    return names == [guest["name"] for guest in goal["guests"]], f"the guests are {names}"


TestMakeJson = (
    question
    >> LLMRun(json=True)
    >> ExtractJSON()
    >> (JSONSubsetEvaluator(goal) & PyFunc(in_order_of_arrival))
)

if __name__ == "__main__":
    print(run_test(TestMakeJson))
