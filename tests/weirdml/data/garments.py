"""Grey pictures of clothes, shoes and bags, 28 x 28: the source of shuffle_easy where there is no other."""

from __future__ import annotations

import numpy as np

from .streams import Array, Stream, circle, growth

SIZE = 28
FINE = 3  # subpixels along each side
_STEP = (np.arange(SIZE * FINE) + 0.5) / FINE
GRID_X, GRID_Y = np.broadcast_arrays(_STEP[None, :], _STEP[:, None])
Corners = list[tuple[float, float]]


def inside(corners: Corners, x: Array, y: Array) -> Array:
    """Which of the points lie inside a polygon."""
    found = np.zeros(x.shape, dtype=bool)
    x1, y1 = corners[-1]
    for x2, y2 in corners:
        if y1 != y2:
            crosses = (y1 > y) != (y2 > y)
            found ^= crosses & (x < (x2 - x1) * ((y - y1) / (y2 - y1)) + x1)
        x1, y1 = x2, y2
    return found


def mirrored(half: Corners) -> Corners:
    """A symmetric polygon: `half` says how far from the middle, and at which height."""
    return [(14.0 - dx, y) for dx, y in half] + [(14.0 + dx, y) for dx, y in reversed(half)]


def top(u: Stream, sleeve: tuple[float, float], hand: tuple[float, float]) -> tuple[list[Corners], Corners]:
    """A shirt, pullover or coat; `sleeve`: how far down the sleeves end, `hand`: how far out."""
    high, low = u.one(1.2, 3), u.one(25, 26.8)
    neck, shoulder, body = u.one(1.8, 3.5), u.one(6, 8), u.one(5, 7.5)
    end, out, arm = u.one(*sleeve), u.one(*hand), u.one(2.6, 4)
    cloth = mirrored(
        [
            (neck, high),
            (shoulder, high + u.one(0.8, 2)),
            (out, end),
            (out - arm, end + u.one(0.2, 1.2)),
            (body, u.one(9, 11)),
            (body + u.one(-0.5, 1), low),
        ]
    )
    return [cloth], mirrored([(neck - 0.4, high - 1), (u.one(0.3, 1.5), high + u.one(0.8, 3))])


def trousers(u: Stream) -> tuple[list[Corners], Corners]:
    high, low, wide, leg = u.one(1.2, 3), u.one(25, 26.8), u.one(4, 6), u.one(1.6, 3)
    fork = (u.one(0.1, 0.9), u.one(8, 11))
    return [mirrored([(wide, high), (wide + u.one(-0.3, 1.2), low), (wide - leg, low), fork])], []


def dress(u: Stream) -> tuple[list[Corners], Corners]:
    high, low, shoulder = u.one(1.2, 3), u.one(25, 26.8), u.one(2.5, 4.5)
    waist, hem = u.one(2.3, 4), u.one(4, 8)
    cloth = [mirrored([(u.one(1, 2), high), (shoulder, high + 0.6), (waist, u.one(9, 13)), (hem, low)])]
    if u.one() < 0.5:
        end = u.one(10, 20)
        sleeve = [(shoulder, high + 0.5), (shoulder + u.one(1, 4), end), (shoulder + u.one(-0.6, 0.4), end)]
        cloth.append(mirrored([*sleeve, (waist, 8.0)]))
    return cloth, mirrored([(u.one(0.7, 1.2), high - 1), (0.3, high + u.one(1, 3))])


def bag(u: Stream) -> tuple[list[Corners], Corners]:
    wide, high, handle = u.one(9, 12.5), u.one(8, 13), u.one(3, 8)
    body = mirrored([(wide - u.one(0, 2), high), (wide, u.one(23, 26)), (wide - 0.5, u.one(24, 26.5))])
    grip = mirrored(
        [(handle, high + 0.5), (handle - 0.4, u.one(2.5, 6)), (max(0.2, handle - 1.4), u.one(2, 4))]
    )
    hole = mirrored([(handle - 1.3, high - 0.3), (handle - 2.2, u.one(5, 7))]) if handle > 3.4 else []
    return [body, grip], hole


