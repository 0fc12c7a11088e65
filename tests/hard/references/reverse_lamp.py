"""Right and wrong machines for reverse_lamp; the right ones once as drawn and once as the search finds them from the words alone."""

from __future__ import annotations

from ..reverse_lamp import LETTERS, TASK, Machine


def _said(machine: Machine, line: str = "{}: {} {} {}") -> str:
    lines = []
    for n, lamp in enumerate(machine.lamp):
        to = (each + 1 for each in machine.to[n * len(LETTERS) : (n + 1) * len(LETTERS)])
        lines.append(line.format(n + 1, *to, lamp))
    return "By elimination.\n\n```\n" + "\n".join(lines) + "\n```"


def right(seed: int) -> list[str]:
    machine, shown = TASK.puzzle(seed)
    (found,), _ = TASK.fitting(shown)
    return [_said(machine), _said(found, "{}: a {}, b {}, lamp {}")]


def _remembered(seed: int, letters: int = 2) -> Machine:
    """A machine that knows only the last letters, with the lamp that most words that end so show."""
    _, shown = TASK.puzzle(seed)
    ends = [(a, b) for a in range(2) for b in range(2)]
    lamp = []
    for end in ends:
        its = [shows for word, shows in shown.items() if word[-letters:] == end]
        lamp.append(int(2 * sum(its) > len(its)))
    return Machine(tuple(ends.index((b, c)) for _, b in ends for c in range(2)), tuple(lamp))


def _part(seed: int) -> Machine:
    """A machine that fits all words but the last ten: found too early."""
    _, shown = TASK.puzzle(seed)
    words = sorted(shown, key=len)
    for left in range(len(words) - 10, 0, -3):
        for found in TASK.fitting({word: shown[word] for word in words[:left]})[0]:
            whole = Machine(
                tuple(max(each, 0) for each in found.to), tuple(max(each, 0) for each in found.lamp)
            )
            if any(whole.shows(word) != shows for word, shows in shown.items()):
                return whole
    return Machine((0, 0), (0,))


def wrong(seed: int) -> list[str]:
    machine, _ = TASK.puzzle(seed)
    dark = Machine(machine.to, (1 - machine.lamp[0], *machine.lamp[1:]))
    turned = Machine((*machine.to[1::-1], *machine.to[2:]), machine.lamp)
    moved = Machine(((machine.to[0] + 1) % TASK.states, *machine.to[1:]), machine.lamp)
    return [
        _said(_part(seed)),
        _said(_remembered(seed)),
        _said(dark),
        _said(turned if turned != machine else dark),
        _said(moved),
        _said(machine, "{}: {} {}"),
        "No machine of so few states fits.",
    ]
