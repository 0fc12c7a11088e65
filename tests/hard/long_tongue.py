"""A made-up language with classes, cases, three numbers and changes of sound, and corrections of its grammar: sentences put into it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from typing import Any

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = "Can the model put sentences into a made-up language by its dictionary, its tables, its changes of sound and their corrections?"
TAGS = ["hard", "reading", "language"]

CASES = ("subject", "object", "owner", "place", "means")
NUMBERS = ("one", "two", "many")
TENSES = ("now", "past", "future")
CLASSES = ("I", "II", "III", "IV", "V")
KINDS = ("a", "b", "c")
VOWELS, STOPS = "aeiou", "ptkbdg"
NOUN_WORDS = (
    "apple baker barrel basket bear bell boat book bridge brother candle carpet castle cat chair cloak "
    "coin cook crow cup daughter doctor dog door dress drum duke eagle farmer feather fence field fiddle "
    "flag forest fox garden gate giant girl goat goose guest hammer harbour hat hen horse house hunter "
    "island judge kettle key king knife ladder lake lamb lamp letter lion market mason mill mirror monk "
    "mountain mouse needle nest nurse oven owl pear pilot poet priest queen ring river road roof sailor "
    "shepherd ship shirt sister smith spoon stone table tailor thief tower tree uncle valley village "
    "wagon wall widow wolf"
)
ADJECTIVE_WORDS = (
    "angry bitter black blind blue bold brave bright broad calm clever cold deep dirty dry empty "
    "fat grey heavy honest hungry large lazy light lonely loud narrow old pale poor proud quick quiet red "
    "rich round sad"
)
VERB_WORDS = (
    "ask bless blame break buy carry chase clean count cover draw fear feed find follow greet guard hear "
    "help hide hit hold hunt know lead leave love move need open paint praise pull push reach see sell "
    "send show steal touch wash"
)
NOUNS, ADJECTIVES, VERBS = NOUN_WORDS.split(), ADJECTIVE_WORDS.split(), VERB_WORDS.split()
PROMPT = """Below is a short grammar of a language, its dictionary, and corrections of both. Put the sentences at the end into that language.

WORDS

1. The number of a noun is one ("the king"), two ("the two kings") or many ("the kings"). A noun is its stem and the ending for its class, case and number.
2. An adjective is the prefix for the class of its noun, its stem, and the ending for its own kind (a, b or c) and the case and number of its noun.
3. A verb is the prefix for the class of its object, its stem, and the ending for its own kind (a, b or c), its tense, and the number of its subject. "Does see" or "do see" is now, "did see" is past, "will see" is future.
4. The subject of a sentence has the case subject, and what it acts on the case object. "Of" makes the case owner, "in" the case place, "with" the case means; none of the three, and no "the", has a word of its own.

ORDER

5. An adjective stands before its noun if that is of class I, III or V, and behind it if it is of class II or IV.
6. A noun and its adjective (if it has one) make a group. The group of an owner stands directly before the group of what is owned if the owner is one or two, and directly behind it if the owner is many.
7. In the past the verb stands last, and its order is: subject, "in" or "with", object, verb (each with its owner). Otherwise it is: subject, verb, object, "in" or "with".

SOUNDS

Vowels are a, e, i, o and u; stops are p, t, k, b, d and g. Prefix, stem and ending are joined, and then these changes are made one after the other, each on what the one before it has left:

8. In nouns of number two or many, if the stem ends in p, t, k or s, that becomes b, d, g or z.
9. If the last vowel of the stem is e or i, each a of the ending becomes e, and each u of the ending becomes i.
10. If a prefix or stem ends in a vowel and a vowel follows, the former is lost.
11. Each s or z between two vowels becomes r.
12. Each n directly before p or b becomes m, and each m directly before t, d, k or g becomes n.
13. If two different stops follow one another, the first one becomes the same as the second one. This is done once for each two from left to right, so that "tkp" becomes "kkp" and then "kpp".
14. Where three consonants follow one another, e is put in behind the second one, from left to right, as often as there are three.
15. A word that has more than four vowels now loses its second vowel, unless three consonants would follow one another then.