def shoe(u: Stream, boot: bool, sandal: bool) -> tuple[list[Corners], Corners]:
    base = u.one(22, 26) if boot else u.one(17.5, 22)
    heel = base - (u.one(14, 19) if boot else u.one(5, 9))
    toe = base - u.one(2, 4.5)
    ankle = u.one(15, 19) if boot else u.one(17, 21)
    back = (u.one(25.5, 27.3), heel + u.one(-1, 1))
    front = u.one(7, 11), toe - u.one(0.5, 2)
    body = [
        (u.one(0.3, 1.5), base),
        (u.one(0.3, 1.5), toe),
        front,
        (ankle, heel),
        back,
        (u.one(26, 27.6), base),
    ]
    hole = [(u.one(6, 9), base - 1), (u.one(10, 14), toe + 0.5), (u.one(18, 21), base - 1)] if sandal else []
    return [body], hole


def drawing(u: Stream) -> tuple[list[Corners], Corners, bool]:
    """Polygons, a hole (empty: none), and whether it may be mirrored."""
    kind = u.below(10)
    if kind in (5, 7, 9):
        return *shoe(u, boot=kind == 9, sandal=kind == 5), False
    if kind == 1:
        return *trousers(u), True
    if kind == 3:
        return *dress(u), True
    if kind == 8:
        return *bag(u), True
    return *(top(u, (8.5, 12), (10, 13)) if kind == 0 else top(u, (19, 24), (9, 12.5))), True


def cloth(u: Stream) -> Array:
    """The tone of every subpixel: bands, stripes, a shade from the middle to the sides."""
    tone = np.full(GRID_X.shape, u.one(0.35, 0.95))
    for _ in range(u.below(4)):
        slanted = u.one() < 0.4
        (cos,), (sin,) = circle(u.uniform(1) / 2 if slanted else np.array([u.below(2) / 4]))
        along = GRID_X * cos + GRID_Y * sin
        if u.one() < 0.5:
            tone = np.where(along > u.one(2, 26), np.clip(tone + u.one(-0.35, 0.35), 0.08, 1), tone)
        else:
            period, depth = u.one(1.5, 6), u.one(0, 0.12)
            phase = along / period
            tone = tone + depth * np.where(phase - np.floor(phase) < 0.5, 1.0, -1.0)
    return np.asarray(tone + 0.10 * u.one(-1, 1) * (np.abs(GRID_X - 14) / 14))


def garment(u: Stream) -> Array:
    """(28, 28) float64 in 0..1: a garment in its own size, proportions, place and turn, on black."""
    layers, hole, mirror = drawing(u)
    (cos,), (sin,) = circle(0.022 * u.normal(1))
    size, aspect = u.one(0.62, 1.02), growth(0.14 * float(u.normal(1)[0]))
    x, y = GRID_X - 14 - u.one(-3.2, 3.2), GRID_Y - 14 - u.one(-3.2, 3.2)
    x, y = (x * cos + y * sin) / (size * aspect) + 14, (y * cos - x * sin) * aspect / size + 14
    mask = inside(layers[0], x, y)
    for layer in layers[1:]:
        mask |= inside(layer, x, y)
    if hole:
        mask &= ~inside(hole, x, y)
    fine = np.where(mask, np.clip(cloth(u), 0.05, 1), 0.0)
    picture = np.zeros((SIZE, SIZE))
    for row in range(FINE):
        for column in range(FINE):
            picture += fine[row::FINE, column::FINE]
    picture /= FINE * FINE
    picture = picture + np.where(picture > 0.04, u.normal(SIZE, SIZE) * u.one(0.005, 0.08), 0.0)
    if mirror and u.one() < 0.5:
        picture = picture[:, ::-1]
    return np.asarray(np.rint(np.clip(picture, 0, 1) * 255) / 255)
