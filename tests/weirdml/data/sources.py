"""Real data in place of generated: Fashion-MNIST's files, pictures of 64 x 64, games of beginners.

Nothing is downloaded: these are files that the user has. Train and test never share a picture or a game.
Raises ValueError, saying what was expected, for files in another form.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .chess import BLACK, DRAW, WHITE, games_made, line
from .made import Made
from .streams import Array, Stream

RATED_UNDER = 1300
LONGEST = 300  # half-moves
SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".bmp"}
RESULTS = {"1-0": WHITE, "0-1": BLACK, "1/2-1/2": DRAW, "white": WHITE, "black": BLACK, "draw": DRAW}
SAN = re.compile(r"(O-O(-O)?|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?)[+#]?")
IMAGES_MAGIC = b"\x00\x00\x08\x03"  # idx: unsigned bytes, three dimensions


# ---------------------------------------------------------------- pictures


def idx_pictures(path: Path) -> Array:
    """(N, 28, 28) uint8 of an idx3-ubyte file, gzipped or not."""
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    if raw[:4] != IMAGES_MAGIC:
        raise ValueError(f"{path}: no idx file of pictures (it must begin with {IMAGES_MAGIC.hex(' ')})")
    count, height, width = (int.from_bytes(raw[at : at + 4], "big") for at in (4, 8, 12))
    if (height, width) != (28, 28) or len(raw) != 16 + count * height * width:
        raise ValueError(
            f"{path}: {count} pictures of {height} x {width} in {len(raw)} bytes; 28 x 28 are needed"
        )
    return np.frombuffer(raw, dtype=np.uint8, offset=16).reshape(count, height, width)


def fashion_mnist(folder: Path) -> tuple[Array, Array]:
    """Train and test pictures of a folder with Fashion-MNIST's files."""
    found = []
    for name in ("train-images-idx3-ubyte", "t10k-images-idx3-ubyte"):
        files = [path for path in (folder / name, folder / f"{name}.gz") if path.is_file()]
        if not files:
            raise ValueError(f"{folder}: holds no {name} (or {name}.gz)")
        found.append(idx_pictures(files[0]))
    return found[0], found[1]


def coloured(key: str, path: Path) -> tuple[Array, Array]:
    """Train and test pictures, (N, 64, 64, 3) uint8: of a .npy file, or of a folder of picture files.

    Half of them each, dealt out by `key`; a folder with folders train and test says itself which is which.
    """
    if path.is_dir() and (path / "train").is_dir() and (path / "test").is_dir():
        return _folder(path / "train"), _folder(path / "test")
    pictures = _folder(path) if path.is_dir() else _array(path)
    order = Stream(key, "shuffle_hard", "split").order(len(pictures))
    half = len(pictures) // 2
    return pictures[np.sort(order[:half])], pictures[np.sort(order[half:])]


def _array(path: Path) -> Array:
    found = np.load(path, allow_pickle=False)
    if found.dtype != np.uint8 or found.shape[1:] != (64, 64, 3):
        raise ValueError(f"{path}: {found.dtype} {found.shape}; uint8 (N, 64, 64, 3) is needed")
    return np.asarray(found)


def _folder(folder: Path) -> Array:
    from PIL import Image

    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    if not files:
        raise ValueError(f"{folder}: holds no picture ({', '.join(sorted(SUFFIXES))})")
    found = np.empty((len(files), 64, 64, 3), dtype=np.uint8)
    for at, file in enumerate(files):
        with Image.open(file) as image:
            if image.size != (64, 64):
                raise ValueError(f"{file}: {image.width} x {image.height} pixels; 64 x 64 are needed")
            found[at] = np.asarray(image.convert("RGB"))
    return found


# ---------------------------------------------------------------- games


def games(key: str, path: Path, train: int, test: int) -> Made:
    """The data of chess_winners from a PGN file, or a CSV file with columns of ratings, moves and winner.

    Games in which both are rated under 1300, of 2 to 300 half-moves, each once.
    """
    read = _from_csv(path) if path.suffix.lower() == ".csv" else _from_pgn(path)
    unique = {line(names): (names, label) for names, label in read if 2 <= len(names) <= LONGEST}
    found = [unique[text] for text in sorted(unique)]
    if len(found) < train + test:
        raise ValueError(
            f"{path}: {len(found)} different games in which both are rated under {RATED_UNDER}; "
            f"{train + test} are needed"
        )
    order = Stream(key, "chess_winners", "games").order(len(found))[: train + test]
    hide = Stream(key, "chess_winners", "hide").uniform(train + test) < 0.5
    chosen = []
    for at, hidden in zip(order, hide, strict=True):
        names, label = found[at]
        chosen.append((line(names[:-1] if hidden else names), label))
    return games_made(chosen[:train], chosen[train:])


def _weak(ratings: tuple[str, str]) -> bool:
    return all(each.strip().isdigit() and int(each) < RATED_UNDER for each in ratings)


def _text(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8-sig", errors="replace")


def _from_csv(path: Path) -> Iterator[tuple[list[str], int]]:
    rows = csv.DictReader(_text(path).splitlines())
    wanted = ("white_rating", "black_rating", "moves", "winner")
    if missing := [name for name in wanted if name not in (rows.fieldnames or ())]:
        raise ValueError(f"{path}: no column {missing[0]}; needed are {', '.join(wanted)}")
    for row in rows:
        label = RESULTS.get((row["winner"] or "").strip().lower())
        names = _names(row["moves"] or "")
        if (
            label is not None
            and names is not None
            and _weak((row["white_rating"] or "", row["black_rating"] or ""))
        ):
            yield names, label


def _from_pgn(path: Path) -> Iterator[tuple[list[str], int]]:
    for part in re.split(r"(?m)^(?=\[Event )", _text(path)):
        tags = dict(re.findall(r'(?m)^\[(\w+) "([^"]*)"\]', part))
        label = RESULTS.get(tags.get("Result", ""))
        usual = tags.get("Variant", "Standard") == "Standard" and "FEN" not in tags
        if label is None or not usual or not _weak((tags.get("WhiteElo", ""), tags.get("BlackElo", ""))):
            continue
        names = _names(re.sub(r"(?m)^\[.*\]\s*$", "", part))
        if names is not None:
            yield names, label


def _names(text: str) -> list[str] | None:
    """The moves of a PGN text: without comments, variations, numbers, marks and result. None if torn."""
    text = re.sub(r"\{[^}]*\}|;[^\n]*|\$\d+", " ", text)
    while "(" in text:
        shorter = re.sub(r"\([^()]*\)", " ", text)
        if shorter == text:
            return None
        text = shorter
    found = []
    for word in text.split():
        word = re.sub(r"^\d+\.+", "", word).rstrip("!?")
        if word and word not in ("*", "1-0", "0-1", "1/2-1/2"):
            if not SAN.fullmatch(word):
                return None
            found.append(word)
    return found
