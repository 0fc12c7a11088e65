from evaluator import *

DESCRIPTION = (
    "Can the model work out several calls of a tool at once, with every room right and none touched in vain?"
)
TAGS = ["tools", "agent", "math"]

question_night = """
we're off to bed. upstairs (bedroom, nursery, bathroom) all lights off please, but in the nursery leave 15 percent. and the
hall at half of what it has now, it's at 60. the rest stays as it is
"""

question_warm = """
It's a bit chilly in the nursery: the thermostat there says 68 °F. Could you set it 3.6 °F higher? Only the nursery, please.
"""

ROOMS = Literal["bedroom", "nursery", "bathroom", "hall", "kitchen", "living room"]


@tool
def set_light(room: ROOMS, percent: int):
    """Sets the brightness of the light of one room.

    percent: 0 is off, 100 is as bright as it can be
    """


@tool
def set_temperature(room: ROOMS, celsius: float):
    """Sets to how many degrees Celsius a room is heated."""


def is_lit(room, percent):
    return ToolCallEvaluator("set_light", {"room": room, "percent": percent}, among=True)


def how_many(reply):
    return len(reply.calls)


TestSetLightScene = (
    question_night
    >> LLMRun(tools=[set_light, set_temperature])
    >> (
        is_lit("bedroom", 0)
        & is_lit("bathroom", 0)
        & is_lit("nursery", 15)
        & is_lit("hall", 30)
        & (PyFunc(how_many) >> EqualEvaluator(4))
    )
)

TestWarmNursery = (
    question_warm
    >> LLMRun(tools=[set_light, set_temperature])
    >> ToolCallEvaluator("set_temperature", {"room": "nursery", "celsius": 22})
)

if __name__ == "__main__":
    print(run_test(TestSetLightScene))
    print(run_test(TestWarmNursery))
