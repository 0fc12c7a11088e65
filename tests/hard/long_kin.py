"""A register of births, marriages, adoptions and new names, in which a name belongs to one after the other: who is whose?"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = "Can the model follow kinship through a register in which people change names and parents, and names change people?"
TAGS = ["hard", "reading", "register"]

GIVEN = {
    "f": ("Ada", "Bice", "Clara", "Dora", "Edda", "Flora", "Greta", "Hilda", "Irma", "Julia"),
    "m": ("Anton", "Bruno", "Carl", "Dietz", "Emil", "Fritz", "Georg", "Hugo", "Ivo", "Jonas"),
}
FAMILY = ("Abt", "Brand", "Cramer", "Dorn", "Ebel", "Frey", "Gahl", "Hein", "Imhof", "Jung", "Kolb", "Lenz")
FIRST = 1700
OF_AGE, OLD = 19, 43  # who may marry; mothers at most
PROMPT = """Below is the register of a valley for {first} to {last}, entry by entry in the order in which things happened. These are the rules:

1. An entry means people by the full names that they have just before it. No two living people have the same name, but when somebody dies or takes another name, the old name may be given to somebody else, later in
that year or at any time afterwards.
2. Who is adopted has only the adopting couple as mother and father from then on (also after a former adoption). When an adoption ends, the parents by birth are the mother and father again, and nobody else.
3. The children of a person at a time are all who have him or her as a mother or father at that time, dead or alive, by birth or adoption. They count in the order of their births (earlier entries first).
Siblings are people with the same mother at that time, in the order of their births as well.
4. Spouses are counted in the order of the marriages, whether they have ended or not; somebody married twice to the same person counts that spouse twice.

THE REGISTER

{entries}

QUESTIONS

