"""Logs of four machines whose clocks differ and are set anew, and whose names for things are used again."""

from __future__ import annotations

import random
from functools import partial

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model join the logs of four machines whose clocks differ and whose ids are used again?"
TAGS = ["medium", "reading", "logs"]

ORDERS, BEACONS = 125, 52
MACHINES = ("gate", "desk", "press", "vault")
TOWNS = (
    "Arden",
    "Brill",
    "Corve",
    "Dunmore",
    "Elsing",
    "Farlow",
    "Garth",
    "Holt",
    "Ivel",
    "Kelby",
    "Lyde",
    "Marl",
)
PROMPT = """Below are the logs of one morning of four machines. An order comes in at the gate, which gives it to the desk as a slip. The desk
opens the slip and later gives it to the press as a sheet. A sheet is laid out, asks for a seal, waits until it gets that seal, gives it back, and
goes to the vault as a box, which is weighed and then shelved. These are the rules:

1. The numbers of slips, the letters of sheets and the numbers of boxes are used again. A slip is free again when the desk gives it to the press, a sheet
when it goes to the vault, and a box when it is shelved. Only what is free is used for something else.
2. A seal is held by one sheet at a time. Who has asked for a seal first gets it first.
3. All clocks run equally fast, but they are set differently, and all but that of the gate are sometimes set anew. A radio beacon is heard by all
machines at the same instant, and each writes a line when it hears it. A machine sometimes misses a beacon. A clock is set anew
only at a beacon that its machine hears, just before the line is written. The lines of a log stand in the order in which they were written.
4. "Gate time" is what the gate's clock shows at an instant. All times that are asked for are in milliseconds of gate time.

{logs}

QUESTIONS

{questions}

Work it out by reading alone. End your reply with {count} lines, one for each question, with only a number, such as
"Q1: 41250"."""


def stamp(ms: int) -> str:
    """A time of the day."""
    seconds, ms = divmod(ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}"