The irregular words are whole words: they have no other prefix or ending, and none of these changes is made to them.

ENDINGS OF NOUNS (class, case: one, two, many)

{nouns}

ENDINGS OF ADJECTIVES (kind, case: one, two, many)

{adjectives}

ENDINGS OF VERBS (kind, tense: subject one, two, many)

{verbs}

PREFIXES (class: of adjectives, of verbs)

{prefixes}

DICTIONARY

Nouns (stem, class):
{noun_list}

Adjectives (stem, kind):
{adjective_list}

Verbs (stem, kind):
{verb_list}

Irregular words (noun, case, number; verb, tense, number of its subject):
{irregular}

CORRECTIONS

If several corrections are about the same thing, only the last one counts. One that is withdrawn is as if it did not stand here (no withdrawal is withdrawn itself).

{corrections}

SENTENCES

{sentences}

Work it out without running any code. End your reply with {count} lines, one for each sentence, such as "Q1: kalum tobren sidat"."""


@dataclass(frozen=True)
class Group:
    """A noun with its number, an adjective, and whose it is."""

    noun: str
    number: str
    adjective: str = ""
    owner: Group | None = None

    def __str__(self) -> str:
        many = {"one": "", "two": "two ", "many": ""}[self.number]
        words = f"the {many}{self.adjective}{' ' * bool(self.adjective)}{plural(self.noun) if self.number != 'one' else self.noun}"
        return f"{words} of {self.owner}" if self.owner else words


@dataclass(frozen=True)
class Sentence:
    """Who does what to whom, and where or by what."""

    subject: Group
    verb: str
    tense: str
    object: Group
    how: str
    at: Group

    def __str__(self) -> str:
        does = (
            "will"
            if self.tense == "future"
            else "did"
            if self.tense == "past"
            else "does"
            if self.subject.number == "one"
            else "do"
        )
        return f"{self.subject} {does} {self.verb} {self.object} {'in' if self.how == 'place' else 'with'} {self.at}".capitalize()


def plural(noun: str) -> str:
    """Many of a noun in English."""
    odd = {"goose": "geese", "mouse": "mice", "knife": "knives", "thief": "thieves", "wolf": "wolves"}
    return odd.get(noun) or (
        noun + "es"
        if noun.endswith(("x", "ss", "sh", "ch"))
        else noun[:-1] + "ies"
        if re.search("[^aeou]y$", noun)
        else noun + "s"
    )


def joined(prefix: str, stem: str, ending: str, soft: bool = False) -> str:
    """A word after all changes of sound."""
    if soft and stem[-1] in "ptks":
        stem = stem[:-1] + "bdgz"["ptks".index(stem[-1])]
    if [each for each in stem if each in VOWELS][-1] in "ei":
        ending = ending.replace("a", "e").replace("u", "i")
    if prefix[-1:] in VOWELS and stem[0] in VOWELS:
        prefix = prefix[:-1]
    if ending[:1] and ending[0] in VOWELS and stem[-1] in VOWELS:
        stem = stem[:-1]
    word = prefix + stem + ending
    word = re.sub(f"(?<=[{VOWELS}])[sz](?=[{VOWELS}])", "r", word)
    word = re.sub("n(?=[pb])", "m", word)
    word = re.sub("m(?=[tdkg])", "n", word)
    for n in range(len(word) - 1):
        if word[n] in STOPS and word[n + 1] in STOPS:
            word = word[:n] + word[n + 1] + word[n + 1 :]
    word = _parted(word)
    vowels = [n for n, each in enumerate(word) if each in VOWELS]
    if len(vowels) > 4:
        shorter = word[: vowels[1]] + word[vowels[1] + 1 :]
        word = word if re.search(f"[^{VOWELS}]{{3}}", shorter) else shorter
    return word


def _parted(word: str) -> str:
    """No three consonants follow one another."""
    while found := re.search(f"[^{VOWELS}]{{3}}", word):
        word = word[: found.start() + 2] + "e" + word[found.start() + 2 :]
    return word


@dataclass
class Tongue:
    """What holds, by what it is about: endings, prefixes, stems, classes and irregular words."""

    endings: dict[tuple[str, ...], str] = field(default_factory=dict)
    prefixes: dict[tuple[str, str], str] = field(default_factory=dict)
    stems: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    irregular: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def group(self, its: Group, case: str) -> list[str]:
        """The words of a group and its owner."""
        kind = self.kinds[its.noun]
        regular = joined(
            "", self.stems[its.noun], self.endings["noun", kind, case, its.number], its.number != "one"
        )
        words = [self.irregular.get((its.noun, case, its.number), regular)]
        if its.adjective:
            ending = self.endings["adjective", self.kinds[its.adjective], case, its.number]
            word = joined(self.prefixes["adjectives", kind], self.stems[its.adjective], ending)
            words.insert(0 if kind in ("I", "III", "V") else 1, word)
        owner = self.group(its.owner, "owner") if its.owner else []
        return [*words, *owner] if its.owner and its.owner.number == "many" else [*owner, *words]

    def sentence(self, its: Sentence) -> str:
        """A sentence's words in their order."""
        subject, object_, at = (
            self.group(its.subject, "subject"),
            self.group(its.object, "object"),
            self.group(its.at, its.how),
        )
        ending = self.endings["verb", self.kinds[its.verb], its.tense, its.subject.number]
        regular = joined(self.prefixes["verbs", self.kinds[its.object.noun]], self.stems[its.verb], ending)
        verb = [self.irregular.get((its.verb, its.tense, its.subject.number), regular)]
        order = (subject, at, object_, verb) if its.tense == "past" else (subject, verb, object_, at)
        return " ".join(word for words in order for word in words)


