"""Right and wrong pages for look_redraw: the formulas of the question, as a script in the page."""

import json

from ..look_redraw import GROUND, THICK, scene

SCRIPT = """
const board = document.querySelector("canvas").getContext("2d");
board.fillStyle = "GROUND"; board.fillRect(0, 0, 1024, 768);
board.lineJoin = board.lineCap = "round";
const rad = a => a * Math.PI / 180;
for (const s of SHAPES) {
  board.save();
  board.translate(s.x, s.y);
  board.fillStyle = board.strokeStyle = s.colour;
  board.lineWidth = THICK;
  board.beginPath();
  const to = (x, y) => board.lineTo(x, y);
  const polar = (a, d) => to(d * Math.cos(rad(a)), d * Math.sin(rad(a)));
  if (s.kind == "gear") {
    for (let i = 0; i < s.N; i++) {
      const a = rad(s.P + 360 * i / s.N), half = Math.PI / s.N;
      board.arc(0, 0, s.R, a, a + half);
      board.arc(0, 0, 0.6 * s.R, a + half, a + 2 * half);
    }
    board.closePath();
    board.moveTo(0.3 * s.R, 0);
    board.arc(0, 0, 0.3 * s.R, 0, 2 * Math.PI);
    board.fill("evenodd");
  } else if (s.kind == "dashes") {
    board.lineCap = "butt"; board.lineWidth = 2 * THICK;
    for (let i = 0; i < s.N; i++) {
      const a = rad(s.P + 360 * i / s.N);
      board.beginPath(); board.arc(0, 0, s.R, a, a + Math.PI / s.N); board.stroke();
    }
  } else if (s.kind == "blob") {
    for (let t = 0; t < 360; t++)
      polar(t, s.R * (0.7 + 0.15 * Math.cos(rad(s.J * t - s.P)) + 0.15 * Math.cos(rad(s.K * t - s.Q))));
    board.fill();
  } else {
    if (s.kind == "spiral")
      for (let t = 0; t <= 1; t += 1 / 512) polar(s.P + s.S * 360 * s.K * t, s.R * (1 - 0.85 * t));
    if (s.kind == "knot")
      for (let t = 0; t <= 360; t++) to(s.R * Math.sin(rad(s.A * t + s.P)), s.R * Math.sin(rad(s.B * t)));
    if (s.kind == "rose")
      for (let t = 0; t <= 360; t++) polar(t + s.P, s.R * (0.6 + 0.4 * Math.cos(rad(s.K * t))));
    if (s.kind == "star")
      for (let i = 0; i <= s.N; i++) polar(s.P + 360 * s.K * i / s.N, s.R);
    if (s.kind == "wave") {
      board.rotate(rad(s.P));
      for (let t = -1; t <= 1; t += 1 / 256) to(s.R * t, 0.35 * s.R * Math.sin(rad(180 * s.K * t + s.Q)));
    }
    board.stroke();
  }
  board.restore();
}
"""


def _page(shapes: list[dict]) -> str:
    script = (
        SCRIPT.replace("GROUND", GROUND).replace("SHAPES", json.dumps(shapes)).replace("THICK", str(THICK))
    )
    return (
        "Here is the page:\n\n```html\n<!doctype html><html><body style='margin:0;overflow:hidden'>"
        f"<canvas width='1024' height='768' style='display:block'></canvas>\n<script>{script}</script></body></html>\n```"
    )


def right(seed: int) -> list[str]:
    shapes = scene(seed)
    return [_page(shapes), _page([{**each, "x": each["x"] + 1} for each in shapes])]


def wrong(seed: int) -> list[str]:
    shapes = scene(seed)

    def changed(kind: str, **numbers: float) -> str:
        return _page([{**each, **(numbers if each["kind"] == kind else {})} for each in shapes])

    gear = next(each for each in shapes if each["kind"] == "gear")
    spiral = next(each for each in shapes if each["kind"] == "spiral")
    rose = next(each for each in shapes if each["kind"] == "rose")
    return [
        _page([{**each, "x": each["x"] + 5, "y": each["y"] + 4} for each in shapes]),
        changed("spiral", S=-spiral["S"]),
        changed("rose", K=rose["K"] + 1),
        changed("gear", N=gear["N"] + 1),
        _page([{**each, "P": each["P"] + 15} for each in shapes]),
        _page(shapes[1:]),
        _page([]),
    ]
