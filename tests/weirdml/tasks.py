"""The six tasks: what a program finds in data/, what it shall write, and how that is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PREDICTIONS = "results/test_preds.txt"
# Of what is asked, told and scored, counted up when scores under the old and the new rules should not be pooled.
# 2: equal patches may change places; classes, time and comparisons are told; new chess labels.
RULES = 2


@dataclass(frozen=True)
class Task:
    """`shape`: of the predictions, (rows, integers a row). `chance`: the accuracy of guessing, of the most
    frequent answer where that is better. `baseline`: the accuracy of a simple program, scripts/naive_*.py, and
    `simple` in words what it does. `floor`: what a run must reach to PASS: clearly more than that. `files`:
    name -> what is in it. `about`: the question, in words for the model. `classes`: label -> its name, where
    labels are classes. `alike`: whether equal patches of an item may take each other's places."""

    name: str
    title: str
    shape: tuple[int, int]
    chance: float
    baseline: float
    simple: str
    floor: float
    files: Mapping[str, str]
    about: str
    metric: str = "accuracy: the share of the test items whose label you predict"
    classes: Mapping[int, str] = field(default_factory=dict)
    alike: bool = False


_SHAPES = {
    "train_data.npy": "float32 array (1000, 512, 2): for each item 512 points (x, y) in 0..1, in random order",
    "train_labels.npy": "int64 array (1000,): the labels, 0 circle, 1 square, 2 triangle, 3 pentagon, 4 star",
    "test_data.npy": "float32 array (1000, 512, 2): the items to tell, in the same form",
}
_KINDS = {0: "circle", 1: "square", 2: "triangle", 3: "pentagon", 4: "star"}
_PLACES = (
    "A label lists, for each of the nine patches in the order in which they are given, the place where it belongs: "
    "0 is top left, 2 top right, 8 bottom right. Every place appears once in an item."
)
_ENTRIES = (
    "accuracy: the share of all 9000 entries that are right. Patches of an item that are equal in every pixel may take "
    "each other's places"
)

TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        Task(
            "shapes_easy",
            "Shapes (easy)",
            (1000, 1),
            0.2,
            0.22,
            "the nearest mean cloud of a class",
            0.60,
            _SHAPES,
            "Each item is a cloud of 512 points. Some of them lie on the outline of one shape, more densely in "
            "some parts of it than in others; the rest are noise: points anywhere, in boxes and in streaks. How "
            "many lie on the shape differs between items. The middle of the shape is always the middle of the square, "
            "and all shapes of one kind have the same size and stand at the same angle (not always upright). Tell which "
            "shape it is.",
            classes=_KINDS,
        ),
        Task(
            "shapes_hard",
            "Shapes (hard)",
            (1000, 1),
            0.2,
            0.19,
            "the nearest mean cloud of a class",
            0.40,
            _SHAPES,
            "Each item is a cloud of 512 points. Some of them lie on the outline of one shape, more densely in "
            "some parts of it than in others; the rest are noise: points anywhere, in boxes and in streaks. How "
            "many lie on the shape differs between items. The shape may stand anywhere, turned by any angle, in "
            "any size, and may reach over the border. Tell which shape it is.",
            classes=_KINDS,
        ),
        Task(
            "shuffle_easy",
            "Shuffle (easy)",
            (1000, 9),
            0.19,  # a quarter of the patches have a twin
            0.68,
            "each patch to the nearest mean patch of a place",
            0.75,
            {
                "train_data.npy": "float32 array (2000, 9, 9, 9): for each item nine grey patches of 9 x 9 pixels "
                "in 0..1",
                "train_labels.npy": "int64 array (2000, 9): the place of each patch",
                "test_data.npy": "float32 array (1000, 9, 9, 9): the items to solve, in the same form",
            },
            "Grey pictures of 27 x 27 pixels, each of one thing to wear on a dark ground, were cut into 3 x 3 patches, "
            f"and the patches were shuffled. Find out where each patch belongs. {_PLACES}",
            _ENTRIES,
            alike=True,
        ),
        Task(
            "shuffle_hard",
            "Shuffle (hard)",
            (1000, 9),
            1 / 9,
            0.11,
            "leaving the patches as they are",
            0.30,
            {
                "train_data.npy": "float32 array (1000, 9, 3, 9, 9): for each item nine patches in colour, channels "
                "first, in 0..1",
                "train_labels.npy": "int64 array (1000, 9): the place of each patch",
                "test_data.npy": "float32 array (1000, 9, 3, 9, 9): the items to solve, in the same form",
            },
            "From each of many colour pictures of 64 x 64 pixels a window of 27 x 27 was taken at a random place, cut "
            f"into 3 x 3 patches, and the patches were shuffled. Find out where each patch belongs. {_PLACES}",
            _ENTRIES,
            alike=True,
        ),
        Task(
            "chess_winners",
            "Chess winners",
            (1000, 1),
            0.5,
            0.61,
            "who gave check more often has won",
            0.70,
            {
                "train_games.txt": "1000 lines, a game each: its moves in standard algebraic notation with move "
                "numbers, such as `1.e4 e5 2.Nf3 Nc6`",
                "train_labels.npy": "int64 array (1000,): 0 draw, 1 white won, 2 black won",
                "test_games.txt": "1000 lines: the games to tell, in the same form",
            },
            "Games of chess between beginners. They ended by mate, by resignation, on time or as a draw, and of about "
            "half of them the last half-move is left out, so that who moved last tells nothing. Whoever ran out of time "
            "lost, unless the other had no more than a king and one knight or bishop: then it was a draw. Tell how each "
            "game ended.",
            classes={0: "draw", 1: "white won", 2: "black won"},
        ),
        Task(
            "digits_unsup",
            "Digits",
            (500, 1),
            0.56,
            0.24,
            "the nearest picture that has a label",
            0.75,
            {
                "train_data_unlabeled.npy": "uint8 array (15962, 15, 7, 3): pictures of 15 x 7 pixels, RGB, without "
                "labels",
                "train_data_labeled.npy": "uint8 array (26, 15, 7, 3): the pictures that have a label",
                "train_labels.npy": "int64 array (26,): their labels, 1 to 6",
                "test_data.npy": "uint8 array (500, 15, 7, 3): the pictures to tell, in the same form",
            },
            "Small colour pictures of one digit each, 1 to 6, as if cut out of the display of a counter: not always in the "
            "middle. The digit is of a light colour, the ground of any: plain, grainy or in bands that may look like "
            "parts of digits, nearly black, or lighter than the digit, so that it is dark on light. Only 26 have a label, in "
            "which rare digits are more frequent than elsewhere; the digits are far from equally frequent in the "
            "other files. Tell which digit each test picture shows, as an integer from 1 to 6.",
            classes={digit: str(digit) for digit in range(1, 7)},
        ),
    )
}
