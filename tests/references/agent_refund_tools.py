from evaluator import Call, Turn

LOOK = [
    Call("list_orders", customer="Mira"),
    Turn("I look at them.", *(Call("look_up", order=f"A{n}") for n in (1, 2, 3, 4))),
]
BOTH = [Call("refund", order="A1", cents=4900), Call("refund", order="A4", cents=2000)]

RIGHT = {"TestRefundTools": [[*LOOK, Turn(*BOTH), "I refunded A1 and A4."]]}

WRONG = {
    "TestRefundTools": [
        "I refunded A1 and A4.",
        [*LOOK, Turn(*BOTH, Call("refund", order="B1", cents=700)), "A1, A4 and B1."],
        [*LOOK, BOTH[0], "I refunded A1; A4 is too old."],
        [*LOOK, Turn(*BOTH, BOTH[0]), "I refunded A1 and A4."],
        [*LOOK, Turn(*BOTH), "Done."],
        [*LOOK, Turn(Call("refund", order="A1", cents=49), BOTH[1]), "A1 and A4."],
    ]
}
