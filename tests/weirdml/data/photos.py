"""Windows of colour photographs that lie in the wheels of scikit-image and scikit-learn (no download).

Train and test have different photographs. Both packages are optional: pip install scikit-image scikit-learn.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np

from .streams import Array, Stream

PICTURES = 2500  # of each split, cut before any is chosen
TRAIN = ("skimage/data/astronaut.png", "skimage/data/coffee.png", "skimage/data/motorcycle_left.png",
         "skimage/data/hubble_deep_field.jpg", "sklearn/datasets/images/china.jpg")  # fmt: skip
TEST = ("skimage/data/chelsea.png", "skimage/data/rocket.jpg", "skimage/data/ihc.png",
        "sklearn/datasets/images/flower.jpg")  # fmt: skip


def photographs(names: tuple[str, ...]) -> list[Array]:
    """The photographs that are there, (H, W, 3) uint8. ValueError if a package or all its files are missing."""
    from PIL import Image

    found = []
    for name in names:
        package, _, inner = name.partition("/")
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise ValueError(f"the photographs need {package}; pip install scikit-image scikit-learn")
        path = Path(spec.origin).parent / inner
        if path.is_file():  # not all releases have all of them
            with Image.open(path) as image:
                found.append(np.asarray(image.convert("RGB")))
    if not found:
        raise ValueError(f"none of {', '.join(names)} is in the installed packages")
    return found


def crop(stream: Stream, pictures: list[Array]) -> Array:
    """(64, 64, 3) uint8: a square of a photograph, made smaller, perhaps mirrored, its colours swapped."""
    picture = pictures[stream.below(len(pictures))]
    most = min(picture.shape[:2]) // 64
    least = min(3, most)
    times = least + stream.below(most - least + 1)
    wide = 64 * times
    y, x = (stream.below(length - wide + 1) for length in picture.shape[:2])
    block = picture[y : y + wide, x : x + wide].astype(np.int64).reshape(64, times, 64, times, 3)
    small = block.sum(axis=(1, 3)) // (times * times)  # whole numbers: the same sum in any order
    if stream.one() < 0.5:
        small = small[:, ::-1]
    return np.asarray(small[..., stream.order(3)], dtype=np.uint8)


def photo_pictures(key: str, count: int = PICTURES) -> tuple[Array, Array]:
    """Train and test pictures, (count, 64, 64, 3) uint8 each."""
    found = []
    for split, names in (("train", TRAIN), ("test", TEST)):
        pictures = photographs(names)
        crops = [crop(Stream(key, "photos", split, at), pictures) for at in range(count)]
        found.append(np.stack(crops))
    return found[0], found[1]
