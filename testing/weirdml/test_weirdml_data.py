"""The generated data: the same bytes everywhere, of the promised shapes, and as hard as they should be."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.weirdml.data import build
from tests.weirdml.data.build import SIZES, Recipe, cached, dataset, generate
from tests.weirdml.data.digits import SHARES
from tests.weirdml.data.streams import Stream, circle, quota
from tests.weirdml.learn_tasks import LEARN

PUBLISHED = json.loads((Path(build.__file__).parent / "manifest.json").read_text())["sha256"]
SMALL = (40, 30)
SHAPES = {  # file -> type and shape, N for how many
    "shapes_easy": {"train_data.npy": "float32 (N, 512, 2)", "train_labels.npy": "int64 (N,)",
                    "test_data.npy": "float32 (N, 512, 2)"},
    "shuffle_easy": {"train_data.npy": "float32 (N, 9, 9, 9)", "train_labels.npy": "int64 (N, 9)",
                     "test_data.npy": "float32 (N, 9, 9, 9)"},
    "shuffle_hard": {"train_data.npy": "float32 (N, 9, 3, 9, 9)", "train_labels.npy": "int64 (N, 9)",
                     "test_data.npy": "float32 (N, 9, 3, 9, 9)"},
    "digits_unsup": {"train_data_unlabeled.npy": "uint8 (N, 15, 7, 3)",
                     "test_data.npy": "uint8 (N, 15, 7, 3)",
                     "train_data_labeled.npy": "uint8 (26, 15, 7, 3)", "train_labels.npy": "int64 (26,)"},
}  # fmt: skip
SHAPES["shapes_hard"] = SHAPES["shapes_easy"]
_LABELS = {"train_labels.npy": "int64 (N,)"}
SOON = [task for task in LEARN if task != "learn_lamps"]  # made within a second
_FEW = "train_data_labeled.npy"
LEARN_SHAPES = {
    "learn_lock": {"train_data.npy": "uint8 (N, 16)", "test_data.npy": "uint8 (N, 16)", **_LABELS},
    "learn_log": {"train_data.npy": "float32 (N, 5)", "test_data.npy": "float32 (N, 5)", **_LABELS},
    "learn_gauges": {"train_data_unlabeled.npy": "float32 (N, 56)", _FEW: "float32 (240, 56)",
                     "train_labels.npy": "int64 (240,)", "test_data.npy": "float32 (N, 56)"},
    "learn_lamps": {"train_data_unlabeled.npy": "uint8 (N, 200)", _FEW: "uint8 (300, 200)",
                    "train_labels.npy": "int64 (300,)", "test_data.npy": "uint8 (N, 200)"},
}  # fmt: skip


@pytest.mark.parametrize(
    "task",
    [
        "shapes_easy",
        "shapes_hard",
        "digits_unsup",
        *SOON,
        pytest.param("learn_lamps", marks=pytest.mark.slow(7)),
    ],
)
def test_this_machine_makes_the_published_data(task):
    assert generate(Recipe(task)).hashes() == PUBLISHED[task]


@pytest.mark.parametrize("task", ["shuffle_easy", "shuffle_hard", "chess_winners"])
def test_an_item_does_not_depend_on_how_many_there_are(task):
    few, more = generate(Recipe(task, sizes=(3, 2))), generate(Recipe(task, sizes=(5, 4)))
    assert (few.labels == more.labels[:2]).all()
    name = "test_games.txt" if task == "chess_winners" else "test_data.npy"
    if task == "chess_winners":
        assert more.public[name].startswith(few.public[name])
    else:
        assert (few.public[name] == more.public[name][:2]).all()


def test_the_slow_tasks_begin_as_published(tmp_path):
    """Their first items, by hashes that were taken with numpy 1.26 and with 2.4."""
    found = {}
    for task in ("shuffle_easy", "shuffle_hard", "chess_winners"):
        found[task] = generate(Recipe(task, sizes=(8, 8))).hashes()["test_labels"][:16]
    assert found == FIRST_LABELS
    inputs = generate(Recipe("shuffle_hard", sizes=(1, 8))).hashes()["test_data.npy"][:16]
    games = generate(Recipe("chess_winners", sizes=(1, 8))).hashes()["test_games.txt"][:16]
    clothes = generate(Recipe("shuffle_easy", sizes=(1, 8))).hashes()["test_data.npy"][:16]
    assert (inputs, games, clothes) == FIRST_INPUTS


@pytest.mark.parametrize("task", SHAPES)
def test_shapes_and_types(task):
    made = generate(Recipe(task, sizes=SMALL))
    for name, value in made.public.items():
        told = SHAPES[task][name].replace("N", str(SMALL[name.startswith("test")]))
        assert f"{value.dtype} {value.shape}" == told, name
        if value.dtype == np.float32:
            assert value.min() >= 0 and value.max() <= 1
    assert set(made.public) == set(SHAPES[task]), "nothing else, and no test labels"
    rows = made.labels.reshape(SMALL[1], -1)
    if task.startswith("shuffle"):
        assert (np.sort(rows, 1) == np.arange(9)).all()


@pytest.mark.parametrize("task", LEARN_SHAPES)
def test_shapes_and_types_of_the_new_tasks(task):
    made = generate(Recipe(task, sizes=SMALL))
    assert set(made.public) == set(LEARN_SHAPES[task]), "nothing else, and no test labels"
    for name, value in made.public.items():
        told = LEARN_SHAPES[task][name].replace("N", str(SMALL[name.startswith("test")]))
        assert f"{value.dtype} {value.shape}" == told, name
    assert set(LEARN[task].files) == set(made.public)
    assert made.labels.shape == (SMALL[1],)


@pytest.mark.slow(5)
def test_tongues_are_lines_of_twelve_letters():
    made = generate(Recipe("learn_tongues", sizes=SMALL))
    lines = made.public["test_texts.txt"].splitlines()
    assert len(lines) == SMALL[1] and {len(line) for line in lines} == {60}
    assert set("".join(lines)) == set("abcdefghijkl")
    assert set(LEARN["learn_tongues"].files) == set(made.public)


def test_heaps_are_records_in_lines():
    made = generate(Recipe("learn_heaps", sizes=SMALL))
    assert set(LEARN["learn_heaps"].files) == set(made.public)
    files = {name: text.splitlines() for name, text in made.public.items() if name.endswith(".txt")}
    assert [len(files[name]) for name in ("train_games.txt", "train_open.txt", "test_open.txt")] == [
        40,
        300,
        30,
    ]
    for name, lines in files.items():
        for line in lines:
            record = np.array([at.split() for at in line.split(" > ")], dtype=int)
            steps = -np.diff(record, axis=0)
            assert record.shape[1] == 4 and record.min() >= 0
            assert ((steps > 0).sum(1) == 1).all() and steps.min() == 0, "each move takes from one heap"
            assert name == "train_games.txt" or 2 <= len(steps) <= 9


@pytest.mark.parametrize("task", LEARN)
def test_the_sizes_that_a_task_states_are_those_of_its_data(task):
    told = " ".join(LEARN[task].files.values())
    assert all(str(count) in told for count in SIZES[task])
    assert LEARN[task].shape == (SIZES[task][1], 1)


def test_most_labels_of_the_lock_are_right_and_all_of_the_test():
    from tests.weirdml.data.dials import POSITIONS, mechanism, shown

    recipe = Recipe("learn_lock")
    made, (order, sent) = generate(recipe), mechanism(recipe.key, recipe.task)
    assert (shown(order, sent, made.public["test_data.npy"]) == made.labels).all()
    data = made.public["train_data.npy"].astype(int)
    right = shown(order, sent, data) == made.public["train_labels.npy"]
    assert 0.95 < right.mean() < 0.985
    apart = (data[:, None] != data).sum(2)
    one, other = np.nonzero(apart == 1)
    assert len(set(one)) == len(data), "each item has another that is one turn of a dial away"
    turned = (data[one] - data[other]) % POSITIONS
    by_one = (turned == 1) | (turned == POSITIONS - 1)
    assert by_one.any(1).mean() > 0.9, "by one position"
    assert (np.abs(one - other) == 1).mean() < 0.01, "which follows on which is not told"


def test_heaps_are_won_as_a_search_through_the_game_finds():
    """By playing it out, move by move: a position is won if some move leads to a lost one."""
    from functools import cache

    from tests.weirdml.data.heaps import STATES, rules, solved

    recipe = Recipe("learn_heaps", seed=3)
    game = rules(recipe.key, recipe.task)
    table = solved(game)

    @cache
    def won(at, state):
        legal = game.legal(np.array(at), state)
        return any(
            not won(tuple((np.array(at) - game.takes[kind]).tolist()), int(game.turns[kind, state]))
            for kind in legal
        )

    for state in range(STATES):
        for at in ((0, 0, 0, 0), (2, 1, 3, 0), (4, 3, 2, 5), (5, 5, 5, 5), (6, 4, 7, 3)):
            assert won(at, state) == table[(state, *at)]


def test_the_log_follows_its_rules_through_both_files():
    from tests.weirdml.data.log import kinds, rules

    recipe = Recipe("learn_log", seed=2)
    made = generate(recipe)
    places, (now, turns) = kinds(recipe.key, recipe.task), rules(recipe.key, recipe.task)
    data = np.concatenate([made.public["train_data.npy"], made.public["test_data.npy"]])
    told = []
    for kind in ((data[:, None] - places) ** 2).sum(-1).argmin(1):
        told.append(now[kind])
        if kind < len(turns):
            now = turns[kind][now]
    count = len(made.labels)
    assert (np.array(told[-count:]) == made.labels).all()
    assert 0.96 < (np.array(told[:-count]) == made.public["train_labels.npy"]).mean() < 1


def test_a_gauge_or_two_say_nothing_of_the_setting():
    """Neither the readings nor their products differ from one setting to the next."""
    made = generate(Recipe("learn_gauges", sizes=(8, 6000)))
    data = made.public["test_data.npy"].astype(float)
    data = (data - data.mean(0)) / data.std(0)
    for setting in range(8):
        mine = data[made.labels == setting]
        assert np.abs(mine.mean(0)).max() < 0.2
        assert np.abs(mine.T @ mine / len(mine) - data.T @ data / len(data)).max() < 0.25


def test_lamps_have_islands_by_the_number_wanted():
    from collections import deque

    from tests.weirdml.data.lamps import LEAST_LAND, MOST, MOST_LAND, SIDE, grown

    for seed in range(12):
        count = 1 + seed % MOST
        drawn = None
        stream = Stream("lamps", seed)
        while drawn is None:
            drawn = grown(stream, count)
        left = {(y, x) for y in range(SIDE) for x in range(SIDE) if drawn[y, x]}
        parts = []
        while left:
            waiting, size = deque([left.pop()]), 0
            while waiting:
                y, x = waiting.popleft()
                size += 1
                near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
                left -= near
                waiting.extend(near)
            parts.append(size)
        assert len(parts) == count and all(LEAST_LAND <= size <= MOST_LAND for size in parts)


def test_digits_keep_their_quota_for_every_seed():
    assert quota(SHARES, 500).tolist() == [280, 110, 70, 25, 10, 5]
    for seed in (0, 1):
        made = generate(Recipe("digits_unsup", seed, sizes=(100, 500)))
        assert np.bincount(made.labels).tolist() == [0, 280, 110, 70, 25, 10, 5]
        assert np.bincount(made.public["train_labels.npy"]).tolist() == [0, 4, 4, 4, 4, 5, 5]


def test_seeds_and_salts_make_other_data():
    digests = {
        generate(Recipe("shapes_easy", seed, salt, sizes=(2, 2))).hashes()["test_data.npy"]
        for seed, salt in ((0, ""), (1, ""), (0, "a"), (0, "b"))
    }
    assert len(digests) == 4
    assert "secret" not in repr(Recipe("shapes_easy", salt="secret"))


def test_the_puzzles_fit_together_again():
    made = generate(Recipe("shuffle_hard", sizes=(1, 20)))
    for patches, places in zip(made.public["test_data.npy"], made.labels, strict=True):
        picture = np.zeros((27, 27, 3))
        for patch, place in zip(patches, places, strict=True):
            y, x = divmod(int(place), 3)
            picture[9 * y : 9 * y + 9, 9 * x : 9 * x + 9] = patch.transpose(1, 2, 0)
        within = np.abs(np.diff(picture, axis=1)).mean(axis=(0, 2))
        seams, rest = within[[8, 17]].mean(), np.delete(within, [8, 17]).mean()
        assert seams < 2.5 * rest, "what was cut lay side by side"


def test_the_hard_puzzle_has_rough_patches():
    """Smooth pictures would be solved by comparing borders pixel by pixel: that gets less than half right."""
    made = generate(Recipe("shuffle_hard", sizes=(1, 60)))
    items, right = made.public["test_data.npy"], 0
    for patches, places in zip(items, made.labels, strict=True):
        step = np.abs(patches[:, None, :, :, -1] - patches[None, :, :, :, 0]).mean((2, 3))
        np.fill_diagonal(step, 9)
        for patch, place in enumerate(places):
            if place % 3 < 2:
                right += places[step[patch].argmin()] == place + 1
    assert 0.3 < right / (6 * len(items)) < 0.9


def test_the_stream_is_even_and_normal():
    stream = Stream("key", "a")
    assert (stream.words(3) == Stream("key", "a").words(3)).all()
    assert not (stream.words(3) == Stream("key", "b").words(3)).all()
    normal = Stream("n").normal(200_000)
    assert abs(normal.mean()) < 0.01 and abs(normal.std() - 1) < 0.01
    assert abs((np.abs(normal) < 1).mean() - 0.683) < 0.01
    assert sorted(Stream("o").order(9).tolist()) == list(range(9))
    turns = np.linspace(-1, 2, 1001)
    cos, sin = circle(turns)
    assert np.allclose(cos, np.cos(2 * np.pi * turns), atol=1e-14)
    assert np.allclose(sin, np.sin(2 * np.pi * turns), atol=1e-14)


def test_the_cache_gives_what_was_made(tmp_path):
    recipe = Recipe("shapes_easy", salt="only here", sizes=(3, 2))
    assert cached(recipe, tmp_path) is None
    made = dataset(recipe, tmp_path)
    again = cached(recipe, tmp_path)
    assert again is not None and again.identity == made.identity
    assert set(again.public()) == {"train_data.npy", "train_labels.npy", "test_data.npy"}
    assert np.load(again.labels).shape == (2,)
    assert "only here" not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert not [path for path in tmp_path.rglob("*") if "only here" in path.name or path.name.startswith(".")]
    (made.folder / "manifest.json").write_text("{")
    assert dataset(recipe, tmp_path).identity == made.identity, "a torn one is made anew"


def test_the_generators_import_nothing_heavy():
    said = subprocess.run(
        [sys.executable, "-c", "import sys, tests.weirdml.data.build; print('numpy' in sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.strip() == "False"
    assert set(SIZES) == set(PUBLISHED)


FIRST_LABELS = {
    "shuffle_easy": "aae2db6778fe3def",
    "shuffle_hard": "599c10fda8f18d20",
    "chess_winners": "9dd9c229062a1e9e",
}
FIRST_INPUTS = ("e3c0d84477a49482", "a1437ff08b5e020a", "06d2361240416447")
