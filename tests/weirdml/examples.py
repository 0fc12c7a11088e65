"""What the data look like: pictures of a few generated items of each task, for the report."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.records import Block
from assay.report.plot import Ink, plotted
from assay.suites.exhibits import Figure, Item

from .data.build import Recipe, generate
from .learn_tasks import EVERY, LEARN
from .prompt import question

if TYPE_CHECKING:  # --list must not wait for numpy
    from .data.streams import Array

RESULTS = ("draw", "white won", "black won")
LINES = ("learn_lock", "learn_heaps", "learn_tongues")  # shown as lines of text


def task_page() -> Iterable[Item]:
    """The tasks as models are told them, and examples."""
    yield "What the models are told of each task, and examples of the data as they are generated. They see no pictures."
    for name, task in EVERY.items():
        yield f"## {task.title}"
        yield Block("text", "the task", question(task))
        if name == "chess_winners":
            import numpy as np

            made = generate(Recipe(name, seed=-1, sizes=(4, 1)))
            lines = str(made.public["train_games.txt"]).splitlines()
            labels = np.asarray(made.public["train_labels.npy"])
            games = "\n\n".join(
                f"{line}\n-> {RESULTS[int(label)]}" for line, label in zip(lines, labels, strict=True)
            )
            yield Block("text", "examples", games)
        elif name in LINES:
            yield Block("text", "examples", "\n".join(_lines(name)))
        else:
            yield example(name)


def example(name: str) -> Figure:
    """Examples of one task, drawn."""
    draw, height = {
        "shapes_easy": (_shapes, 1.75),
        "shapes_hard": (_shapes, 1.75),
        "shuffle_easy": (_puzzles, 2.5),
        "shuffle_hard": (_puzzles, 2.5),
        "digits_unsup": (_digits, 2.5),
        "learn_gauges": (_gauges, 3.0),
        "learn_log": (_log, 3.4),
        "learn_lamps": (_lamps, 1.2),
    }[name]
    title = EVERY[name].title
    caption = {
        "learn_gauges": "Thirty items of each setting, one below the other; a column for each gauge, in the order of the file.",
        "learn_log": "The first four readings of the entries; a colour for each class.",
        "learn_lamps": "Boards, the lamps in the order of the file. Above each: its code.",
        "shapes": "Points that lie on a shape, and noise.",
        "shuffle": "Above: the nine patches as they are given. Below: where they belong.",
        "digits": "Above: of the labelled pictures. Below: of those without a label.",
    }[name if name in LEARN else name.partition("_")[0]]
    return plotted(f"{title}: examples", caption, partial(draw, name), width=9.0, height=height)


def _lines(name: str) -> Iterable[str]:
    import numpy as np

    made = generate(Recipe(name, seed=-1, sizes=(8, 1)))
    texts = made.public.get("train_texts.txt", made.public.get("train_open.txt"))
    if isinstance(texts, str):
        shown = texts.splitlines()[:8]
    else:
        shown = [" ".join(map(str, row)) for row in np.asarray(made.public["train_data.npy"])]
    for row, label in zip(shown, np.asarray(made.public["train_labels.npy"])[: len(shown)], strict=True):
        yield f"{row} -> {label}"


def _arrays(name: str, train: int, test: int = 1) -> dict[str, Array]:
    """Files of a small set of the task's data. The seed is none that is scored."""
    made = generate(Recipe(name, seed=-1, sizes=(train, test)))
    return {file: value for file, value in made.public.items() if not isinstance(value, str)}


def _panels(canvas: Any, rows: int, columns: int) -> Any:
    axes = canvas.subplots(rows, columns, squeeze=False)
    for each in axes.flat:
        each.set(xticks=[], yticks=[])
        each.grid(visible=False)
        for spine in each.spines.values():
            spine.set_visible(False)
    return axes


def _shapes(name: str, canvas: Any, ink: Ink) -> None:
    from .data.shapes import CLASSES

    data = _arrays(name, 60)
    points, labels = data["train_data.npy"], data["train_labels.npy"]
    axes = _panels(canvas, 1, 5)[0]
    for label, panel in enumerate(axes):
        at = next(number for number, each in enumerate(labels) if each == label)
        panel.plot(*points[at].T, ".", markersize=2.2, color=ink.cycle[0])
        panel.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        panel.set_title(CLASSES[label], loc="center", fontsize="small")
        for spine in panel.spines.values():
            spine.set(visible=True, color=ink.line)


def _puzzles(name: str, canvas: Any, ink: Ink) -> None:
    import numpy as np

    data = _arrays(name, 7)
    axes = _panels(canvas, 2, 7)
    for at in range(7):
        patches, places = data["train_data.npy"][at], data["train_labels.npy"][at]
        patches = patches.transpose(0, 2, 3, 1) if patches.ndim == 4 else patches[..., None]
        for row, order in ((0, np.arange(9)), (1, np.asarray(places))):
            picture = np.ones((29, 29, patches.shape[-1]))  # with a line between the patches
            for patch, place in zip(patches, order, strict=True):
                y, x = divmod(int(place), 3)
                picture[10 * y : 10 * y + 9, 10 * x : 10 * x + 9] = patch
            if row:
                picture = np.delete(np.delete(picture, [9, 19], 0), [9, 19], 1)
            axes[row, at].imshow(picture.squeeze(), cmap="gray", vmin=0, vmax=1, interpolation="nearest")


def _digits(name: str, canvas: Any, ink: Ink) -> None:
    data = _arrays(name, 400)
    labels = list(data["train_labels.npy"])
    chosen = sorted(range(26), key=lambda number: labels[number])[::2]
    axes = _panels(canvas, 2, 13)
    for at, number in enumerate(chosen):
        axes[0, at].imshow(data["train_data_labeled.npy"][number], interpolation="nearest")
        axes[0, at].set_title(str(labels[number]), loc="center", fontsize="small")
        axes[1, at].imshow(data["train_data_unlabeled.npy"][number], interpolation="nearest")


def _gauges(name: str, canvas: Any, ink: Ink) -> None:
    data = _arrays(name, 1500)
    every = data["train_data_unlabeled.npy"]
    readings, settings = data["train_data_labeled.npy"], data["train_labels.npy"]
    scaled = (readings - every.mean(0)) / every.std(0)
    axes = _panels(canvas, 1, 8)[0]
    for setting, panel in enumerate(axes):
        panel.imshow(scaled[settings == setting][:30], cmap="RdBu", vmin=-3, vmax=3, aspect="auto")
        panel.set_title(f"setting {setting}", loc="center", fontsize="small")


def _log(name: str, canvas: Any, ink: Ink) -> None:
    data = _arrays(name, 1500)
    axes = canvas.subplots(1, 2)
    for pair, panel in enumerate(axes):
        for label in range(5):
            mine = data["train_labels.npy"] == label
            panel.plot(*data["train_data.npy"][mine][:, 2 * pair : 2 * pair + 2].T, ".", markersize=2.5,
                       color=ink.cycle[label], label=f"class {label}")  # fmt: skip
        panel.set(xlabel=f"reading {2 * pair + 1}", ylabel=f"reading {2 * pair + 2}")
    handles, labels = axes[0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside lower center", ncols=5, fontsize="small", markerscale=3)


def _lamps(name: str, canvas: Any, ink: Ink) -> None:
    data = _arrays(name, 25)
    axes = _panels(canvas, 1, 7)[0]
    for at, panel in enumerate(axes):
        panel.imshow(data["train_data_labeled.npy"][at].reshape(10, 20), cmap="gray", interpolation="nearest")
        panel.set_title(str(data["train_labels.npy"][at]), loc="center", fontsize="small")
