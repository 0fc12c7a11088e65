from evaluator import *

DESCRIPTION = (
    "Can the model call a tool with all that was asked for, and call none where it lacks what the tool needs?"
)
TAGS = ["tools", "agent"]

question_book = """
it's thursday, 12 march 2026. we need Curie on tuesday next week, from quarter past two in the afternoon until half past
three. invite anna.berg@example.org and j.okafor@example.org, I'm on the list anyway. everybody will be on site
"""

question_cancel = """
hi! please cancel my room on monday, the workshop was called off. thanks
"""


@tool
def book_room(
    room: Literal["Aalto", "Bohr", "Curie"],
    date: str,
    start: str,
    minutes: int,
    guests: list[str] | None = None,
    video: bool = False,
):
    """Books a meeting room.

    date: as YYYY-MM-DD
    start: as HH:MM, 24 hours
    minutes: how long the room is needed
    guests: e-mail addresses to which an invitation is sent, in the order in which they were named
    video: whether people join by video
    """


@tool
def cancel_booking(booking_id: str):
    """Cancels a booking for good: the room is free for others at once.

    booking_id: as in the confirmation that was sent to who booked, e.g. R-20817-K
    """


booking = {
    "room": "Curie",
    "date": "2026-03-17",
    "start": "14:15",
    "minutes": 75,
    "guests": ["anna.berg@example.org", "j.okafor@example.org"],
}

TestBookMeetingRoom = (
    question_book >> LLMRun(tools=[book_room, cancel_booking]) >> ToolCallEvaluator("book_room", booking)
)

# Nobody can know the id: the model must ask for it, and cancel nothing
asks_for_the_id = RegexEvaluator(r"\b(id|number|code|reference|confirmation)\b", ignore_case=True)

TestAskForBookingId = (
    question_cancel
    >> LLMRun(tools=[book_room, cancel_booking])
    >> (
        ~ToolCallEvaluator("cancel_booking", among=True)
        & ~ToolCallEvaluator("book_room", among=True)
        & asks_for_the_id
    )
)

if __name__ == "__main__":
    print(run_test(TestBookMeetingRoom))
    print(run_test(TestAskForBookingId))
