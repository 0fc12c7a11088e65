RIGHT = {
    "TestExplainVbroadcast": [
        """- `vbroadcastf128` loads 128 bits and puts them into both halves: 10 20 30 40 10 20 30 40
- `vbroadcastsd` repeats one 64 bit element, here the two floats 30 40: 30 40 30 40 30 40 30 40
- the blend takes the upper four from ymm1: 10 20 30 40 30 40 30 40
- `vbroadcastss` repeats the lowest float of xmm0, 10, eight times

20, 30, 40, 50, 40, 50, 40, 50""",
        "They copy 128, 64 and 32 bits to all places. [rsi+8] is where 30 is, and the 64 bits there are 30 and 40.\n\n"
        "**ymm0 = [20.0, 30.0, 40.0, 50.0, 40.0, 50.0, 40.0, 50.0]**",
    ]
}

WRONG = {
    "TestExplainVbroadcast": [
        "",
        # takes the offset of the double for an index of floats
        "vbroadcastf128 repeats 128 bits, vbroadcastsd 64, vbroadcastss 32.\n\n20, 30, 40, 50, 100, 110, 100, 110",
        # sd as if it were a single
        "The scalar at rsi+8 is 30.\n\n20, 30, 40, 50, 40, 40, 40, 40",
        # the blend the other way round
        "The mask F0 selects the low half.\n\n40, 50, 40, 50, 20, 30, 40, 50",
        # the highest element first
        "vbroadcastf128, vbroadcastsd, vbroadcastss explained.\n\n50, 40, 50, 40, 50, 40, 30, 20",
        "vbroadcastss takes the element from memory: 10 20 30 40 30 40 30 40 plus the same.\n\n20, 40, 60, 80, 60, 80, 60, 80",
    ]
}