class Morning:
    """A seed's events in gate time, the logs and the questions."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(f"clocks {seed}")
        self.lines: dict[str, list[tuple[int, str]]] = {each: [] for each in MACHINES}
        begin = 8 * 3_600_000 + chance.randint(0, 3_000_000)
        self.numbers = chance.sample(range(1000, 9999), ORDERS)
        self._work(begin + 30_000)
        self._beacons(begin)
        self._ask()

    def _work(self, now: int) -> None:
        """What happens to each order."""
        chance = self.chance
        self.orders: list[dict[str, int]] = []
        for number in self.numbers:
            now += chance.randint(3_000, 19_000)
            opened = now + chance.randint(900, 12_000)
            given = opened + chance.randint(2_000, 20_000)
            laid = given + chance.randint(700, 9_000)
            asked = laid + chance.randint(1_000, 9_000)
            self.orders.append(
                {"number": number, "came": now, "opened": opened, "given": given, "laid": laid, "asked": asked,
                 "seal": chance.randint(1, 3)}
            )  # fmt: skip
        free = dict.fromkeys((1, 2, 3), 0)
        for order in sorted(self.orders, key=lambda each: each["asked"]):
            got = max(order["asked"] + chance.randint(20, 400), free[order["seal"]] + chance.randint(30, 300))
            back = free[order["seal"]] = got + chance.randint(6_000, 34_000)
            boxed = back + chance.randint(500, 6_000)
            weighed = boxed + chance.randint(900, 12_000)
            shelved = weighed + chance.randint(800, 15_000)
            order.update(got=got, back=back, boxed=boxed, weighed=weighed, shelved=shelved)
        self._names("slip", "came", "given", [str(n) for n in range(1, 16)])
        self._names("sheet", "given", "boxed", list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        self._names("box", "boxed", "shelved", [str(n) for n in range(1, 16)])
        for order in self.orders:
            slip, sheet, box = (self.names[each, order["number"]] for each in ("slip", "sheet", "box"))
            seal = order["seal"]
            for machine, when, said in (
                (
                    "gate",
                    "came",
                    f"order {order['number']} from {chance.choice(TOWNS)} goes to the desk as slip {slip}",
                ),
                ("desk", "opened", f"slip {slip} opened by clerk {chance.randint(1, 4)}"),
                ("desk", "given", f"slip {slip} goes to the press as sheet {sheet}"),
                ("press", "laid", f"sheet {sheet} laid out"),
                ("press", "asked", f"sheet {sheet} asks for seal {seal}"),
                ("press", "got", f"sheet {sheet} gets seal {seal}"),
                ("press", "back", f"sheet {sheet} gives back seal {seal}"),
                ("press", "boxed", f"sheet {sheet} goes to the vault as box {box}"),
                ("vault", "weighed", f"box {box} weighed: {chance.randint(120, 980)} g"),
                ("vault", "shelved", f"box {box} shelved in row {chance.randint(1, 9)}"),
            ):
                self.lines[machine].append((order[when], said))

    def _names(self, kind: str, begin: str, end: str, pool: list[str]) -> None:
        """Give each order a slip, sheet or box that is free."""
        self.names: dict[tuple[str, int], str] = getattr(self, "names", {})
        taken: dict[str, int] = dict.fromkeys(pool, 0)
        for order in sorted(self.orders, key=lambda each: each[begin]):
            free = [each for each in pool if taken[each] + 1_500 < order[begin]]
            name = self.chance.choice(free[:6] or [f"{pool[-1]}{len(taken)}"])
            taken[name] = order[end]
            self.names[kind, order["number"]] = name

    def _beacons(self, begin: int) -> None:
        """Write the beacons, and set the clocks."""
        chance = self.chance
        last = max(order["shelved"] for order in self.orders)
        step = (last - begin) // (BEACONS - 1)
        self.at = [begin + n * step + chance.randint(0, step // 2) for n in range(BEACONS)]
        self.sets: dict[str, list[tuple[int, int, int]]] = {}  # beacon, gate time, offset from then on
        self.heard: dict[str, list[int]] = {}
        for machine in MACHINES:
            heard = [n for n in range(BEACONS) if n == 0 or machine == "gate" or chance.random() > 0.2]
            self.heard[machine] = heard
            changes = [0, *sorted(chance.sample(heard[2:-2], 6))] if machine != "gate" else [0]
            self.sets[machine] = [
                (
                    n,
                    self.at[n],
                    0 if machine == "gate" else chance.choice((-1, 1)) * chance.randint(2_000, 45_000),
                )
                for n in changes
            ]
            self.lines[machine] += [(self.at[n], f"beacon {n + 1}") for n in heard]

    def _clock(self, machine: str, when: int) -> int:
        return when + [offset for _, at, offset in self.sets[machine] if at <= when][-1]

    def log(self, machine: str) -> str:
        """A machine's log."""
        lines = (f"{stamp(self._clock(machine, when))} {said}" for when, said in sorted(self.lines[machine]))
        return f"LOG OF THE {machine.upper()}\n\n" + "\n".join(lines)

    def _ask(self) -> None:
        chance = self.chance
        middle = self.orders[8:-12]
        chance.shuffle(middle)
        self.questions: list[str] = []
        self.wanted: dict[str, int] = {}
        for order in middle[:2]:
            self._add(
                f"How long after order {order['number']} came in at the gate was its box shelved?",
                order["shelved"] - order["came"],
            )
        order = middle[2]
        self._add(
            f"How long after its slip was opened did the sheet of order {order['number']} get its seal?",
            order["got"] - order["opened"],
        )
        for order in middle[3:]:
            holders = [
                each for each in self.orders
                if each["seal"] == order["seal"] and each["got"] < order["asked"] < each["back"]
            ]  # fmt: skip
            if holders and order["asked"] - holders[0]["asked"] > 4_000:
                break
        self._add(
            f"When the sheet of order {order['number']} asked for its seal, another sheet held that seal. Of which order "
            "was that sheet? Give the order's number.",
            holders[0]["number"],
        )
        self._nearest(
            "laid",
            "press",
            "came",
            "whose sheet was the last to be laid out before order {} came in at the gate",
        )
        self._nearest(
            "shelved",
            "vault",
            "opened",
            "whose box was the last to be shelved before the slip of order {} was opened",
        )
        self._nearest(
            "opened",
            "desk",
            "back",
            "whose slip was the last to be opened before the sheet of order {} gave back its seal",
        )
        machine = chance.choice(MACHINES[1:])
        (_, _, old), (beacon, _, new) = chance.choice(
            list(zip(self.sets[machine][1:], self.sets[machine][2:], strict=False))
        )
        self._add(
            f"By how much was the clock of the {machine} set forward at beacon {beacon + 1}? Give a negative number if it was set "
            "back.",
            new - old,
        )

    def _nearest(self, event: str, machine: str, mark: str, words: str) -> None:
        """A question about the last event before a mark on another machine, where the clocks as they stand would
        mislead."""
        other = {"came": "gate", "opened": "desk", "back": "press"}[mark]
        middle = self.orders[15:-15]
        self.chance.shuffle(middle)
        for order in middle:
            before = [each for each in self.orders if each[event] < order[mark]]
            after = [each for each in self.orders if each[event] > order[mark]]
            best = max(before, key=lambda each: each[event])
            shown = [
                each
                for each in self.orders
                if self._clock(machine, each[event]) < self._clock(other, order[mark])
            ]
            misled = max(shown, key=lambda each: each[event])
            clear = min(order[mark] - best[event], min(each[event] for each in after) - order[mark])
            if best is not misled and best is not order and clear > 300:
                break
        self._add(f"Which is the order {words.format(order['number'])}? Give its number.", best["number"])

    def _add(self, question: str, answer: int) -> None:
        self.questions.append(f"Q{len(self.questions) + 1}: {question}")
        self.wanted[f"Q{len(self.questions)}"] = answer


def prompt(seed: int) -> str:
    """The rules, the logs and the questions."""
    morning = Morning(seed)
    return PROMPT.format(
        logs="\n\n".join(map(morning.log, MACHINES)),
        questions="\n".join(morning.questions),
        count=len(morning.questions),
    )


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return Morning(seed).wanted


def build(seed: int) -> Node:
    """The test of a seed."""
    return prompt(seed) >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
