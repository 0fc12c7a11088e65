"""The six tasks of the kind `learn`: data whose order must be found before anything can be learnt from it.

They stand beside the six of the benchmark, with the same rules, and are counted on their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from .tasks import TASKS, Task

_ITEMS = "the items to tell, in the same form"

LEARN: Mapping[str, Task] = {
    task.name: task
    for task in (
        Task(
            "learn_lock",
            "Lock",
            (1000, 1),
            0.2,
            0.20,
            "the frequency of each symbol for each position of each dial",
            0.60,
            {
                "train_data.npy": "uint8 array (3000, 16): for each item the positions of the 16 dials",
                "train_labels.npy": "int64 array (3000,): the symbols, 0 to 4",
                "test_data.npy": f"uint8 array (1000, 16): {_ITEMS}",
            },
            "A lock has 16 dials, each of which stands at one of the positions 0 to 5, and a window that shows one of five "
            "symbols. What it shows depends on the dials alone, always in the same way. The items are in random order. "
            "3% of the training labels are wrong; the test labels are all right. Tell which symbol the window shows.",
            classes={symbol: str(symbol) for symbol in range(5)},
        ),
        Task(
            "learn_heaps",
            "Heaps",
            (1000, 1),
            0.5,
            0.47,
            "the nearest open record, by the last sizes of the heaps",
            0.75,
            {
                "train_games.txt": "600 lines, the record of a finished game each",
                "train_open.txt": "300 lines, the record of a game that is not finished each",
                "train_labels.npy": "int64 array (300,): of those, 1 if the player to move wins, 0 if not",
                "test_open.txt": "1000 lines: the open records to tell, in the same form",
            },
            "Records of a game for two with four heaps of stones. The players move in turn; a move takes some stones "
            "from one heap, and whoever cannot move loses. Which moves are allowed is a secret, and the same "
            "in all records. A record has the sizes of the four heaps at the beginning and after each move, such as "
            "`9 12 8 15 > 9 12 6 15 > 9 12 6 11`. Each move was picked at random from those that were allowed. An open record "
            "breaks off after 2 to 9 moves. Tell whether the player whose turn it is then wins if both play perfectly from "
            "there on. In either file half of the open records are won.",
            classes={0: "lost", 1: "won"},
        ),
        Task(
            "learn_gauges",
            "Gauges",
            (1000, 1),
            0.125,
            0.14,
            "the nearest mean of a setting, each gauge scaled",
            0.65,
            {
                "train_data_unlabeled.npy": "float32 array (1500, 56): readings without a label",
                "train_data_labeled.npy": "float32 array (240, 56): the readings that have a label",
                "train_labels.npy": "int64 array (240,): the settings, 0 to 7",
                "test_data.npy": f"float32 array (1000, 56): {_ITEMS}",
            },
            "An apparatus has 56 gauges and a lever with eight settings. An item has the readings of all gauges at one "
            "moment. The gauges are the same in all files and in the same order, which means nothing. The settings are "
            "equally frequent in every file, and the items are in random order. Tell how the lever was set.",
            classes={setting: str(setting) for setting in range(8)},
        ),
        Task(
            "learn_log",
            "Log",
            (1000, 1),
            0.22,
            0.21,
            "the class of the entry with the nearest readings",
            0.65,
            {
                "train_data.npy": "float32 array (1500, 5): for each entry five readings, in the order of time",
                "train_labels.npy": "int64 array (1500,): the classes, 0 to 4",
                "test_data.npy": "float32 array (1000, 5): the entries that come next, in the same form",
            },
            "The log of a machine: one entry after the other, with five readings each, of one of five classes. The test "
            "entries follow at once on those to learn from. 2% of the training labels are wrong; the test labels are "
            "all right. Tell the class of each entry.",
            classes={label: str(label) for label in range(5)},
        ),
        Task(
            "learn_lamps",
            "Lamps",
            (1000, 1),
            0.2,
            0.20,
            "the nearest board with a label, lamp by lamp",
            0.60,
            {
                "train_data_unlabeled.npy": "uint8 array (1200, 200): boards without a label",
                "train_data_labeled.npy": "uint8 array (300, 200): the boards that have a label",
                "train_labels.npy": "int64 array (300,): the codes, 0 to 4",
                "test_data.npy": f"uint8 array (1000, 200): {_ITEMS}",
            },
            "A board has 200 lamps, each of which is dark (0) or lit (1), and what they show together has a code. "
            "The lamps are the same in all files and in the same order, which means nothing. Now and then, once in 500, a lamp "
            "shows the opposite of what it should. The codes are equally frequent in every file, and the items are "
            "in random order. Tell the code.",
            classes={code: str(code) for code in range(5)},
        ),
        Task(
            "learn_tongues",
            "Tongues",
            (1000, 1),
            0.125,
            0.11,
            "which letter follows which, as if all were written alike",
            0.60,
            {
                "train_texts.txt": "400 lines, a text of 60 letters each",
                "train_labels.npy": "int64 array (400,): the tongues, 0 to 7",
                "test_texts.txt": "1000 lines: the texts to tell, in the same form",
            },
            "Texts in eight made-up tongues. Every tongue has the same twelve sounds; which sound comes next depends on the "
            "one before it, and on chance, in each tongue in its own way. Each text is written in a secret writing "
            "of its own: the letters a to l stand for the twelve sounds in another, random order in every text. Tell "
            "which tongue each text is in.",
            classes={number: str(number) for number in range(8)},
        ),
    )
}
EVERY: Mapping[str, Task] = {**TASKS, **LEARN}
