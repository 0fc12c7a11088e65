"""Colour pictures of things that hide each other, 64 x 64: the source of shuffle_hard where there is no other.

Dead leaves (https://en.wikipedia.org/wiki/Dead_leaves_model): discs, boxes and diamonds of all sizes, large
ones rare, each with a colour of a small palette, a shade and a texture of its own. Coarse and fine grain lie
over all of it, so that the seams between two patches are no give-away. Only the window that is asked for
is drawn.
"""

from __future__ import annotations

import numpy as np

from .streams import Array, Stream, circle

SIZE = 64
FINE = 2  # subpixels along each side
TILE = 128  # texture, in subpixels


def texture(stream: Stream, cells: tuple[int, ...], weights: tuple[float, ...]) -> Array:
    """(128, 128), mean near 0, deviation near 1: random grids of so many cells, interpolated and added."""
    found = np.zeros((TILE, TILE))
    for count, weight in zip(cells, weights, strict=True):
        grid = stream.normal(count, count)
        at = np.arange(TILE) * count
        low, part = at // TILE, (at % TILE) / TILE
        part = part * part * (3 - 2 * part)
        rows = grid[low] * (1 - part)[:, None] + grid[(low + 1) % count] * part[:, None]
        found += weight * (rows[:, low] * (1 - part) + rows[:, (low + 1) % count] * part)
    return found


def scene(stream: Stream, row: int, column: int, size: int) -> Array:
    """(size, size, 3) float64 in 0..1: a window of a scene whose first pixel is (row, column)."""
    wide = SIZE * FINE
    rows = np.arange(row * FINE, (row + size) * FINE)
    columns = np.arange(column * FINE, (column + size) * FINE)
    yy, xx = rows[:, None] / wide, columns[None, :] / wide
    palette = stream.uniform(6, 3) * 0.9 + 0.05
    grey = stream.one(0, 0.7)
    mean = (palette[:, :1] + palette[:, 1:2] + palette[:, 2:]) / 3
    palette = palette * (1 - grey) + mean * grey
    coarse = texture(stream, (4, 8, 16, 32), (0.9, 0.7, 0.5, 0.35))
    fine = texture(stream, (16, 32, 64, 128), (0.3, 0.45, 0.7, 0.8))
    drift = (stream.uniform(3) - 0.5) * 0.6
    picture = palette[0] + (yy - 0.5)[..., None] * drift + np.zeros((len(rows), len(columns), 1))
    picture = picture + 0.04 * _cut(coarse, rows, columns, 0, 0)[..., None]
    for numbers in stream.uniform(30 + stream.below(190), 16):
        _hide(picture, numbers, palette, (coarse, fine), rows, columns, xx, yy)
    shift = stream.below(TILE), stream.below(TILE)
    picture = picture * (1 + 0.13 * _cut(coarse, rows, columns, *shift)[..., None])
    picture = picture + 0.03 * _cut(fine, rows, columns, *shift)[..., None]
    small = np.zeros((size, size, 3))
    for y in range(FINE):
        for x in range(FINE):
            small += picture[y::FINE, x::FINE]
    small = small / (FINE * FINE) + stream.normal(size, size, 3) * stream.one(0.01, 0.06)
    return np.asarray(np.clip(small, 0, 1))


def _cut(texture: Array, rows: Array, columns: Array, down: int, right: int) -> Array:
    """The texture, moved, where the window is."""
    return np.asarray(texture[(rows[:, None] + down) % TILE, (columns[None, :] + right) % TILE])


def _hide(
    picture: Array,
    numbers: Array,
    palette: Array,
    textures: tuple[Array, Array],
    rows: Array,
    columns: Array,
    xx: Array,
    yy: Array,
) -> None:
    """Draw one object over the picture, within its bounding box. `numbers`: 16 in 0..1 that decide all."""
    n = [float(each) for each in numbers]
    eighth = float(np.sqrt(np.sqrt(np.sqrt(max(1e-3, n[0])))))
    radius = min(0.45, 0.014 * eighth / max(1e-3, n[0]))  # 0.014 * n**(-7/8)
    aspect = 0.25 + 1.5 * n[1]
    reach = 1.5 * radius * max(1.0, aspect)
    wide = SIZE * FINE
    y0, y1 = np.searchsorted(rows, [(n[2] - reach) * wide, (n[2] + reach) * wide])
    x0, x1 = np.searchsorted(columns, [(n[3] - reach) * wide, (n[3] + reach) * wide])
    if y0 >= y1 or x0 >= x1:
        return
    (cos,), (sin,) = circle(numbers[4:5] / 2)
    x, y = xx[:, x0:x1] - n[3], yy[y0:y1] - n[2]
    along, across = x * cos + y * sin, y * cos - x * sin
    kind = int(3 * n[5])
    if kind == 0:
        mask = along * along + (across / aspect) * (across / aspect) < radius * radius
    elif kind == 1:
        mask = (np.abs(along) < radius) & (np.abs(across) < radius * aspect)
    else:
        mask = np.abs(along) + np.abs(across) / aspect < radius
    colour = np.clip(palette[int(6 * n[6])] + 0.42 * (numbers[7:10] - 0.5), 0, 1)
    grain = textures[n[10] < 0.5]
    down, right = int(TILE * n[11]), int(TILE * n[12])
    shade = (n[13] + n[14] - 1) * 0.3 / radius * along
    shade = shade + 0.26 * n[15] * _cut(grain, rows[y0:y1], columns[x0:x1], down, right)
    picture[y0:y1, x0:x1][mask] = (colour + shade[..., None])[mask]
