from evaluator import Call, Turn

GUESTS = ["anna.berg@example.org", "j.okafor@example.org"]


def book(**other):
    usual = {"room": "Curie", "date": "2026-03-17", "start": "14:15", "minutes": 75, "guests": GUESTS}
    return Call("book_room", **(usual | other))


RIGHT = {
    "TestBookMeetingRoom": [
        book(),
        Turn("I book Curie for you.", book(video=False, minutes=75.0)),
    ],
    "TestAskForBookingId": [
        "Sure. What is the booking ID? It is in the confirmation, and looks like R-20817-K.",
        "To cancel it I need the confirmation number that you got when you booked.",
    ],
}

WRONG = {
    "TestBookMeetingRoom": [
        "I have booked Curie for Tuesday, 17 March, 14:15 to 15:30.",  # says so, and does nothing
        book(date="2026-03-24"),
        book(start="2:15"),
        book(minutes=90),
        book(guests=[*GUESTS, "me@example.org"]),
        book(minutes="75"),
        book(video=True),
        Turn(book(), book()),  # twice
        Call("book_room", '{"room": "Curie", "date": "2026-03-17", '),
        Call("reserve", room="Curie"),
    ],
    "TestAskForBookingId": [
        Call("cancel_booking", booking_id="R-20817-K"),  # the example
        Turn("I cancel the booking with the ID of Monday.", Call("cancel_booking", booking_id="monday")),
        "Your room on Monday is cancelled.",
        Call("cancel_booking", "{"),
    ],
}
