from evaluator import Call, Turn

LOOK = [
    Call("list_orders", customer="Mira"),
    Turn("I look at them.", *(Call("look_up", order=f"A{n}") for n in (1, 2, 3, 4))),
]
BOTH = [Call("refund", order="A1", cents=4900), Call("refund", order="A4", cents=2000)]

RIGHT = {
    "TestRefundTools": [
        [*LOOK, Turn(*BOTH), "A2 is too old, A3 is on its way.\n\nRefunded: A1, A4"],
        [*LOOK, Turn(*BOTH), "_Refunded: A1, A4_"],
        [*LOOK, *BOTH, "I could not refund A2, A3 and B1.\n**Refunded:** `A4` and `A1`."],
    ]
}

WRONG = {
    "TestRefundTools": [
        "Refunded: A1, A4",
        [*LOOK, Turn(*BOTH, Call("refund", order="B1", cents=700)), "Refunded: A1, A4, B1"],
        [*LOOK, Turn(*BOTH), "Refunded: A1, A4, B1"],
        [*LOOK, Turn(*BOTH), "Refunded: A1, A2, A3, A4"],
        [*LOOK, Turn(*BOTH), "Not refunded: A1, A4"],
        [*LOOK, Turn(*BOTH), "Refunded: A1, A2, A3, A4, B1\nNot refunded: A1, A4"],
        [*LOOK, Turn(*BOTH), "Refunded: B1\nRefunded: A1, A4"],
        [*LOOK, BOTH[0], "A4 is too old.\nRefunded: A1"],
        [*LOOK, Turn(*BOTH, BOTH[0]), "Refunded: A1, A4"],
        [*LOOK, Turn(*BOTH), "Done."],
        [*LOOK, Turn(Call("refund", order="A1", cents=49), BOTH[1]), "Refunded: A1, A4"],
    ]
}