def corrected(what: str, key: Any, new: str) -> str:
    """A correction in words."""
    match what:
        case "endings":
            return (
                f"ending of {key[0]}s, {'class' if key[0] == 'noun' else 'kind'} {', '.join(key[1:])}: -{new}"
            )
        case "prefixes":
            return f"prefix of {key[0]}, class {key[1]}: {new}-"
        case "stems":
            return f"the stem of {key} is {new}-"
        case "kinds":
            return f"{key} is of {'class' if key in NOUNS else 'kind'} {new}"
    return f"irregular: {', '.join(key)}: {new}"


@dataclass(frozen=True)
class Language:
    """So many sentences, irregular words, corrections, and corrections withdrawn."""

    sentences: int
    irregular: int
    corrections: int
    withdrawn: int

    def tongue(self, chance: random.Random) -> Tongue:
        """All words and endings."""
        its = Tongue()
        stems: set[str] = set()

        def consonants(where: str) -> str:
            if where == "middle":
                return chance.choice(
                    (
                        "p",
                        "t",
                        "k",
                        "s",
                        "m",
                        "n",
                        "l",
                        "r",
                        "z",
                        "mp",
                        "nt",
                        "rk",
                        "ls",
                        "st",
                        "nd",
                        "v",
                        "lg",
                        "rm",
                    )
                )
            return chance.choice("ptkbdgmnlrsv" if where == "first" else "ptksptksmnlrbdg")

        def stem() -> str:
            while True:
                new = "" if chance.random() < 0.15 else consonants("first")
                for _ in range(chance.choice((0, 1, 1, 1))):
                    new += chance.choice(VOWELS) + consonants("middle")
                new += chance.choice(VOWELS) + (consonants("last") if chance.random() < 0.8 else "")
                if len(new) > 2 and new not in stems:
                    stems.add(new)
                    return new

        def ending() -> str:
            shapes = ("v", "vc", "vc", "cv", "cvc", "c", "vcv", "ccv")
            of = {"v": VOWELS, "c": "ptkbdgmnlrsz"}
            return "".join(chance.choice(of[each]) for each in chance.choice(shapes))

        for row in (
            *product(("noun",), CLASSES, CASES),
            *product(("adjective",), KINDS, CASES),
            *product(("verb",), KINDS, TENSES),
        ):
            for number in NUMBERS:
                its.endings[*row, number] = ending()
        for what, one in product(("adjectives", "verbs"), CLASSES):
            its.prefixes[what, one] = (
                chance.choice("ptkbdgmnlsz") + chance.choice(VOWELS) + chance.choice(("", "", *"nmrstk"))
            )
        for word in (*NOUNS, *ADJECTIVES, *VERBS):
            its.stems[word] = stem()
            its.kinds[word] = chance.choice(CLASSES if word in NOUNS else KINDS)
        while len(its.irregular) < self.irregular:
            one = chance.choice((*NOUNS, *NOUNS, *VERBS))
            its.irregular[one, chance.choice(CASES if one in NOUNS else TENSES), chance.choice(NUMBERS)] = (
                stem() + ending()
            )
        return its

    def corrections_of(self, its: Tongue, chance: random.Random) -> list[str]:
        """Corrections in words; what they say is done, unless they are withdrawn."""
        others = [self.tongue(chance) for _ in range(3)]
        said: list[tuple[str, Any, Any, str]] = []
        for _ in range(self.corrections):
            what = chance.choice(("endings", "endings", "prefixes", "stems", "kinds", "irregular"))
            fresh = getattr(chance.choice(others), what)
            key, new = chance.choice(list(fresh.items()))
            said.append((corrected(what, key, new), getattr(its, what), key, new))
        gone = chance.sample(range(len(said)), self.withdrawn)
        for n, (_, table, key, new) in enumerate(said):
            if n not in gone:
                table[key] = new
        rows = [(n, False) for n in range(len(said))]
        for n in gone:
            rows.insert(chance.randint(0, len(rows)), (n, True))
        number = {n: place for place, (n, back) in enumerate(rows, 1) if not back}
        lines = [f"correction {number[n]} is withdrawn" if back else said[n][0] for n, back in rows]
        return [f"{place}. {line}" for place, line in enumerate(lines, 1)]

    def drawn(self, chance: random.Random) -> Sentence:
        """A sentence."""
        nouns = chance.sample(NOUNS, 6)

        def group(deep: bool) -> Group:
            adjective = chance.choice(ADJECTIVES) if chance.random() < 0.6 else ""
            owner = group(False) if deep and chance.random() < 0.5 else None
            return Group(nouns.pop(), chance.choice(NUMBERS), adjective, owner)

        return Sentence(
            group(True),
            chance.choice(VERBS),
            chance.choice(TENSES),
            group(True),
            chance.choice(("place", "means")),
            group(False),
        )

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[str, dict[str, str]]:
        """The prompt and the answers."""
        chance = random.Random(f"tongue {seed}")
        its = self.tongue(chance)

        def rows(what: str, kinds: Sequence[str], columns: Sequence[str]) -> str:
            return "\n".join(
                f"{kind}, {column}: "
                + ", ".join(f"-{its.endings[what, kind, column, number]}" for number in NUMBERS)
                for kind in kinds
                for column in columns
            )

        def words(of: Sequence[str]) -> str:
            return "\n".join(f"{word}: {its.stems[word]}-, {its.kinds[word]}" for word in of)

        parts = {
            "nouns": rows("noun", CLASSES, CASES),
            "adjectives": rows("adjective", KINDS, CASES),
            "verbs": rows("verb", KINDS, TENSES),
            "prefixes": "\n".join(
                f"{one}: {its.prefixes['adjectives', one]}-, {its.prefixes['verbs', one]}-" for one in CLASSES
            ),
            "noun_list": words(NOUNS),
            "adjective_list": words(ADJECTIVES),
            "verb_list": words(VERBS),
            "irregular": "\n".join(f"{', '.join(form)}: {word}" for form, word in its.irregular.items()),
        }
        parts["corrections"] = "\n".join(self.corrections_of(its, chance))
        asked = [self.drawn(chance) for _ in range(self.sentences)]
        parts["sentences"] = "\n".join(f"Q{n}: {each}." for n, each in enumerate(asked, 1))
        return PROMPT.format(**parts, count=self.sentences), {
            f"Q{n}": its.sentence(each) for n, each in enumerate(asked, 1)
        }

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


TASK = Language(sentences=36, irregular=140, corrections=110, withdrawn=25)
build = TASK.build
