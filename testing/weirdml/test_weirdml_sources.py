"""Real data in place of generated ones: small files of each form, good and bad."""

import gzip

import numpy as np
import pytest
from PIL import Image

from tests.weirdml.data.build import Recipe, cached, dataset, generate
from tests.weirdml.data.photos import crop
from tests.weirdml.data.sources import coloured, fashion_mnist, games
from tests.weirdml.data.streams import Stream


def idx(pictures):
    head = b"\x00\x00\x08\x03" + b"".join(size.to_bytes(4, "big") for size in pictures.shape)
    return head + pictures.tobytes()


@pytest.fixture
def clothes(tmp_path):
    """Twelve and nine pictures that all differ; one file is gzipped, as they are published."""
    made = [np.arange(n * 784, dtype=np.uint32).reshape(n, 28, 28).astype(np.uint8) for n in (12, 9)]
    for n, pictures in enumerate(made):
        pictures[:, 0, 0] = np.arange(len(pictures)) + 100 * n
    (tmp_path / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(made[0])))
    (tmp_path / "t10k-images-idx3-ubyte").write_bytes(idx(made[1]))
    return tmp_path


def test_fashion_mnist(clothes):
    train, test = fashion_mnist(clothes)
    assert train.shape == (12, 28, 28) and test.shape == (9, 28, 28) and test.dtype == np.uint8
    made = generate(Recipe("shuffle_easy", source=str(clothes), sizes=(10, 9)))
    assert made.public["train_data.npy"].shape == (10, 9, 9, 9)
    corners = {float(item[list(places).index(0), 0, 0]) for item, places in zip(
        made.public["test_data.npy"], made.labels, strict=True)}  # fmt: skip
    assert len(corners) == 9, "each picture of the test file once"
    with pytest.raises(ValueError, match="12 pictures for train, and 20 are needed"):
        generate(Recipe("shuffle_easy", source=str(clothes), sizes=(20, 9)))
    (clothes / "t10k-images-idx3-ubyte").write_bytes(b"\x00\x00\x08\x01" + b"x" * 99)
    with pytest.raises(ValueError, match="no idx file of pictures"):
        fashion_mnist(clothes)
    (clothes / "t10k-images-idx3-ubyte").unlink()
    with pytest.raises(ValueError, match="holds no t10k-images-idx3-ubyte"):
        fashion_mnist(clothes)


def test_pictures_in_an_array(tmp_path):
    path = tmp_path / "pictures.npy"
    pictures = np.random.default_rng(0).integers(0, 256, (20, 64, 64, 3), dtype=np.uint8)
    np.save(path, pictures)
    train, test = coloured("key", path)
    as_bytes = {each.tobytes() for each in train}, {each.tobytes() for each in test}
    assert len(train) == len(test) == 10 and not as_bytes[0] & as_bytes[1], "no picture is in both"
    made = generate(Recipe("shuffle_hard", source=str(path), sizes=(10, 10)))
    assert made.public["test_data.npy"].shape == (10, 9, 3, 9, 9)
    np.save(path, pictures[:, :32])
    with pytest.raises(ValueError, match=r"uint8 \(20, 32, 64, 3\); uint8 \(N, 64, 64, 3\) is needed"):
        coloured("key", path)


def test_pictures_in_a_folder(tmp_path):
    for split, count in (("train", 3), ("test", 2)):
        (tmp_path / split).mkdir()
        for number in range(count):
            Image.new("RGB", (64, 64), (number, 0, split == "test")).save(tmp_path / split / f"{number}.png")
    train, test = coloured("key", tmp_path)
    assert train[:, 0, 0].tolist() == [[0, 0, 0], [1, 0, 0], [2, 0, 0]] and len(test) == 2
    Image.new("L", (60, 64)).save(tmp_path / "train" / "odd.png")
    with pytest.raises(ValueError, match=r"odd\.png: 60 x 64 pixels"):
        coloured("key", tmp_path)
    with pytest.raises(ValueError, match="holds no picture"):
        (tmp_path / "empty").mkdir()
        coloured("key", tmp_path / "empty")


PGN = """\
[Event "a"]
[White "x"]
[WhiteElo "1100"]
[BlackElo "1250"]
[Result "1-0"]

1. e4 {a comment} e5 2. Nf3 (2. f4 exf4 (2... d5)) 2... Nc6 $1 3. Bb5! a6?? 4. O-O 1-0

[Event "strong"]
[WhiteElo "2100"]
[BlackElo "1250"]
[Result "0-1"]

1. d4 d5 0-1

[Event "unknown"]
[WhiteElo "?"]
[BlackElo "1250"]
[Result "0-1"]

1. d4 d6 0-1

[Event "unfinished"]
[WhiteElo "900"]
[BlackElo "950"]
[Result "*"]

1. d4 d5 *

[Event "from a position"]
[WhiteElo "900"]
[BlackElo "950"]
[Result "0-1"]
[FEN "8/8/8/8/8/8/8/K6k w - - 0 1"]

1. Kb1 Kg1 0-1

[Event "b"]
[WhiteElo "900"]
[BlackElo "950"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 1/2-1/2

[Event "the same again"]
[WhiteElo "901"]
[BlackElo "951"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 1/2-1/2
"""


def test_games_in_pgn(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    made = games("key", path, 1, 1)
    lines = (str(made.public["train_games.txt"]) + str(made.public["test_games.txt"])).splitlines()
    labels = {line[:4]: int(label) for line, label in
              zip(lines, [*made.public["train_labels.npy"], *made.labels], strict=True)}  # fmt: skip
    assert labels == {"1.e4": 1, "1.d4": 0}
    whole = {"1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O", "1.d4 d5 2.c4 e6"}
    assert all(any(game.startswith(line) for game in whole) for line in lines), (
        "perhaps without the last move"
    )
    with pytest.raises(
        ValueError, match="2 different games in which both are rated under 1300; 5 are needed"
    ):
        games("key", path, 3, 2)


def test_games_in_csv(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(
        "id,white_rating,black_rating,winner,moves\n"
        "1,1200,1100,white,e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#\n"
        "2,1500,1100,white,e4 e5\n"
        "3,800,900,draw,d4 d5 c4\n"
        "4,800,900,black,d4 nonsense\n"
        "5,800,900,,d4 e5\n"
    )
    made = games("key", path, 1, 1)
    assert sorted([*made.public["train_labels.npy"], *made.labels]) == [0, 1]
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no column white_rating"):
        games("key", path, 1, 1)


def test_a_source_that_changes_is_another_one(clothes, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    recipe = Recipe("shuffle_easy", source=str(clothes), sizes=(3, 2))
    made = dataset(recipe, cache)
    assert made.source == clothes.name and cached(recipe, cache) is not None
    (clothes / "t10k-images-idx3-ubyte").write_bytes(idx(np.ones((5, 28, 28), dtype=np.uint8)))
    assert cached(recipe, cache) is None
    (clothes / "train-images-idx3-ubyte.gz").write_bytes(b"torn")
    with pytest.raises(ValueError, match="no idx file of pictures"):
        dataset(recipe, cache)


def test_crops_of_photographs():
    photo = np.random.default_rng(1).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    made = [crop(Stream("key", number), [photo]) for number in range(3)]
    assert all(each.shape == (64, 64, 3) and each.dtype == np.uint8 for each in made)
    assert (crop(Stream("key", 0), [photo]) == made[0]).all() and not (made[0] == made[1]).all()
