from evaluator import Call, Turn


def light(room, percent):
    return Call("set_light", room=room, percent=percent)


BEDROOM, BATHROOM, NURSERY, HALL = (
    light("bedroom", 0),
    light("bathroom", 0),
    light("nursery", 15),
    light("hall", 30),
)

RIGHT = {
    "TestSetLightScene": [
        Turn(BEDROOM, NURSERY, BATHROOM, HALL),
        Turn("Good night!", HALL, BATHROOM, BEDROOM, NURSERY),
    ],
    "TestWarmNursery": [
        Call("set_temperature", room="nursery", celsius=22),
        Turn("Done in a moment.", Call("set_temperature", room="nursery", celsius=22.0)),
    ],
}

WRONG = {
    "TestSetLightScene": [
        "Good night! All lights are off upstairs.",
        Turn(BEDROOM, BATHROOM, NURSERY),  # the hall was forgotten
        Turn(BEDROOM, BATHROOM, NURSERY, HALL, light("kitchen", 0)),
        Turn(BEDROOM, BATHROOM, light("nursery", 0), NURSERY, HALL),  # dark, then lit again
        Turn(BEDROOM, BATHROOM, NURSERY, light("hall", 50)),
        HALL,
    ],
    "TestWarmNursery": [
        Call("set_temperature", room="nursery", celsius=71.6),  # in Fahrenheit
        Call("set_temperature", room="nursery", celsius=23.6),
        Call("set_temperature", room="hall", celsius=22),
        "It is 22 °C in the nursery now.",
    ],
}
