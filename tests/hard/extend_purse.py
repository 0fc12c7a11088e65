"""Currencies for a ledger with splits, limits, locks, undo, three locales and files of older versions."""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from evaluator import *

from .cases import Cases

DESCRIPTION = "Can an agent give a ledger currencies that hold with undo, locks, limits, reports, locales and old files?"
TAGS = ["hard", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "extend_purse"
SCRIPTS = {"old": 14, "new": 54}
STEPS = 70
QUESTION = """In this folder is purse, a Python program of several files; README.md says what it does. NEXT.md says what it must do as well from now on. Build that. Leave README.md
and NEXT.md as they are. The program is run as `python3 -m purse` in this folder; scripts that you do not see decide, old ones and new ones, most of them made at random so that
all rules meet, and every line that they print must be right."""
OLD_1 = '{"version":1,"accounts":["bank","food","old.one"],"entries":[["2024-11-30","bank","food","1.204,5","x"],["2024-12-01","food","old.one","7","y y"]]}'
DAYS = (
    "2025-01-01",
    "2025-01-15",
    "2025-01-31",
    "2025-02-01",
    "2025-02-28",
    "2025-03-01",
    "2025-03-31",
    "2025-04-02",
    "2025-04-30",
    "2025-05-05",
)
MONTHS = ("2025-01", "2025-02", "2025-03", "2025-04", "2025-05")
CODES = {"JPY": 0, "USD": 2, "KWD": 3, "CHF": 2, "XAU": 4}
NAMES = ("bank", "cash", "yen", "usd", "gold", "food", "rent", "pay", "gift", "trip")


def files_of(seed: int) -> Mapping[str, str]:
    """The program as it is, and what it must do."""
    del seed  # of the scripts alone
    found = {name: (FOLDER / name).read_text(encoding="utf-8") for name in ("README.md", "NEXT.md")}
    return found | {
        f"purse/{path.name}": path.read_text(encoding="utf-8")
        for path in sorted((FOLDER / "purse").glob("*.py"))
    }


@cache
def session_of(folder: str) -> Any:
    """The class Session of the program in a folder."""
    name = f"purse_{folder}"
    where = FOLDER / folder / "purse" if folder else FOLDER / "purse"
    spec = importlib.util.spec_from_file_location(
        name, where / "__init__.py", submodule_search_locations=[str(where)]
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return importlib.import_module(f"{name}.commands").Session


def printed(folder: str, script: str) -> str:
    """What the program of a folder prints for a script."""
    session, out = session_of(folder)(), []
    for line in script.splitlines():
        if line.strip() and not line.startswith("#"):
            out += session.run(line)
    return "\n".join(out) + "\n"


class Maker:
    """Draws a script step by step, with an eye on the book that it has made so far."""

    def __init__(self, chance: random.Random, old: bool) -> None:
        self.chance, self.old = chance, old
        self.session = session_of("right")()
        self.lines: list[str] = []
        self.exports: list[str] = []

    def say(self, line: str) -> str:
        self.lines.append(line)
        return str("\n".join(self.session.run(line)))

    def amount(self, digits: int, most: int = 400_000) -> str:
        """An amount as somebody would type it; now and then one that is none."""
        chance, locale = self.chance, self.session.locale
        thousands, point = {"en": (",", "."), "de": (".", ","), "ch": ("'", ".")}[locale]
        places = chance.choice([digits, digits, digits, max(0, digits - 1), 0])
        if chance.random() < 0.04:
            places = digits + 1
        top = chance.choice([9, 300, 9000, most])
        whole = chance.randint(0 if places else 1, top)
        text = f"{whole:,}".replace(",", thousands) if chance.random() < 0.7 else str(whole)
        if places:
            text += point + f"{chance.randrange(10**places):0{places}d}"
        return text

    def account(self) -> str:
        known = sorted(self.session.data["accounts"])
        if not known or self.chance.random() < 0.03:
            return self.chance.choice(NAMES)
        return str(self.chance.choice(known))

    def digits(self, name: str) -> int:
        code = self.session.data["accounts"].get(name, {}).get("currency", "EUR")
        return CODES.get(code, 2)

    def day(self) -> str:
        return "2025-02-30" if self.chance.random() < 0.01 else self.chance.choice(DAYS)

    def begin(self) -> None:
        chance = self.chance
        self.say("user mia clerk")
        self.say("user vic viewer")
        self.say(f"limit mia {chance.choice([50, 400, 3000])}")
        if not self.old:
            for code in chance.sample(sorted(CODES), 3):
                self.say(f"currency {code} {CODES[code]}")
                if chance.random() < 0.8:
                    self.rate(code)
        for name in chance.sample(NAMES, 6):
            self.open(name)

    def open(self, name: str) -> None:
        kind = self.chance.choice(["asset", "asset", "income", "expense"])
        codes = sorted(self.session.data["currencies"])
        if self.old or not codes or self.chance.random() < 0.35:
            self.say(f"open {name}" + (f" {kind}" if kind != "asset" or self.chance.random() < 0.5 else ""))
        else:
            code = self.chance.choice([*codes, *codes, *codes, "EUR", "ZZZ"])
            self.say(f"open {name} {kind} {code}")

    def rate(self, code: str) -> None:
        chance = self.chance
        near = {"JPY": 0.006, "USD": 0.9, "KWD": 3.0, "CHF": 1.05, "XAU": 2400.0}.get(
            code, 1.0
        ) * chance.uniform(0.8, 1.2)
        number = chance.choice(
            [f"{near:.6f}", f"{near:.3f}", f"{near:.0f}", "0.5", "0.25", "0.000001", "1,250.5"]
            if chance.random() < 0.3
            else [f"{near:.6f}", f"{near:.3f}"]
        )
        thousands, point = {"en": (",", "."), "de": (".", ","), "ch": ("'", ".")}[self.session.locale]
        number = number.replace(",", "_").replace(".", point).replace("_", thousands)
        self.say(f"rate {self.day()} {code} {number}")

    def step(self) -> None:
        chance = self.chance
        draw = chance.random()
        codes = sorted(self.session.data["currencies"])
        if draw < 0.26:
            source, target = self.account(), self.account()
            text = self.amount(self.digits(source))
            if not self.old and chance.random() < 0.15:
                text += "=" + self.amount(self.digits(target))
            self.say(
                f"post {self.day()} {source} {target} {text}"
                + chance.choice(["", "", " lunch", " two  words", ' say "hm"'])
            )
        elif draw < 0.34:
            source = self.account()
            parts = " ".join(f"{self.account()}:{chance.randint(1, 7)}" for _ in range(chance.randint(2, 4)))
            self.say(f"split {self.day()} {source} {self.amount(self.digits(source))} {parts}")
        elif draw < 0.40:
            self.say(f"repeat #{chance.randint(1, self.session.data['next'])} {self.day()}")
        elif draw < 0.44:
            self.say(f"void {chance.randint(1, self.session.data['next'])}")
        elif draw < 0.48:
            self.say(f"{chance.choice(['lock', 'lock', 'unlock'])} {chance.choice(MONTHS)}")
        elif draw < 0.55:
            self.say(chance.choice(["undo", "undo", "redo", "redo", "undo"]))
        elif draw < 0.60:
            self.say(f"as {chance.choice(['root', 'root', 'root', 'mia', 'mia', 'vic'])}")
        elif draw < 0.63:
            self.say(f"locale {chance.choice(['en', 'de', 'ch', 'fr'])}")
        elif draw < 0.66:
            self.open(chance.choice(NAMES))
        elif draw < 0.685:
            self.say(f"close {self.account()}")
        elif draw < 0.71:
            self.say(
                chance.choice(
                    [
                        f"merge {self.account()} {self.account()}",
                        f"rename {self.account()} {chance.choice(NAMES)}",
                    ]
                )
            )
        elif draw < 0.75:
            self.say(f"find {self.amount(2, 20)}" if self.old or not codes else self.find(codes))
        elif draw < 0.80:
            self.say(
                chance.choice(
                    [
                        f"balance {self.account()} {self.day()}",
                        f"balance {self.account()}",
                        f"csv {self.account()}",
                    ]
                )
            )
        elif draw < 0.84:
            self.say(f"statement {self.account()}")
        elif draw < 0.88:
            self.say(f"report {chance.choice(MONTHS)}")
        elif draw < 0.90:
            self.exports.append(self.say("export"))
        elif draw < 0.915 and self.exports:
            self.say(f"import {chance.choice([*self.exports, OLD_1])}")
        elif self.old:
            self.say(chance.choice(["entries", "log"]))
        elif draw < 0.935 and codes:
            self.say(f"convert {self.account()} {chance.choice([*codes, 'EUR'])}")
        elif draw < 0.98 and codes:
            self.rate(chance.choice([*codes] * 6 + ["EUR", "ZZZ"]))
        elif draw < 0.99:
            code = chance.choice([*sorted(CODES), "EUR", "usd"])
            self.say(chance.choice([f"currency {code} {CODES.get(code, 7)}", f"drop {code}"]))
        else:
            self.say(f"rates {chance.choice([*codes, 'EUR'])}")

    def find(self, codes: list[str]) -> str:
        """A search for an amount that is there, or for another one."""
        entries = self.session.data["entries"]
        if not entries:
            return "find 1"
        entry, side = self.chance.choice(entries), self.chance.choice([("cents", "from"), ("arrives", "to")])
        code = self.session.data["accounts"].get(entry[side[1]], {}).get("currency", "EUR")
        digits = CODES.get(code, 2)
        point = "," if self.session.locale == "de" else "."
        whole, rest = divmod(entry[side[0]], 10**digits)
        text = f"{whole}{point}{rest:0{digits}d}" if digits else str(whole)
        return f"find {text}" if code == "EUR" and self.chance.random() < 0.6 else f"find {text} {code}"

    def script(self) -> str:
        self.begin()
        for number in range(STEPS):
            self.step()
            if number % 14 == 13:
                self.say("entries")
                self.say(f"report {self.chance.choice(MONTHS)}")
        for line in ("as root", "entries", "report 2025-03", "log", "export"):
            self.say(line)
        if not self.old:
            for code in sorted(self.session.data["currencies"]):
                self.say(f"rates {code}")
        return "\n".join(self.lines) + "\n"


# each stands for one meeting of rules that chance brings about too seldom
SCENES = (
    # a rate that moves entries, and its undo
    "currency USD 2\nopen a asset\nopen b asset USD\nrate 2025-01-01 USD 0.5\npost 2025-02-01 a b 10\nrate 2025-02-01 USD 0.8\nentries\nrate 2025-02-02 USD 0.9\nentries\nundo\nundo\nentries\nredo\nentries\nexport",
    # closed accounts do not move
    "currency USD 2\nopen a\nopen b asset USD\nopen c asset USD\nrate 2025-01-01 USD 0.5\npost 2025-02-01 a b 10\npost 2025-02-03 b c 20\nclose b\nrate 2025-02-01 USD 0.4\nentries\nrates USD\nvoid 1\nrate 2025-02-01 USD 0.4\nrates USD",
    # halves to the even, and one rounding only
    "currency JPY 0\ncurrency KWD 3\nopen a\nopen y asset JPY\nopen k asset KWD\nrate 2025-01-01 JPY 2\nrate 2025-01-01 KWD 0.3\npost 2025-01-01 a y 1\npost 2025-01-01 a y 3\npost 2025-01-01 a y 5\npost 2025-01-01 y k 1\npost 2025-01-01 k y 1.234\npost 2025-01-01 a y 0.9\nentries\nbalance y\nbalance k",
    # locked months that a rate would reach
    "currency USD 2\nrate 2025-01-10 USD 1\nlock 2025-03\nrate 2025-02-10 USD 2\nrate 2025-04-01 USD 3\nrate 2025-01-05 USD 4\nunlock 2025-03\nrate 2025-03-05 USD 5\nlock 2025-03\nlock 2025-02\nrate 2025-02-10 USD 2\nrate 2025-03-31 USD 7\nrates USD\ndrop USD\nexport",
    # limits
    "currency JPY 0\nopen y asset JPY\nopen z asset JPY\nopen a\nuser mia clerk\nlimit mia 10\nas mia\npost 2025-01-01 y z 5\nas root\nrate 2025-01-01 JPY 0.010001\nas mia\npost 2025-01-01 y z 1000\npost 2025-01-01 y z 999\nsplit 2025-01-01 y 1001 z:1 a:1\npost 2025-01-01 y a 1000=3\npost 2025-01-01 a y 10=500000\npost 2025-01-01 a y 10.01=1\nlog",
    # version 2 as long as there is no currency
    "open a\nopen b\npost 2025-01-01 a b 5 hi\nexport\ncurrency USD 2\nexport\ndrop USD\nexport\nundo\nexport\nundo\nundo\nexport",
    "currency USD 2\nopen u asset USD\nimport " + OLD_1 + "\nexport\nentries\nundo\nexport\nredo\nopen v asset USD\ncurrency USD 2\nopen v asset USD\nrate 2024-11-01 USD 1.5\npost 2024-12-05 bank v 3\nexport",
    # orders of errors
    "currency JPY 0\nopen a\nopen y asset JPY\nopen a2\npost 2025-01-01 y a 1.5\npost 2025-13-01 y a 1.5\npost 2025-13-01 y a 1\npost 2025-01-01 a nobody 1=1.50\npost 2025-01-01 a y 1=1.5\npost 2025-01-01 a a2 1=1\npost 2025-01-01 a a2 0=1\npost 2025-01-01 a y 0=1\npost 2025-01-01 a y 1=0\npost 2025-01-01 a y 1\npost 2025-01-01 a a 1=1\nopen x odd ZZZ\nopen x asset ZZZ\nopen a asset ZZZ\nrate 2025-02-30 ZZZ 0\nrate 2025-02-01 ZZZ 0\nrate 2025-02-01 EUR 0\nrate 2025-02-01 JPY 0\nrate 2025-02-01 JPY -1\nrate 2025-02-01 JPY 0.0000001\ncurrency JPY 9\ncurrency yen 9\ncurrency YEN 9\ncurrency EUR 2",
    # reports over months with rates that are missing or move
    "currency USD 2\ncurrency JPY 0\nopen a\nopen u asset USD\nopen y income JPY\npost 2025-01-05 a u 10=20\npost 2025-01-06 y a 100=5\nreport 2025-01\nrate 2025-01-20 USD 0.333333\nreport 2025-01\nrate 2025-02-01 USD 0.25\nreport 2025-02\nreport 2025-03\nrate 2025-02-28 JPY 0.05\nreport 2025-02\nreport 2025-03\npost 2025-03-01 u a 20=1\nreport 2025-03\nreport 2025-04",
    # merging, renaming, repeating, voiding, splitting
    "currency USD 2\nopen a\nopen u asset USD\nopen v asset USD\nopen e expense USD\nrate 2025-01-01 USD 0.75\npost 2025-01-02 a u 1\npost 2025-01-02 u v 1\npost 2025-01-03 a v 1=9\nmerge u e\nmerge a u\nmerge u v\nentries\nrate 2025-02-01 USD 0.5\nrepeat 1 2025-02-02\nrepeat 3 2025-02-02\nrename v w\nsplit 2025-02-03 a 1 w:1 e:1 a:1\nsplit 2025-02-03 a 0.01 w:1 e:1\nsplit 2025-02-03 w 0.01 a:1 e:3\nvoid 6\nrate 2025-02-02 USD 0.1\nentries\nstatement w\ncsv w\ncsv a\nfind 2 USD\nfind 9 USD\nfind 1",
    # an account that gets another currency
    "currency USD 2\ncurrency JPY 0\nopen a\nopen u asset USD\nopen y asset JPY\nopen e expense\nopen f expense\npost 2025-01-05 a e 10\nconvert a USD\nrate 2025-01-01 USD 0.8\npost 2025-01-06 a u 8\npost 2025-01-07 e a 0.01\nsplit 2025-01-08 a 5.05 e:1 u:2 f:1\nvoid 1\nmerge e f\nconvert a USD\nentries\nundo\nconvert a JPY\nrate 2025-01-01 JPY 0.006\nlock 2025-01\nconvert a JPY\nunlock 2025-01\nconvert a JPY\nconvert a JPY\nentries\nundo\nconvert a USD\nrepeat 4 2025-01-20\nrate 2025-01-05 USD 0.5\nentries\nstatement a\ncsv a\nconvert u EUR\nexport\nconvert a EUR\nentries\nexport\nbalance a\nbalance u\nlog",
    "currency USD 2\nopen a asset USD\nopen b\nopen c\nrate 2025-01-01 USD 2\npost 2025-01-05 b c 10\nmerge b c\npost 2025-01-06 a c 4=9\nconvert c USD\nentries\nconvert a EUR\nentries\nconvert c EUR\nentries\ndrop USD\nexport\nclose a\npost 2025-01-07 c a 8\nclose a\nconvert a EUR\nundo\nundo\nundo\nundo\nentries\nrate 2025-01-02 USD 1\nentries",
    # locales
    "currency XAU 4\nlocale de\nopen g asset XAU\nopen a\nrate 2025-01-01 XAU 2.345,678901\nrates XAU\nlocale ch\nrates XAU\npost 2025-01-01 a g 1'234'567.8\nbalance g\npost 2025-01-02 g a 1000.0001\nstatement g\nstatement a\nreport 2025-01\nlocale en\nrates XAU\nfind 1,000.0001 XAU\nfind 1.00001 XAU\nfind x YYY",
)  # fmt: skip


@cache
def cases(seed: int) -> list[tuple[str, str]]:
    """Scripts, and what they print."""
    chance = random.Random(f"purse {seed}")
    scripts = [Maker(chance, kind == "old").script() for kind, count in SCRIPTS.items() for _ in range(count)]
    scripts += [f"{scene}\n" for scene in SCENES]
    return [(script, printed("right", script)) for script in scripts]


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=40)
    return work >> Cases("python3 -m purse", partial(cases, seed), files=["purse"])
