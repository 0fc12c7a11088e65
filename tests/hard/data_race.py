"""A race of five days: chips read by mats with wrong clocks, and some hundred notes that say what really happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = "Can an agent work out the results of a race from raw chip reads and what the marshals wrote in their own words?"
TAGS = ["hard", "log", "agent"]

QUESTION = """This folder holds all that is left of a foot race of five days: the reads of the chips, the list of starters and the notes that marshals,
jury and office wrote. RULES.txt says how the results follow from these. No other results were kept.

{questions}

All times are whole seconds. End your reply with {count} lines, one for each question, with only the answer, such as "Q1: 204"."""
RULES = """HOW THE RESULTS ARE MADE

1. A day's course has seven mats: S (start), A, B, C, D, E and F (finish). day1.csv to day5.csv hold the reads of the chips of that day, in no order; the
   head of each file says how it is written. The same line twice is one read. A clock that was wrong without a note was wrong by the same all day.
2. A note in notes/ may say that a chip was worn by somebody else, that a clock was wrong, and more. All of this is set right before anything else. starters.csv says
   which chip a runner was given. Where a note names a chip to say who is meant, it means the runner who was given that chip by starters.csv. A note that a later
   note takes back or changes counts as the later one says. Notes are numbered in the order in which they were written; "today" is the day in its head.
3. A runner's gun on a day is that of his wave (waves.csv): wave 1 is planned at 08:00:00, wave 2 at 08:20:00, wave 3 at 08:40:00, if no note says otherwise. The gun times
   that notes give need no setting right.
4. Passings are found in the order A, B, C, D, E, F. The passing of a mat is the time of the first read there (by a right clock) that is at least 60 seconds after the runner's last
   passing before, on that day, or after the gun if there is none. Where a note gives the time at which a runner passed a mat, that is the passing, whatever was read.
   A marshal writes down what his or her watch says; a watch that was wrong is set right like a clock.
5. The stage time is the passing of F minus the gun. Who has no passing of F on a day has no stage time for it.
6. A runner is classified who has a stage time on all five days, has not given up and is not disqualified in the end. All others are out of all results, of
   all days; the next ones move up.
7. Of the passings of A to E that a classified runner lacks in the whole race, {free} cost nothing (the first ones in the order of the race); each further one costs {lack} seconds.
8. The class is by sex and by age on 31 December 2026 (2026 minus the year of birth): M or W up to 39, M40 or W40 from 40 to 54, M55 or W55 from 55.
9. On each day the three classified runners of each class with the shortest time from the gun to C get a bonus: 30, 20 and 10 seconds are taken off. Of equal ones the lower bib
   comes first. Who has no passing of C gets none.
10. Where the jury says that the time between two mats does not count, it is taken off the stage time of all those concerned (not off rule 9).
11. Offences cost: litter {litter} seconds, a covered bib {bib} seconds, a short cut {cut} seconds. A runner's second offence of the same sort in the race costs twice as much, a third one four times as
    much, and so on. Each note tells of another deed, if it does not say itself that it is about the deed of another note.
