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
            0.14,
            0.15,
            "the frequency of each symbol for each position of each dial",
            0.60,
            {
                "train_data.npy": "uint8 array (1200, 24): for each item the positions of the 24 dials",
                "train_labels.npy": "int64 array (1200,): the symbols, 0 to 6",
                "test_data.npy": f"uint8 array (1000, 24): {_ITEMS}",
            },
            "A lock has 24 dials, each of which stands at one of the positions 0 to 6, and a window that shows one of seven "
            "symbols. What it shows depends on the dials alone, always in the same way; some of the dials may not "
            "matter. The dials were set at random. 8% of the training labels were misread: they are some other symbol. "
            "The test labels are all right. Tell which symbol the window shows.",
            classes={symbol: str(symbol) for symbol in range(7)},
        ),
        Task(
            "learn_heaps",
            "Heaps",
            (1000, 1),
            0.5,
            0.49,
            "how often positions with a heap of that size are won",
            0.75,
            {
                "train_data.npy": "uint8 array (1500, 3): for each position the sizes of its three heaps",
                "train_labels.npy": "int64 array (1500,): 1 if the player to move wins, 0 if not",
                "test_data.npy": "uint8 array (1000, 5): the positions to tell, of five heaps",
            },
            "Positions of a game for two with heaps of 0 to 47 stones. Whoever is to move takes stones from one heap of "
            "their choice. How many may be taken is a secret that depends only on how many stones that heap has, and "
            "is the same for every heap. Whoever cannot move loses. Both play perfectly. Tell whether the player to "
            "move wins. In either file half of the positions are won. 3% of the training labels are wrong; the test "
            "labels are all right.",
            classes={0: "lost", 1: "won"},
        ),
        Task(
            "learn_ring",
            "Ring",
            (1000, 1),
            0.34,
            0.22,
            "the nearest mean of a state, each column scaled",
            0.65,
            {
                "train_data.npy": "float32 array (1500, 20): for each item the readings of the twenty sensors",
                "train_labels.npy": "int64 array (1500,): the state of the tank, 0 to 4",
                "test_data.npy": "float32 array (1000, 20): the items to tell; other columns, see above",
            },
            "Twenty sensors stand in a ring around a tank, which is in one of five states. In each state a sensor has a "
            "reading of its own, and noise comes on top, of which each sensor shares some with its neighbours on both "
            "sides. The sensors were plugged in in no particular order, so nobody knows which column belongs to which "
            "place in the ring. Before the test they were all plugged in again: in the test data the columns are in "
            "another order, the same for all test items, and each sensor has another gain (above 0) and "
            "another offset. The states are as frequent in the test as in training. Tell the state.",
            classes={state: str(state) for state in range(5)},
        ),
        Task(
            "learn_drift",
            "Drift",
            (1000, 1),
            0.22,
            0.28,
            "the nearest mean of a class in the last tenth of the training data",
            0.65,
            {
                "train_data.npy": "float32 array (1500, 4): for each item four readings, in the order of time",
                "train_labels.npy": "int64 array (1500,): the classes, 0 to 4",
                "test_data.npy": f"float32 array (1000, 4): {_ITEMS}",
            },
            "Four readings of an instrument for each item, of one of five classes. The items of a file are in the order in which "
            "they were recorded, at equal intervals. The test items were recorded later, after a pause of which nobody took "
            "the time; the interval is the same in both files. The instrument drifts: the readings of each class scatter "
            "around a place of its own, and these places move on and on, also during the pause, smoothly, each in its own "
            "way, and pass each other. 2% of the items have gone astray, and their readings say nothing. Tell the class.",
            classes={label: str(label) for label in range(5)},
        ),
        Task(
            "learn_things",
            "Things",
            (1000, 1),
            0.17,
            0.27,
            "the nearest labelled readings, detector by detector",
            0.60,
            {
                "train_data_unlabeled.npy": "uint8 array (800, 169): readings without a label, each 0 or 1",
                "train_data_labeled.npy": "uint8 array (200, 169): the readings that have a label",
                "train_labels.npy": "int64 array (200,): the number of things, 1 to 6",
                "test_data.npy": f"uint8 array (1000, 169): {_ITEMS}",
            },
            "169 light detectors hang above a table on which one to six things lie. Each detector looks at a spot of its own; "
            "nobody noted which, but the spots cover the table without gaps. Its reading is 1 if the spot is bright, "
            "0 if it is dark; about a third of the detectors are wired the wrong way round and always say the opposite. "
            "Sometimes the things are bright on a dark table, sometimes dark on a bright one. A thing covers 4 to 26 spots "
            "that hang together, and there is always some table between two things. About 1% of all readings are wrong. "
            "The detectors are the same in all files, in the same order. Tell how many things lie on the table.",
            classes={number: str(number) for number in range(1, 7)},
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
