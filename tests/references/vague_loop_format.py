def seats(first, last, plus):
    """Seat ids number `first` to `last` (from 0), with a plus where `plus(number)` says so."""
    return "\n".join(f"R{i // 3 + 1:02d}-{'ABC'[i % 3]}{'+' if plus(i) else ''}" for i in range(first, last))


def even(i):
    return i % 2 == 0


RIGHT = {
    "TestVagueLoopFormat": [
        seats(0, 36, even),
        "```\n" + seats(7, 36, even) + "\n```",
    ]
}

WRONG = {
    "TestVagueLoopFormat": [
        "",
        seats(7, 33, even),  # stops at row 11
        seats(7, 36, lambda i: i % 3 != 1),  # a plus on every A and C
        seats(7, 36, lambda i: False),
        "R03-B\nR03-C+\n...\nR12-A\nR12-B+\nR12-C",
    ]
}