Each question names somebody who lived at the end of a year, by the name that he or she had then, and a later year. Go from this person from step to step, "last spouse, mother" being the mother of
the person's last spouse. All these steps, and the answer, are meant as things stand at the end of the later year, the dead included: a first spouse is the first one until then, children are those
born until then, parents are those that hold at its end (or held at the person's death). "Next older sibling" is the last one born before the person, "next younger sibling" the first one born after. The answer is the full name that the last person in the chain has
at the end of that year, or had when he or she died.

{questions}

Work it out by reading alone. End your reply with {count} lines, one for each question, with only the full name, such as "Q1: {example}"."""


@dataclass(eq=False)
class Person:
    """`names`, `parents` and `spouses` each with the year from which they hold."""

    sex: str
    born: int
    names: list[tuple[int, str]]
    parents: list[tuple[int, tuple[Person, Person]]] = field(default_factory=list)
    spouses: list[tuple[int, Person]] = field(default_factory=list)
    married: Person | None = None
    adopted: bool = False
    died: int = 0

    @property
    def alive(self) -> bool:
        return not self.died

    @property
    def name(self) -> str:
        return self.names[-1][1]

    def called(self, year: int) -> str:
        """The name at the end of a year, or at death."""
        return [name for since, name in self.names if since <= year][-1]


class Valley:
    """Lives of people, year by year."""

    def __init__(self, chance: random.Random, years: int, people: int) -> None:
        self.chance, self.most = chance, people
        self.year = FIRST
        self.everyone: list[Person] = []
        self.entries: list[str] = []
        for sex in "fm" * 12:
            person = Person(
                sex, FIRST - chance.randint(16, 30), [(FIRST, self.free(sex, chance.choice(FAMILY)))]
            )
            self.everyone.append(person)
            self.enter(f"{person.name} comes to the valley")
        for self.year in range(FIRST, FIRST + years):
            self.pass_()

    def enter(self, text: str) -> None:
        """Write an entry."""
        self.entries.append(f"{self.year}: {text}")

    def living(self) -> list[Person]:
        """All who live."""
        return [each for each in self.everyone if each.alive]

    def free(self, sex: str, family: str) -> str:
        """A name of this family, or of another one, that nobody alive has."""
        taken = {each.name for each in self.living()}
        for name in (family, *self.chance.sample(FAMILY, len(FAMILY))):
            given = [each for each in GIVEN[sex] if f"{each} {name}" not in taken]
            if given:
                return f"{self.chance.choice(given)} {name}"
        raise ValueError("no name is free")

    def rename(self, person: Person, family: str, keep: float = 0.75) -> str:
        """A new name, with the old given name if that is free, most of the time; what the entry says of it."""
        taken = {each.name for each in self.living()}
        new = f"{person.name.split()[0]} {family}"
        if new in taken or self.chance.random() > keep:
            new = self.free(person.sex, family)
        person.names.append((self.year, new))
        return f"is called {new} from now on"

    def pass_(self) -> None:
        """A year."""
        chance = self.chance
        for person in self.living():
            age = self.year - person.born
            if chance.random() < (0.006 if age < 45 else 0.03 if age < 65 else 0.12):
                self.enter(f"{person.name} dies")
                person.died = self.year
                if person.married:
                    person.married.married = None
        self.marriages()
        for wife in self.living():
            husband = wife.married
            if wife.sex == "f" and husband:
                if self.year - wife.born < OLD and chance.random() < 0.24 and len(self.living()) < self.most:
                    sex = chance.choice("fm")
                    name = self.free(sex, chance.choice((wife, husband, husband)).name.split()[1])
                    child = Person(sex, self.year, [(self.year, name)], [(self.year, (wife, husband))])
                    self.everyone.append(child)
                    self.enter(
                        f"{name} is born, {'daughter' if sex == 'f' else 'son'} of {wife.name} and {husband.name}"
                    )
                elif chance.random() < 0.012:
                    self.enter(f"{wife.name} and {husband.name} are divorced")
                    wife.married = husband.married = None
        self.children()
        for person in self.living():
            if chance.random() < 0.009:
                old = person.name
                self.enter(f"{old} {self.rename(person, chance.choice(FAMILY), 0.4)}")

    def marriages(self) -> None:
        """Some of those who are of age and not married marry."""
        chance = self.chance
        free = {
            sex: [
                each
                for each in self.living()
                if each.sex == sex and not each.married and OF_AGE <= self.year - each.born < 60
            ]
            for sex in "fm"
        }
        for wife in free["f"]:
            fits = [
                each
                for each in free["m"]
                if not each.married and abs(each.born - wife.born) < 16 and not self.near(wife, each)
            ]
            if fits and chance.random() < 0.3:
                husband = chance.choice(fits)
                old = f"{wife.name} and {husband.name} marry"
                match chance.choice("wwwwhhkb"):
                    case "w":
                        old += f"; she {self.rename(wife, husband.name.split()[1])}"
                    case "h":
                        old += f"; he {self.rename(husband, wife.name.split()[1])}"
                    case "b":
                        family = chance.choice(FAMILY)
                        old += f"; she {self.rename(wife, family)}, and he {self.rename(husband, family)}"
                self.enter(old)
                wife.married, husband.married = husband, wife
                wife.spouses.append((self.year, husband))
                husband.spouses.append((self.year, wife))

    def near(self, one: Person, other: Person) -> bool:
        """Whether they have a parent in common, or one is a parent of the other."""
        of = [{each for _, pair in person.parents for each in pair} | {person} for person in (one, other)]
        return bool(of[0] & of[1])

    def children(self) -> None:
        """Adoptions and their ends."""
        chance = self.chance
        for child in self.living():
            if not child.parents or self.year - child.born > 17:
                continue
            parents = child.parents[-1][1]
            lost = sum(not each.alive for each in parents)
            if child.adopted and chance.random() < 0.06:
                child.adopted = False
                child.parents.append((self.year, child.parents[0][1]))
                family = self.chance.choice(child.parents[0][1]).name.split()[1]
                self.enter(
                    f"the adoption of {child.name} ends; {'she' if child.sex == 'f' else 'he'} {self.rename(child, family)}"
                )
            elif chance.random() < (0.02, 0.06, 0.3)[lost]:
                wives = [
                    each
                    for each in self.living()
                    if each.sex == "f"
                    and each.married
                    and not {each, each.married} & set(parents)
                    and each.born + 16 < child.born
                ]
                if wives:
                    wife = chance.choice(wives)
                    husband = wife.married
                    assert husband
                    child.adopted = True
                    child.parents.append((self.year, (wife, husband)))
                    old = child.name
                    new = (
                        f"; {'she' if child.sex == 'f' else 'he'} {self.rename(child, husband.name.split()[1])}"
                        if chance.random() < 0.8
                        else ""
                    )
                    self.enter(f"{wife.name} and {husband.name} adopt {old}{new}")

    def parents(self, person: Person, year: int) -> tuple[Person, ...]:
        """The mother and the father at the end of a year, if there are any."""
        found = [pair for since, pair in person.parents if since <= year]
        return found[-1] if found else ()

    def steps(self, person: Person, year: int) -> dict[str, Person]:
        """What leads on from a person."""
        known = [each for each in self.everyone if each.born <= year]
        parents = self.parents(person, year)
        children = [each for each in known if person in self.parents(each, year)]
        found = dict(zip(("mother", "father"), parents, strict=False))
        spouses = [each for since, each in person.spouses if since <= year]
        if spouses:
            found |= {"first spouse": spouses[0], "last spouse": spouses[-1]}
        if children:
            found |= {"eldest child": children[0], "youngest child": children[-1]}
            found |= {"second child": children[1]} if len(children) > 2 else {}
        if parents:
            siblings = [each for each in known if parents[0] in self.parents(each, year)]
            at = siblings.index(person)
            found |= {"next older sibling": siblings[at - 1]} if at else {}
            found |= {"next younger sibling": siblings[at + 1]} if at + 1 < len(siblings) else {}
        return found


@dataclass(frozen=True)
class Kin:
    """So many years of a valley of at most so many people, and questions of so many steps."""

    years: int
    people: int
    questions: int
    steps: int

    def chain(self, valley: Valley, chance: random.Random) -> tuple[str, str] | None:
        """A question and its answer, if what was drawn leads on."""
        last = FIRST + self.years - 1
        asked = chance.randint(FIRST + self.years // 2, last)
        begin = chance.randint(FIRST, asked - 1)
        person = chance.choice(
            [each for each in valley.everyone if each.born <= begin and (each.alive or each.died > begin)]
        )
        question, gone = [f"{person.called(begin)} of {begin}, as of {asked}"], [person]
        while len(gone) <= self.steps:
            ways = {how: to for how, to in valley.steps(person, asked).items() if to not in gone}
            if not ways:
                return None
            how = chance.choice(sorted(ways))
            person = ways[how]
            gone.append(person)
            question.append(how)
        changed = sum(len([name for since, name in each.names if since <= asked]) > 1 for each in gone)
        answer = person.called(asked)
        return (f"{question[0]}: {', '.join(question[1:])}", answer) if changed > self.steps // 2 else None

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[str, dict[str, str]]:
        """The prompt and the answers."""
        chance = random.Random(f"kin {seed}")
        valley = Valley(chance, self.years, self.people)
        asked: dict[str, str] = {}
        while len(asked) < self.questions:
            drawn = self.chain(valley, chance)
            asked |= {drawn[0]: drawn[1]} if drawn else {}
        prompt = PROMPT.format(
            first=FIRST, last=FIRST + self.years - 1, entries="\n".join(valley.entries), count=self.questions,
            questions="\n".join(f"Q{n}: {each}" for n, each in enumerate(asked, 1)),
            example=f"{GIVEN['f'][seed % 10]} {FAMILY[seed % 12]}",
        )  # fmt: skip
        return prompt, {f"Q{n}": each for n, each in enumerate(asked.values(), 1)}

    def wanted(self, seed: int) -> dict[str, str]:
        """The answers."""
        return self.puzzle(seed)[1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            self.puzzle(seed)[0]
            >> LLMRun()
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_words))
        )


TASK = Kin(years=90, people=110, questions=40, steps=6)
build = TASK.build
