DIE = 4
GO, JAIL, C1, E3, GO_TO_JAIL, H2, R1 = 0, 10, 11, 24, 30, 39, 5
CHEST = (2, 17, 33)
CHANCE = (7, 22, 36)
RAILWAYS = (5, 15, 25, 35)
UTILITIES = (12, 28)


def following(square, kind):
    return min(kind, key=lambda other: (other - square) % 40)


def ends(square):
    """Where a player who comes to `square` ends the turn: pairs of square and probability."""
    if square == GO_TO_JAIL:
        return [(JAIL, 1.0)]
    if square in CHEST:
        return [(GO, 1 / 16), (JAIL, 1 / 16), (square, 14 / 16)]
    if square in CHANCE:
        railway = following(square, RAILWAYS)
        sent = [GO, JAIL, C1, E3, H2, R1, railway, railway, following(square, UTILITIES)]
        back = [(end, chance / 16) for end, chance in ends(square - 3)]
        return [(end, 1 / 16) for end in sent] + back + [(square, 6 / 16)]
    return [(square, 1.0)]


# A Markov chain whose states are a square and the number of doubles in a row (0, 1 or 2).
moves = {}
for square in range(40):
    for doubles in range(3):
        chances = {}
        for first in range(1, DIE + 1):
            for second in range(1, DIE + 1):
                streak = doubles + 1 if first == second else 0
                landings = [(JAIL, 1.0)] if streak == 3 else ends((square + first + second) % 40)
                for end, chance in landings:
                    state = end, streak % 3
                    chances[state] = chances.get(state, 0) + chance / DIE**2
        moves[square, doubles] = list(chances.items())

share = dict.fromkeys(moves, 0.0)
share[GO, 0] = 1.0
for _ in range(300):
    after = dict.fromkeys(moves, 0.0)
    for state, probability in share.items():
        for end, chance in moves[state]:
            after[end] += probability * chance
    share = after

squares = [sum(share[square, doubles] for doubles in range(3)) for square in range(40)]
most_visited = sorted(range(40), key=lambda square: -squares[square])[:3]
print("".join(f"{square:02}" for square in most_visited))
