"""The rules of chess, as far as games need them: legal moves, their names (SAN), and how a game ends.

A board of 10 x 12 squares with a border: square 21 + file + 10 * rank, so that a1 is 21 and h8 is 98.
Pieces are 1 to 6 (pawn, knight, bishop, rook, queen, king), black ones negative, empty squares 0.
"""

from __future__ import annotations

from collections.abc import Iterator

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6
BORDER = 99
STRAIGHT, SLANTED = (-10, -1, 1, 10), (-11, -9, 9, 11)
JUMPS = (-21, -19, -12, -8, 8, 12, 19, 21)
ALL = STRAIGHT + SLANTED
STEPS = {BISHOP: SLANTED, ROOK: STRAIGHT, QUEEN: ALL}
LETTERS = " PNBRQK"
SQUARES = tuple(21 + file + 10 * rank for rank in range(8) for file in range(8))
NAMES = {square: "abcdefgh"[(square - 21) % 10] + str((square - 21) // 10 + 1) for square in SQUARES}
CORNERS = {21: 2, 28: 1, 91: 8, 98: 4}  # which right to castle ends when something moves from or to there
Move = tuple[int, int, int]  # from, to, the piece a pawn becomes (0: none)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Board:
    """A position. `side` is 1 for white, -1 for black; `rights` the castlings that are left (bits KQkq);
    `passing` the square a pawn has just skipped, 0 for none; `quiet` half-moves since the last capture or
    pawn's move."""

    def __init__(self, fen: str = START) -> None:
        places, turn, rights, passing, quiet = fen.split()[:5]
        self.at = [BORDER] * 120
        for rank, row in zip(range(7, -1, -1), places.split("/"), strict=True):
            file = 0
            for letter in row:
                if letter.isdigit():
                    for _ in range(int(letter)):
                        self.at[21 + file + 10 * rank] = 0
                        file += 1
                else:
                    piece = LETTERS.index(letter.upper())
                    self.at[21 + file + 10 * rank] = piece if letter.isupper() else -piece
                    file += 1
        self.side = 1 if turn == "w" else -1
        self.rights = sum(1 << "KQkq".index(each) for each in rights if each != "-")
        self.passing = {name: square for square, name in NAMES.items()}.get(passing, 0)
        self.quiet = int(quiet)
        self.kings = {1: self.at.index(KING), -1: self.at.index(-KING)}

    def key(self) -> tuple[object, ...]:
        """What must be the same for a position to be repeated."""
        return (*self.at[21:99], self.side, self.rights, self.passing)

    def attacked(self, square: int, by: int) -> bool:
        """Whether side `by` attacks a square."""
        at = self.at
        if at[square - by * 9] == by or at[square - by * 11] == by:
            return True
        knight, king = by * KNIGHT, by * KING
        for step in JUMPS:
            if at[square + step] == knight:
                return True
        for steps, slider in ((STRAIGHT, by * ROOK), (SLANTED, by * BISHOP)):
            queen = by * QUEEN
            for step in steps:
                here = square + step
                piece = at[here]
                if piece == king:
                    return True
                while piece == 0:
                    here += step
                    piece = at[here]
                if piece in (slider, queen):
                    return True
        return False

    def in_check(self) -> bool:
        return self.attacked(self.kings[self.side], -self.side)

    def candidates(self) -> Iterator[Move]:
        """The side's moves, also those that leave its king attacked."""
        at, side = self.at, self.side
        for square in SQUARES:
            piece = at[square] * side
            if piece <= 0 or piece == BORDER:
                continue
            if piece == PAWN:
                yield from self._pawn(square)
            elif piece in (KNIGHT, KING):
                for step in JUMPS if piece == KNIGHT else ALL:
                    target = at[square + step]
                    if target != BORDER and target * side <= 0:
                        yield square, square + step, 0
            else:
                for step in STEPS[piece]:
                    here = square + step
                    while at[here] == 0:
                        yield square, here, 0
                        here += step
                    if at[here] != BORDER and at[here] * side < 0:
                        yield square, here, 0
        yield from self._castlings()

    def _pawn(self, square: int) -> Iterator[Move]:
        at, side = self.at, self.side
        last = 8 if side > 0 else 1
        ahead = square + 10 * side
        targets = []
        if at[ahead] == 0:
            targets.append(ahead)
            if (square - 21) // 10 == (1 if side > 0 else 6) and at[ahead + 10 * side] == 0:
                targets.append(ahead + 10 * side)
        for aside in (ahead - 1, ahead + 1):
            piece = at[aside]
            if (piece * side < 0 and piece != BORDER) or (aside == self.passing and piece == 0):
                targets.append(aside)
        for target in targets:
            if (target - 21) // 10 + 1 == last:
                for becomes in (QUEEN, KNIGHT, ROOK, BISHOP):
                    yield square, target, becomes
            else:
                yield square, target, 0

    def _castlings(self) -> Iterator[Move]:
        at, side = self.at, self.side
        home, mine = (25, self.rights & 3) if side > 0 else (95, self.rights >> 2)
        if not mine or at[home] != side * KING or self.attacked(home, -side):
            return
        if mine & 1 and at[home + 1] == at[home + 2] == 0 and not self.attacked(home + 1, -side):
            yield home, home + 2, 0
        if (
            mine & 2
            and at[home - 1] == at[home - 2] == at[home - 3] == 0
            and not self.attacked(home - 1, -side)
        ):
            yield home, home - 2, 0

    def is_castling(self, move: Move) -> bool:
        return abs(self.at[move[0]]) == KING and abs(move[1] - move[0]) == 2

    def legal(self, move: Move) -> bool:
        """Whether a candidate leaves the side's own king safe."""
        at, side = self.at, self.side
        start, end, _ = move
        piece, taken = at[start], at[end]
        beside = end - 10 * side if piece * side == PAWN and end == self.passing and taken == 0 else 0
        at[start], at[end] = 0, piece
        if beside:
            pawn, at[beside] = at[beside], 0
        safe = not self.attacked(end if piece * side == KING else self.kings[side], -side)
        at[start], at[end] = piece, taken
        if beside:
            at[beside] = pawn
        return safe

    def legal_moves(self) -> list[Move]:
        return [move for move in self.candidates() if self.legal(move)]

    def any_legal(self) -> bool:
        return any(self.legal(move) for move in self.candidates())

    def play(self, move: Move) -> None:
        """Make a legal move."""
        at, side = self.at, self.side
        start, end, becomes = move
        piece, taken = at[start], at[end]
        kind = piece * side
        at[start], at[end] = 0, side * becomes if becomes else piece
        self.quiet = 0 if kind == PAWN or taken else self.quiet + 1
        if kind == PAWN and end == self.passing and taken == 0:
            at[end - 10 * side] = 0
        if kind == KING:
            if abs(end - start) == 2:
                rook = end + 1 if end > start else end - 2
                at[(start + end) // 2], at[rook] = at[rook], 0
            self.kings[side] = end
            self.rights &= ~(3 if side > 0 else 12)
        for corner in (start, end):
            if corner in CORNERS:
                self.rights &= ~CORNERS[corner]
        self.passing = 0
        if kind == PAWN and abs(end - start) == 20 and -side * PAWN in (at[end - 1], at[end + 1]):
            self.passing = (start + end) // 2
        self.side = -side

    def copy(self) -> Board:
        other: Board = Board.__new__(Board)
        other.__dict__ = {**self.__dict__, "at": self.at[:], "kings": dict(self.kings)}
        return other

    def san(self, move: Move) -> str:
        """The name of a legal move, which is then made; e.g. Nbd7, exd6, O-O, e8=Q+."""
        start, end, becomes = move
        piece = self.at[start] * self.side
        if self.is_castling(move):
            name = "O-O" if end > start else "O-O-O"
        elif piece == PAWN:
            takes = (end - start) % 10 != 0
            name = (NAMES[start][0] + "x" if takes else "") + NAMES[end]
            name += f"={LETTERS[becomes]}" if becomes else ""
        else:
            name = LETTERS[piece] + self._from(move) + ("x" if self.at[end] else "") + NAMES[end]
        self.play(move)
        if not self.in_check():
            return name
        return name + ("+" if self.any_legal() else "#")

    def _from(self, move: Move) -> str:
        """What tells the piece from others of its kind that could go there."""
        start, end, _ = move
        same = self.at[start]
        if sum(piece == same for piece in self.at) == 1:
            return ""
        rivals = [
            each[0]
            for each in self.candidates()
            if each[1] == end and each[0] != start and self.at[each[0]] == same and self.legal(each)
        ]
        if not rivals:
            return ""
        file, rank = NAMES[start][0], NAMES[start][1]
        if all(NAMES[each][0] != file for each in rivals):
            return file
        return rank if all(NAMES[each][1] != rank for each in rivals) else file + rank

    def can_mate(self, side: int) -> bool:
        """Whether `side` has enough left to mate at all: more than a king with one knight or bishop."""
        left = [
            abs(piece) for piece in self.at if piece * side > 0 and piece != BORDER and abs(piece) != KING
        ]
        return len(left) > 1 or (len(left) == 1 and left[0] not in (KNIGHT, BISHOP))

    def too_little(self) -> bool:
        """Whether neither side has enough left to mate: bare kings, or one knight or bishop more."""
        left = [abs(piece) for piece in self.at if piece not in (0, BORDER) and abs(piece) != KING]
        return not left or (len(left) == 1 and left[0] in (KNIGHT, BISHOP))