12. A time credit from the jury is taken off; it is as given.
13. The total is the sum of the stage times and of what rules 7 and 11 cost, minus what rules 9, 10 and 12 take off. The lowest total wins its class; of equal totals the lower bib.
14. A club's result is the sum of the {team} lowest totals of its classified runners, of all classes; a club with fewer has none.
"""
MATS = "SABCDEF"
DAYS = (1, 2, 3, 4, 5)
CLASSES = ("M", "M40", "M55", "W", "W40", "W55")
FIRST = {
    "M": [
        "Adam",
        "Bert",
        "Carl",
        "Dirk",
        "Emil",
        "Finn",
        "Gero",
        "Hugo",
        "Ivan",
        "Jens",
        "Karl",
        "Lars",
        "Marc",
        "Nils",
        "Olaf",
        "Paul",
    ],
    "W": [
        "Anna",
        "Bea",
        "Cora",
        "Dana",
        "Elsa",
        "Fina",
        "Gerda",
        "Hanna",
        "Ida",
        "Jana",
        "Kira",
        "Lena",
        "Maja",
        "Nora",
        "Olga",
        "Petra",
    ],
}
LAST = [
    "Ahrens",
    "Brandt",
    "Cramer",
    "Dorn",
    "Ebert",
    "Falk",
    "Grote",
    "Horn",
    "Iden",
    "Jung",
    "Kolb",
    "Lenz",
    "Menke",
    "Noll",
    "Otte",
    "Pohl",
    "Quast",
    "Rabe",
    "Senf",
    "Thiel",
]
CLUBS = [
    "Nordwald",
    "Seeblick",
    "Altstadt",
    "Talheim",
    "Bergen",
    "Moorbach",
    "Steinfurt",
    "Lindau",
    "Kaltenau",
    "Hochried",
]
MARSHALS = ["Ines", "Jobst", "Korbinian", "Liv", "Marek", "Nele", "Oskar", "Pia", "Quentin"]
RUNNERS = 560
TESTED = 7 * 3600  # when the office holds its chip on all mats


@dataclass
class Fact:
    """Something that happened on the day `of`, and its note. `kind` and `about` are what counts in the end; None as kind: nothing.

    In `text` stand {when} for the day and {n} for the number of the note that it is about, `note`.
    """

    kind: str | None
    about: dict[str, Any]
    day: int  # on which its note is written
    of: int
    minute: int
    by: str
    text: str
    note: Fact | None = None
    number: int = 0
    after: list[Fact] = field(default_factory=list)  # notes about this note

    def add(self, day: int, minute: int, by: str, text: str) -> None:
        """A later note about this one."""
        self.after.append(Fact(None, {}, min(5, day), self.of, minute, by, text, self))


@dataclass(frozen=True)
class World:
    """Everything about a seed. `facts`: the notes as one who understood them would write them down."""

    files: Mapping[str, str]
    facts: Mapping[str, Any]
    answers: Mapping[str, str]
    questions: tuple[str, ...]
    rules: Mapping[str, int]


def clock(seconds: int) -> str:
    """As people write a time."""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def category(sex: str, born: int) -> str:
    """The class of rule 8."""
    age = 2026 - born
    return sex + ("" if age < 40 else "40" if age < 55 else "55")


class Maker:
    """Draws a race, what went wrong with it, and what was written about that."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(f"race {seed}")
        self.rules = {
            "free": chance.choice([2, 3]), "lack": chance.choice([120, 180, 240]), "litter": chance.choice([30, 45]),
            "bib": chance.choice([20, 25]), "cut": chance.choice([150, 200]), "team": chance.choice([6, 7]),
        }  # fmt: skip
        self.bibs = sorted(chance.sample(range(101, 1400), RUNNERS))
        sexes = {bib: chance.choice("MW") for bib in self.bibs}
        names = {bib: f"{chance.choice(FIRST[sexes[bib]])} {chance.choice(LAST)}" for bib in self.bibs}
        clubs: dict[int, str] = {}
        for bib in self.bibs:  # two of one name are never in one club
            taken = {clubs[other] for other in clubs if names[other] == names[bib]}
            clubs[bib] = chance.choice([club for club in CLUBS if club not in taken])
        self.sexes, self.names, self.clubs = sexes, names, clubs
        self.born = {bib: chance.randint(1955, 2006) for bib in self.bibs}
        self.chips = dict(zip(self.bibs, chance.sample(range(0x10000, 0xFFFFF), RUNNERS), strict=True))
        self.spares = chance.sample(sorted(set(range(0x10000, 0xFFFFF)) - set(self.chips.values())), 20)
        self.waves = {(bib, day): chance.choice([1, 2, 3]) for bib in self.bibs for day in DAYS}
        self.guns = {(day, wave): 8 * 3600 + 1200 * (wave - 1) for day in DAYS for wave in (1, 2, 3)}
        self.slow = {(name, day): 0 for name in MARSHALS for day in DAYS}  # seconds that a watch is behind
        self.facts: list[Fact] = []
        self.shown_born = dict(self.born)
        self.busy: set[tuple[int, int]] = set()
        self.out: set[int] = set()
        self.unread: dict[tuple[int, int], set[str]] = {}  # mats that read nothing
        self.lacks: dict[tuple[int, int], list[str]] = {}
        self.given: dict[tuple[int, int, str], int] = {}
        self.ends: dict[tuple[int, int], int] = {}  # the mat from which on there is no passing
        self.worn: dict[tuple[int, int, str], int] = {}  # (bid, day, mat) -> chip, where it is another one
        self.clocks: list[tuple[int, str, int, int]] = []  # day, mat, seconds behind, until when (by itself)
        self.free_of: list[tuple[int, str, str, str | None]] = []
        self.offences: list[tuple[int, str]] = []
        self.credits: list[tuple[int, int]] = []

    # how people write

    def who(self, bib: int) -> str:
        name = f"{self.names[bib]} of {self.clubs[bib]}"
        return self.chance.choice(
            [
                f"bib {bib}",
                f"number {bib}",
                f"no. {bib}",
                name,
                f"{name}",
                f"the runner of chip {self.chips[bib]:05X}",
            ]
        )

    def note(self, kind: str | None, on: int, of: int, text: str, by: str = "", /, **about: Any) -> Fact:
        """Something that happened on the day `of`, written down on the day `on`."""
        minute = self.chance.randint(760, 1150)
        self.facts.append(Fact(kind, about, on, of, minute, by or self.chance.choice(MARSHALS), text))
        return self.facts[-1]

    def written(self, fact: Fact) -> str:
        """The text of a note."""
        number = f"{fact.note.number:03d}" if fact.note else ""
        when = self.when(fact.of, fact.day)
        return cap(fact.text.replace("{when}", when).replace("{When}", cap(when)).replace("{n}", number))

    def when(self, day: int, written: int) -> str:
        if day == written:
            return "today"
        return self.chance.choice(["yesterday", f"on day {day}"]) if day == written - 1 else f"on day {day}"

    def late(self, day: int) -> int:
        return min(5, day + self.chance.choice([0, 0, 0, 0, 1, 1, 2]))

    def pick(self, day: int, wants: Callable[[int], bool] = lambda bib: True) -> int:
        """A runner to whom nothing else happens on that day, and who is not out."""
        while True:
            bib = self.chance.choice(self.bibs)
            if bib not in self.out and (bib, day) not in self.busy and wants(bib):
                self.busy.add((bib, day))
                return bib

    # what happened

    def run(self) -> None:
        chance = self.chance
        self.times: dict[tuple[int, int, str], int] = {}
        pace = {bib: chance.uniform(0.8, 1.5) for bib in self.bibs}
        for day in DAYS:
            lengths = [chance.randint(500, 1900) for _ in "ABCDEF"]
            for wave in (1, 2, 3):
                if chance.random() < 0.3:
                    self.delay(day, wave)
            for bib in self.bibs:
                now = self.guns[day, self.waves[bib, day]]
                for mat, length in zip("ABCDEF", lengths, strict=True):
                    now += int(length * pace[bib] * chance.uniform(0.93, 1.08))
                    self.times[bib, day, mat] = now
        self.neutral()
        for name in chance.sample(MARSHALS, 6):
            self.watch(name)
        for _ in range(9):
            self.gave_up()
        for _ in range(7):
            self.disqualified()
        for _ in range(13):
            self.swap()
        for _ in range(9):
            self.spare()
        for _ in range(20):
            self.seen()
        places = chance.sample([(day, mat) for day in DAYS for mat in "ABCDEF"], 13)
        for place in places[4:]:
            self.wrong_clock(*place)
        self.hidden = [(day, mat, chance.choice([-53, -19, 14, 37, 66]), 0) for day, mat in places[:4]]
        for _ in range(24):
            self.offence()
        for _ in range(9):
            self.credit()
        for _ in range(6):
            self.birth()
        for _ in range(22):
            self.chatter()
        for bib in self.bibs:
            for day in DAYS:
                self.ordinary(bib, day)
        for _ in range(8):
            self.unnamed()
        for _ in range(4):
            self.all_of_a_club()
        self.corrections()

    def delay(self, day: int, wave: int) -> None:
        late = self.chance.choice([15, 20, 35, 60, 75])
        self.guns[day, wave] += late
        gun = clock(self.guns[day, wave])
        said = self.chance.choice([
            f"Wave {wave} was sent {late} seconds late today.", f"For the office: today the gun of wave {wave} went at {gun}, not as planned.",
            f"We had to hold wave {wave} back today because of a tractor. Off they went at {gun}.",
        ])  # fmt: skip
        self.note("gun", day, day, said, day=day, wave=wave, at=self.guns[day, wave])

    def neutral(self) -> None:
        chance = self.chance
        for day, who in zip(chance.sample(DAYS, 2), [None, chance.choice(CLASSES)], strict=True):
            at = chance.randint(1, 4)
            first, last = MATS[at], MATS[at + chance.choice([1, 2])]
            self.free_of.append((day, first, last, who))
            whom = "all runners" if who is None else f"class {who} only"
            text = f"Decision of the jury: {{when}} the time from {first} to {last} does not count, for {whom} (the bridge)."
            self.note("neutral", day, day, text, "jury", day=day, first=first, last=last, who=who)

    def watch(self, name: str) -> None:
        chance = self.chance
        slow, last = chance.choice([-41, -17, -9, 8, 13, 26, 52]), chance.choice([2, 3, 5, 5])
        for day in DAYS[:last]:
            self.slow[name, day] = slow
        way = f"{abs(slow)} seconds {'behind' if slow > 0 else 'ahead of'}"
        if last < 5:
            said = chance.choice([
                f"My watch has been {way} the right time since the first day. I have set it right this evening, after day {last} was over. The times in my notes about day {last} and the days before are from before that, whenever I wrote the note.",
                f"Set my watch after the last runner today; it was {way} the right time all along, up to now. Times of mine about today or earlier days are from that wrong watch.",
            ])  # fmt: skip
        else:
            said = chance.choice([
                f"I have held my watch against the radio: it is {way} the right time, and it was all the time, and will be, since I cannot set it. I do not reckon that in when I write.",
                f"In case it matters: my watch is {way} the right time, from the first day to the last. What I write is what it says.",
            ])  # fmt: skip
        written = last if last < 5 else chance.choice([2, 3, 4, 5])
        self.note("watch", written, written, said, name, name=name, slow=slow, last=last)

    def gave_up(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS)
        bib = self.pick(day)
        self.out.add(bib)
        at = chance.randint(1, 5)
        mat = MATS[at]
        who = self.who(bib)
        said = chance.choice([
            f"{who}: sat down after {mat}, stays out of the race. I took the chip to the finish in my car, it may have been read there.",
            f"Broom wagon, {{when}}: on board {who}, picked up behind {mat}. Chip was still on when we drove over the mats.",
            f"{who} has had enough. Does not go on, {{when}} or on any other day.",
        ])  # fmt: skip
        self.note("out", day, day, said, bib=bib)

    def disqualified(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS[:4])
        bib = self.pick(day)
        who = self.who(bib)
        text = f"The jury has disqualified {who}: accepted a lift on a bicycle {{when}}."
        fact = self.note("out", day, day, text, "jury", bib=bib)
        if chance.random() < 0.45:
            self.out.add(bib)
            return
        club = self.clubs[bib]
        if chance.random() < 0.55:
            fact.kind = None
            said = [
                f"The protest of the club of {club} against what the jury decided in note {{n}} is allowed.",
                "We have heard the witnesses about note {n} once more. The runner is back in the race.",
            ]
        else:
            self.out.add(bib)
            said = [
                f"The protest of the club of {club} against note {{n}} came within the time allowed. It is dismissed.",
                "About note {n}: the witnesses that the runner brought did not convince us.",
            ]
        fact.add(day + chance.choice([0, 1]), 1170, "jury", chance.choice(said))

    def swap(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS)
        one, two = self.pick(day), self.pick(day)
        at = chance.randint(1, 5)
        mats = chance.choice([MATS, MATS, MATS[: at + 1], MATS[at:]])
        a, b = self.who(one), self.who(two)
        if mats == MATS:
            said = [
                f"{a} and {b} share a tent. {{When}} they have run with each other's chips, both admit it.",
                f"{a} ran with the chip of {b} {{when}}, and the other way round.",
            ]
        elif mats[0] == "S":
            said = [
                f"Chips mixed up {{when}}: {a} had that of {b} and the reverse. I made them change back when they had both passed {mats[-1]}, before the next mat."
            ]
        else:
            said = [
                f"{a} and {b} lay in the grass {{when}} before {mats[0]} and put on each other's chips there; from {mats[0]} on, that mat included, they ran so to the finish."
            ]
        text = chance.choice(said)
        for mat in mats:
            mine, its = (
                self.worn.get((one, day, mat), self.chips[one]),
                self.worn.get((two, day, mat), self.chips[two]),
            )
            self.worn[one, day, mat], self.worn[two, day, mat] = its, mine
        written = self.late(day)

        self.note("swap", written, day, text, day=day, one=one, two=two, mats=mats)

    def spare(self) -> None:
        chance, day, spare = self.chance, self.chance.choice(DAYS[:4]), self.spares.pop()
        rest = chance.random() < 0.5
        days = [each for each in DAYS if each == day or (rest and each > day)]
        bib = self.pick(day, lambda bib: all((bib, each) not in self.busy for each in days))
        self.busy |= {(bib, each) for each in days}
        at = chance.randint(0, 4)
        places = [(each, mat) for each in days for mat in (MATS[at:] if each == day else MATS)]
        for each, mat in places:
            self.worn[bib, each, mat] = spare
        who, until = (
            self.who(bib),
            "for the rest of the race" if rest else "for that day only; the old one was found",
        )
        text = chance.choice([
            f"Gave {who} spare chip {spare:05X} {{when}} just before {MATS[at]}, since the own one was lost: {until}.",
            f"Chip {spare:05X} from the box went to {who} {{when}}. First mat with it is {MATS[at]}. It is {until}.",
        ])  # fmt: skip
        self.note(
            "spare",
            self.late(day),
            day,
            text,
            bib=bib,
            chip=spare,
            places=places,
        )

    def seen(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS)
        bib = self.pick(day)
        mat, by = chance.choice("ABCCDEFFF"), chance.choice(MARSHALS)
        self.unread.setdefault((bib, day), set()).add(mat)
        shown = clock(self.times[bib, day, mat] - self.slow[by, day])
        who = self.who(bib)
        text = chance.choice([
            f"{who} jumped beside the mat at {mat} {{when}}; my watch said {shown}.", f"Not read at {mat} {{when}}, but I saw the runner pass at {shown}: {who}.",
            f"{{When}} at {mat}: {shown} {who}, the mat did not beep.",
        ])  # fmt: skip

        self.note(
            "seen", self.late(day), day, text, by, bib=bib, day=day, mat=mat, at=self.times[bib, day, mat]
        )

    def wrong_clock(self, day: int, mat: str) -> None:
        chance = self.chance
        if chance.random() < 0.5:
            slow, until = chance.choice([-95, -62, -33, 21, 47, 84, 3600]), 0
            way = f"{abs(slow)} seconds {'slow' if slow > 0 else 'fast'}"
            text = chance.choice(
                [
                    f"The clock of mat {mat} was {way} all day {{when}}.",
                    f"Mat {mat} {{when}}: its clock went {way}, from the first read to the last.",
                ]
            )
        else:
            slow = chance.choice([28, 44, 71, 118])
            passed = sorted(self.times[bib, day, mat] for bib in self.bibs)
            until = passed[len(passed) // 2] - slow
            text = chance.choice([
                f"The clock of mat {mat} was {slow} seconds slow {{when}}. I set it right when it showed {clock(until)}; reads up to and including that second are wrong.",
                f"At mat {mat} {{when}} we put the clock forward by {slow} seconds, to the right time, when it said {clock(until)} (what it read in that second is still old). Before that it had been slow by as much all day.",
            ])  # fmt: skip
        self.clocks.append((day, mat, slow, until))
        self.note(
            "clock",
            self.late(day),
            day,
            text,
            day=day,
            mat=mat,
            slow=slow,
            until=until,
        )

    def offence(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS)
        sort = chance.choice(["litter", "litter", "bib", "cut"])
        again = [bib for bib, one in self.offences if one == sort and bib not in self.out]
        bib = chance.choice(again) if again and chance.random() < 0.4 else self.pick(day)
        self.offences.append((bib, sort))
        who = self.who(bib)
        text = chance.choice({
            "litter": [f"{who} threw a gel wrapper into the wood {{when}}.", f"Litter {{when}}: {who}."],
            "bib": [f"{who} ran with a jacket over the bib {{when}}.", f"Bib covered {{when}} although I had asked twice: {who}."],
            "cut": [f"{who} cut across the meadow {{when}}.", f"Short cut {{when}}, seen by me from the bridge: {who}."],
        }[sort])  # fmt: skip
        by = chance.choice(MARSHALS)
        fact = self.note(
            "offence",
            self.late(day),
            day,
            text,
            by,
            bib=bib,
            sort=sort,
        )
        if chance.random() < 0.3:
            other = self.who(bib)
            name = chance.choice([each for each in MARSHALS if each != by])
            thing = {"litter": "litter", "bib": "a covered bib", "cut": "a short cut"}[sort]
            text = f"{other}: {thing}. {by} has seen it, too, it is what note {{n}} tells of."
            fact.add(fact.day, 1160, name, text)

    def credit(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS)
        bib = self.pick(day)
        seconds = chance.randint(40, 400)
        self.credits.append((bib, seconds))
        shown = chance.choice([f"{seconds} seconds", f"{seconds // 60}:{seconds % 60:02d} minutes"])
        who = self.who(bib)
        text = chance.choice(
            [
                f"Jury: {who} helped somebody who had fallen {{when}} and is given {shown}.",
                f"Credit of {shown} for {who}, sent the wrong way by a marshal {{when}}.",
            ]
        )
        self.note(
            "credit",
            self.late(day),
            day,
            text,
            "jury",
            bib=bib,
            seconds=seconds,
        )

    def unnamed(self) -> None:
        """A note about a runner whose bib nobody saw, but who was the first at a mat."""
        chance = self.chance
        for day, mat, wave in chance.sample(
            [(day, mat, wave) for day in DAYS for mat in "ABCDEF" for wave in (1, 2, 3)], 90
        ):
            its = sorted(
                (self.times[bib, day, mat], bib) for bib in self.bibs if self.waves[bib, day] == wave
            )[:2]
            (first_at, bib), (second_at, _) = its
            if (
                bib not in self.out
                and (bib, day) not in self.busy
                and (bib, day) not in self.lacks
                and second_at - first_at >= 10
            ):
                break
        else:
            return
        self.busy.add((bib, day))
        about: dict[str, Any] = {"day": day, "mat": mat, "wave": wave}
        first = f"the runner of wave {wave} who was the first of that wave to pass {mat} {{when}}"
        if chance.random() < 0.6:
            sort = chance.choice(["litter", "bib", "cut"])
            self.offences.append((bib, sort))
            thing = {"litter": "threw away a cup", "bib": "had covered the bib", "cut": "took a short cut"}[
                sort
            ]
            text = chance.choice(
                [
                    f"I could not see the bib, but {first} {thing}.",
                    f"{first} {thing}. Do find out who that is.",
                ]
            )
            about["sort"] = sort
        else:
            seconds = chance.randint(30, 200)
            self.credits.append((bib, seconds))
            text = f"Jury: {first} stopped for a lost child there and is given {seconds} seconds. Name not known to us."
            about["seconds"] = seconds
        by = "jury" if "seconds" in about else ""
        self.note(
            "unnamed",
            self.late(day),
            day,
            text,
            by,
            **about,
        )

    def all_of_a_club(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS)
        club, wave, seconds = chance.choice(CLUBS), chance.choice([1, 2, 3]), chance.randint(20, 150)
        its = [bib for bib in self.bibs if self.clubs[bib] == club and self.waves[bib, day] == wave]
        kept = chance.choice(its)
        self.credits += [(bib, seconds) for bib in its if bib != kept]
        who = self.who(kept)
        text = f"Jury: all runners of {club} in wave {wave} were sent round the pond {{when}} and are given {seconds} seconds each, but for {who}, who saw the mistake."
        self.note(
            "group",
            self.late(day),
            day,
            text,
            "jury",
            day=day,
            club=club,
            wave=wave,
            seconds=seconds,
            kept=kept,
        )

    def birth(self) -> None:
        chance = self.chance
        day = chance.choice(DAYS)
        bib = self.pick(day)
        while category(self.sexes[bib], self.shown_born[bib]) == category(self.sexes[bib], self.born[bib]):
            self.shown_born[bib] = chance.randint(1955, 2006)
        who = self.who(bib)
        text = chance.choice(
            [
                f"{who} showed me a passport: born in {self.born[bib]}. The list of starters is wrong.",
                f"The year of birth of {who} is {self.born[bib]}, please mend.",
            ]
        )
        self.note("born", day, day, text, "office", bib=bib, born=self.born[bib])

    def chatter(self) -> None:
        chance, day = self.chance, self.chance.choice(DAYS)
        one, two = self.who(chance.choice(self.bibs)), self.who(chance.choice(self.bibs))
        wrong = {mat for on, mat, _, _ in self.clocks + self.hidden if on == day}
        mat = chance.choice([mat for mat in "ABCDE" if mat not in wrong] or ["S"])
        text = chance.choice([
            f"I thought that {one} had cut the meadow, but it was the path that the course takes there. Nothing to note.",
            f"{one} asked whether a chip can be changed for another. I said no, and it was not.",
            f"{one} says that {two} threw something away. I looked: it was a leaf.", f"Mat {mat} was moved by two metres before the start. All is well.",
            f"{one} was last at {mat} but in good spirits.", f"{one} wanted to give up at {mat}, drank a tea and ran on.",
            f"The clock of mat {mat} looked slow to me, so I compared it with the radio. It is right to the second; my eyes are not.",
            f"{one} demands a minute from the jury for waiting at the gate. The jury has not met yet. (Later: it has, and gives nothing.)",
            f"{one} and {two} have the same shoes. That is all that they have exchanged.",
        ])  # fmt: skip
        self.note(None, day, day, text)

    def ordinary(self, bib: int, day: int) -> None:
        """What a runner lacks without a note."""
        chance = self.chance
        if bib in self.out:
            return
        if (bib, day) not in self.busy and chance.random() < 0.012:
            self.ends[bib, day] = chance.randint(1, 6)
            self.out.add(bib)
            return
        fixed = {mat for on, first, last, _ in self.free_of if on == day for mat in (first, last)}
        had = self.unread.get((bib, day), set())
        if chance.random() < 0.09:
            free = [mat for mat in "ABCDE" if mat not in fixed | had]
            self.lacks[bib, day] = sorted(chance.sample(free, chance.choice([1, 1, 2])))

    def corrections(self) -> None:
        """Some notes were wrong at first; a later note says what is right."""
        chance = self.chance
        able = [
            fact
            for fact in self.facts
            if fact.kind in ("offence", "credit", "seen", "out", "born") and not fact.after
        ]
        for fact in chance.sample(able, 17):
            kind = fact.kind
            draw = chance.random()
            right = fact.about["bib"]
            other = chance.choice([bib for bib in self.bibs if bib not in self.out and bib != right])
            if draw < 0.6:  # the wrong runner
                later = [
                    chance.choice([
                        f"In note {{n}} I have mistaken the bib: {right} is right, not {other}.",
                        f"Note {{n}} is about bib {right}, I had misread it. All else in it is right.",
                    ])
                ]  # fmt: skip
                if chance.random() < 0.4 and right not in self.out:
                    later = [
                        f"About note {{n}}: perhaps it was not that runner but bib {other}. I shall ask.",
                        "I have asked about note {n}. It was right as it stood at first, and what I wrote about it later is not.",
                    ]
                else:
                    fact.text = self.swapped(fact.text, right, other)
            elif kind in ("offence", "credit") and draw < 0.8:  # it stays, although somebody doubts it
                later = ["They ask me whether note {n} is true. It is, every word."]
            elif kind == "credit":
                more = chance.choice([60, -30, 90])
                fact.text = f"Jury: {fact.about['seconds'] - more} seconds are given to {self.who(right)}."
                later = [f"Note {{n}} gave {abs(more)} seconds too {'little' if more > 0 else 'much'}."]
            else:
                later = ["Note {n}: I stand by it."]
            for at, text in enumerate(later):
                fact.add(fact.day + (at or chance.choice([0, 0, 1])), 1175 + at, fact.by, text)
        for _ in range(6):  # what never happened
            day = chance.choice(DAYS)
            who = self.who(chance.choice([bib for bib in self.bibs if bib not in self.out]))
            said = chance.choice([
                f"{who} threw a bottle away.", f"{who} has been disqualified by the jury.",
                f"{who} took the short cut by the mill.", f"{who} gave up at C.",
            ])  # fmt: skip
            fact = self.note(None, day, day, said)
            fact.add(
                day + chance.choice([0, 1, 2]),
                1172,
                fact.by,
                "Note {n} was about a training run. It has no place here.",
            )

    def swapped(self, text: str, right: int, wrong: int) -> str:
        """The same words about another runner."""
        name = f"{self.names[right]} of {self.clubs[right]}"
        chip = f"the runner of chip {self.chips[right]:05X}"
        for old in (f"bib {right}", f"number {right}", f"no. {right}", name, chip):
            text = text.replace(old, f"bib {wrong}")
        return text

    # what is left of it

    def reads(self, day: int) -> list[tuple[str, int, int]]:
        """Mat, chip and what its clock showed."""
        chance = self.chance
        wrong = {mat: (slow, until) for on, mat, slow, until in self.clocks + self.hidden if on == day}
        found: list[tuple[str, int, int]] = []

        def read(bib: int, mat: str, at: int) -> None:
            slow, until = wrong.get(mat, (0, 0))
            shown = at - slow if not until or at - slow <= until else at
            found.append((mat, self.worn.get((bib, day, mat), self.chips[bib]), shown))

        for bib in self.bibs:
            gun = self.guns[day, self.waves[bib, day]]
            for _ in range(chance.choice([1, 2, 3])):
                read(bib, "S", gun + chance.randint(-200, 20))
            end = self.ends.get((bib, day), 7)
            silent = {*self.lacks.get((bib, day), ()), *self.unread.get((bib, day), ())}
            for at, mat in enumerate(MATS[1:], 1):
                passed = self.times[bib, day, mat]
                if at < end and mat not in silent:
                    for more in sorted(
                        {0, *(chance.randint(0, 50) for _ in range(chance.choice([0, 1, 2, 3])))}
                    ):
                        read(bib, mat, passed + more)
            if silent or end < 7:
                continue
            draw = chance.random()
            if draw < 0.08:  # on the way to the start
                read(bib, chance.choice("ABCDEF"), gun - chance.randint(100, 2000))
            elif draw < 0.2:  # where the course comes near a later mat
                at = chance.randint(2, 5)
                read(bib, MATS[at + 1], self.times[bib, day, MATS[at]] - chance.randint(20, 90))
                read(bib, MATS[at + 1], self.times[bib, day, MATS[at]] + chance.randint(5, 50))
            elif draw < 0.28:  # on the way back
                for mat in chance.sample("ABCDEF", 2):
                    read(bib, mat, self.times[bib, day, "F"] + chance.randint(300, 3000))
        found += [(mat, 0, TESTED - wrong.get(mat, (0, 0))[0]) for mat in MATS]
        found += chance.sample(found, len(found) // 30)
        chance.shuffle(found)
        return found

    def file(self, day: int) -> str:
        heads: dict[int, tuple[str, Callable[[str, int, int], str]]] = {
            1: ("# mat;chip;time", lambda mat, chip, at: f"{mat};{chip:05X};{clock(at)}"),
            2: ("# chip,mat,seconds since midnight", lambda mat, chip, at: f"{chip:05X},{mat},{at}"),
            3: ("# time mat chip (lower case, with a check letter behind it)", lambda mat, chip, at: f"{clock(at)} {mat} {chip:05x}{'kmpq'[chip % 4]}"),
            4: ("# mat|chip, decimal|time, a.m. or p.m.", lambda mat, chip, at: f"{mat}|{chip}|{(at // 3600 - 1) % 12 + 1}:{at // 60 % 60:02d}:{at % 60:02d} {'ap'[at >= 43200]}m"),
            5: ("# mat,chip,minutes since the gun of wave 1 as planned,seconds", lambda mat, chip, at: f"{mat},{chip:05X},{(at - 28800) // 60},{(at - 28800) % 60}"),
        }  # fmt: skip
        head, line = heads[day]
        test = f"# the office's own chip, number 0, is held on every mat at {clock(TESTED)} by the right time"
        return "\n".join([head, test, *(line(*each) for each in self.reads(day))]) + "\n"

    def notes(self) -> dict[str, str]:
        """The notes in the order of their numbers. Those about another note come after it."""
        every = [(fact, None) for fact in self.facts] + [
            (more, fact) for fact in self.facts for more in fact.after
        ]
        for more, fact in every:
            if fact is not None and more.day == fact.day and more.minute <= fact.minute:
                more.minute = fact.minute + 1
        ordered = sorted((fact for fact, _ in every), key=lambda each: (each.day, each.minute))
        for number, fact in enumerate(ordered, 1):
            fact.number = number
        return {
            f"notes/{fact.number:03d}.txt": f"{fact.by}, day {fact.day}, {fact.minute // 60:02d}:{fact.minute % 60:02d}\n\n{self.written(fact)}\n"
            for fact in ordered
        }

    # what follows

    def totals(self) -> dict[int, int]:
        """The total of each classified runner, from what really happened."""
        rules, ranked = self.rules, [bib for bib in self.bibs if bib not in self.out]
        total = dict.fromkeys(ranked, 0)
        for bib in ranked:
            lacking = 0
            for day in DAYS:
                total[bib] += self.times[bib, day, "F"] - self.guns[day, self.waves[bib, day]]
                lacking += len(self.lacks.get((bib, day), ()))
            total[bib] += rules["lack"] * max(0, lacking - rules["free"])
            for sort in ("litter", "bib", "cut"):
                count = self.offences.count((bib, sort))
                total[bib] += rules[sort] * (2**count - 1)
            total[bib] -= sum(seconds for one, seconds in self.credits if one == bib)
            for day, first, last, who in self.free_of:
                if who in (None, category(self.sexes[bib], self.born[bib])):
                    total[bib] -= self.times[bib, day, last] - self.times[bib, day, first]
        for day in DAYS:
            for each in CLASSES:
                its = [
                    bib
                    for bib in ranked
                    if category(self.sexes[bib], self.born[bib]) == each
                    and "C" not in self.lacks.get((bib, day), ())
                ]
                its.sort(
                    key=lambda bib: (self.times[bib, day, "C"] - self.guns[day, self.waves[bib, day]], bib)
                )
                for bib, bonus in zip(its, (30, 20, 10), strict=False):
                    total[bib] -= bonus
        return total

    def world(self) -> World:
        self.run()
        chance, total = self.chance, self.totals()
        questions: list[str] = []
        found: list[Any] = []
        for each in CLASSES:
            its = sorted(
                (seconds, bib)
                for bib, seconds in total.items()
                if category(self.sexes[bib], self.born[bib]) == each
            )
            questions += [
                f"What is the bib of the winner of class {each}?",
                f"How many runners of class {each} are classified?",
                f"What is the sum of the totals of all classified runners of class {each}?",
            ]
            found += [its[0][1], len(its), sum(seconds for seconds, _ in its)]
        clubs = {}
        for club in CLUBS:
            best = sorted(seconds for bib, seconds in total.items() if self.clubs[bib] == club)[
                : self.rules["team"]
            ]
            if len(best) == self.rules["team"]:
                clubs[club] = sum(best)
        winner = min(clubs, key=lambda club: clubs[club])
        questions += ["Which club has the lowest result?", "What is the sum of the results of all clubs?"]
        found += [winner, sum(clubs.values())]
        touched = sorted(
            {fact.about["bib"] for fact in self.facts if "bib" in fact.about and fact.about["bib"] in total}
        )
        for bib in chance.sample(touched, 4):
            questions.append(f"What is the total of bib {bib}?")
            found.append(total[bib])
        waves = "\n".join(
            [
                "bib,day1,day2,day3,day4,day5",
                *(f"{bib}," + ",".join(str(self.waves[bib, day]) for day in DAYS) for bib in self.bibs),
            ]
        )
        starters = "\n".join(
            [
                "bib,name,sex,born,club,chip",
                *(
                    f"{bib},{self.names[bib]},{self.sexes[bib]},{self.shown_born[bib]},{self.clubs[bib]},{self.chips[bib]:05X}"
                    for bib in self.bibs
                ),
            ]
        )
        files = {
            "RULES.txt": RULES.format(**self.rules),
            "starters.csv": starters + "\n",
            "waves.csv": waves + "\n",
        }
        files |= {f"day{day}.csv": self.file(day) for day in DAYS}
        self.notes()  # numbers
        files |= self.notes()
        facts: dict[str, list[Any]] = {}
        for fact in self.facts:
            if fact.kind:
                facts.setdefault(fact.kind, []).append(fact.about)
        answers = {f"Q{number}": str(each) for number, each in enumerate(found, 1)}
        return World(files, facts, answers, tuple(questions), self.rules)


def cap(text: str) -> str:
    """With a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


@cache
def world(seed: int) -> World:
    """Everything about a seed, made once."""
    return Maker(seed).world()


def files_of(seed: int) -> Mapping[str, str]:
    """The files of a seed."""
    return world(seed).files


def answers_of(seed: int) -> Mapping[str, str]:
    """The right answers of a seed."""
    return world(seed).answers


def build(seed: int) -> Node:
    """The test of a seed."""
    asked = world(seed).questions
    shown = "\n".join(f"Q{number}: {text}" for number, text in enumerate(asked, 1))
    question = QUESTION.format(questions=shown, count=len(asked))
    work = Files(partial(files_of, seed)) >> question >> AgentRun([Shell(), Python()], max_turns=40)
    return work >> PyFunc(partial(judge_all, partial(answers_of, seed), same_words))
