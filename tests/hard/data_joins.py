"""Orders of a shop, lines of a depot and payments of a bank, which name the same things in different ways and contradict each other."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from pathlib import Path

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = (
    "Can an agent join the records of three sources by documented rules and answer fifteen questions exactly?"
)
TAGS = ["hard", "log", "agent"]

QUESTION = """This folder holds what a shop, its depot and its bank have written down in 2025. RULES.md says how all of it is to be read and which source counts where they contradict each
other. Answer these questions by RULES.md:

{questions}

Amounts are in cents (or rappen), as whole numbers. End your reply with {count} lines, one for each question, with only the answer, such as "Q1: 204"."""
RULES = Path(__file__).parent / "files" / "data_joins" / "RULES.md"
PERSONS, ORDERS, PRODUCTS = 700, 8000, 48
CATEGORIES = ("tea", "lamps", "wool", "paper", "seeds", "knives")
REGIONS = ("north", "south", "east", "west", "coast")
NAMES = (
    "ana",
    "bo",
    "cleo",
    "dov",
    "eva",
    "finn",
    "gus",
    "hana",
    "ivo",
    "jun",
    "kai",
    "lou",
    "mats",
    "nia",
    "oli",
    "pia",
    "rui",
    "sol",
    "tim",
    "uma",
)
LASTS = (
    "ahl",
    "berg",
    "cole",
    "dahl",
    "ek",
    "falk",
    "gran",
    "holm",
    "iver",
    "jons",
    "kron",
    "lind",
    "moe",
    "nord",
    "ost",
    "palm",
    "quist",
    "rask",
    "sund",
    "tor",
)
DOMAINS = ("post.example", "mail.example", "web.example", "firm.example", "uni.example")
SUMMER = datetime(2025, 3, 30, 1), datetime(2025, 10, 26, 1)  # in UTC
NEW_SHOP, NEW_DEPOT = date(2025, 4, 1), date(2025, 7, 1)


def local(at: datetime) -> datetime:
    """A moment in UTC by the shop's clocks."""
    return at + timedelta(hours=2 if SUMMER[0] <= at < SUMMER[1] else 1)


def ref_of(number: int) -> str:
    """Six digits and two that check them."""
    return f"{number:06d}{98 - number * 100 % 97:02d}"


def plain(email: str) -> str:
    """An address as RULES.md compares it."""
    name, _, domain = email.strip().lower().partition("@")
    name, domain = name.partition("+")[0], {"mail.example": "post.example"}.get(domain, domain)
    return f"{name.replace('.', '')}@{domain}" if domain == "post.example" else f"{name}@{domain}"


@dataclass
class Person:
    """Somebody with addresses and cards; `region` at the end of the year."""

    emails: list[str]
    cards: list[str]
    region: str = ""

    @property
    def name(self) -> str:
        return min(self.cards) if self.cards else min(self.emails)


@dataclass
class Order:
    """An order as it counts in the end."""

    ref: str
    person: Person
    at: datetime
    currency: str
    lines: dict[int, tuple[int, int]]  # product -> pieces, price
    cancelled: bool
    shipped: dict[int, int] = field(default_factory=dict)  # product -> pieces, less returns
    returned: dict[int, int] = field(default_factory=dict)
    sent: list[date] = field(default_factory=list)
    paid: list[tuple[date, int]] = field(default_factory=list)

    @property
    def day(self) -> date:
        return local(self.at).date()

    def counted(self, product: int) -> int:
        if self.sent:
            return self.shipped.get(product, 0)
        return 0 if self.cancelled else self.lines[product][0]

    @property
    def due(self) -> int:
        return sum(self.counted(product) * price for product, (_, price) in self.lines.items())

    def paid_until(self, day: date) -> int:
        return sum(amount for at, amount in self.paid if at <= day)


@dataclass
class Memo:
    """A memo. In its text {n} stands for the number of `about`."""

    text: str
    about: Memo | None = None
    number: int = 0


@dataclass(frozen=True)
class World:
    """Everything about a seed. `facts`: the memos as one who understood them would write them down."""

    files: Mapping[str, str | bytes]
    questions: Sequence[str]
    answers: Mapping[str, str]
    facts: Sequence[Sequence[object]]


class Maker:
    """Draws what really happened, what was written about it, and what follows."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"joins {seed}")
        self.files: dict[str, str | bytes] = {}
        self.memos: list[Memo] = []
        self.facts: list[tuple[object, ...]] = []

    def people(self) -> None:
        chance = self.chance
        self.persons: list[Person] = []
        taken: set[str] = set()
        cards = iter(chance.sample(range(200_000, 999_999), PERSONS * 2))
        for _ in range(PERSONS):
            emails: list[str] = []
            for _ in range(chance.choice([1, 1, 1, 2, 3])):
                email = f"{chance.choice(NAMES)}.{chance.choice(LASTS)}{chance.choice(['', '', chance.randint(1, 99)])}@{chance.choice(DOMAINS)}"
                if plain(email) not in taken:
                    taken.add(plain(email))
                    emails.append(plain(email))
            numbers = [f"C{next(cards)}" for _ in range(chance.choice([0, 0, 1, 1, 2]))]
            if emails or numbers:
                self.persons.append(Person(emails, numbers))
        links: list[tuple[str, str, str]] = []
        memos = 12
        for each in self.persons:
            every = [*each.emails, *each.cards]
            chance.shuffle(every)
            pairs = [(every[at], chance.choice(every[:at])) for at in range(1, len(every))]
            if pairs and memos and chance.random() < 0.1:
                memos -= 1
                a, b = pairs.pop(chance.randrange(len(pairs)))
                said = f"{self.spelt(a)} and {self.spelt(b)} are the same person."
                wrong_one = self.spelt(chance.choice(self.persons).name)
                self.fact(said, f"{self.spelt(a)} and {wrong_one} are the same person.", "same", a, b)
            links += [("+", a, b) for a, b in pairs]
        chance.shuffle(links)
        wrong: list[tuple[str, str, str]] = []
        for _ in range(60):  # links that are taken back
            one, two = chance.sample(self.persons, 2)
            a, b = chance.choice([*one.emails, *one.cards]), chance.choice([*two.emails, *two.cards])
            place = chance.randrange(len(links))
            links.insert(place, ("+", a, b))
            wrong.append(("-", b, a) if chance.random() < 0.5 else ("-", a, b))
            links.insert(chance.randint(place + 1, len(links)), wrong[-1])
        for _ in range(25):  # links that are taken back and made again
            one = chance.choice([each for each in self.persons if len(each.emails) == 2 and not each.cards])
            a, b = one.emails
            links.insert(chance.randint(0, len(links) // 2), ("-", a, b))
            links += [("-", b, a), ("+", a, b)]
        self.files["people/links.txt"] = "".join(
            f"{sign} {self.spelt(a)} {self.spelt(b)}\n" for sign, a, b in links
        )
        crm, xml = [], []
        for each in self.persons:
            found: list[tuple[date, int, str]] = []
            start = date(2024, 1, 1) + timedelta(days=chance.randrange(200))
            for number, key in enumerate([*each.emails, *each.cards]):
                for _ in range(chance.choice([1, 1, 2])):
                    is_card = number >= len(each.emails)
                    since = start + timedelta(days=chance.randrange(900))
                    same = [day for day, sort, _ in found if sort != is_card]
                    if same and chance.random() < 0.35:
                        since = chance.choice(same)
                    if any(day == since and sort == is_card for day, sort, _ in found):
                        continue
                    region = chance.choice(REGIONS)
                    found.append((since, int(is_card), region))
                    if is_card:
                        xml.append(f'  <card no="{key[1:]}" since="{since}" region="{region}"/>')
                    else:
                        crm.append(
                            f"{self.spelt(key)};{region.title() if chance.random() < 0.3 else region};{since:%d.%m.%Y}"
                        )
            if found and chance.random() < 0.018:
                key = chance.choice([*each.emails, *each.cards])
                since = chance.choice(
                    [max(day for day, _, _ in found), date(2025, 11, 3), date(2025, 6, 1), date(2026, 2, 1)]
                )
                region = chance.choice(REGIONS)
                found.append((since, 2, region))
                said = f"{self.spelt(key)} has lived in region {region} since {since.day} {since:%B %Y}."
                self.fact(
                    said,
                    f"{self.spelt(key)} has lived in region {chance.choice(REGIONS)} since {since.day} {since:%B} 2024.",
                    "region",
                    key,
                    region,
                    since.isoformat(),
                )
            valid = [one for one in found if one[0] <= date(2025, 12, 31)]
            each.region = max(valid)[2] if valid else "unknown"
        chance.shuffle(crm)
        chance.shuffle(xml)
        self.files["people/crm.csv"] = "email;region;since\n" + "\n".join(crm) + "\n"
        self.files["people/cards.xml"] = "<cards>\n" + "\n".join(xml) + "\n</cards>\n"

    # memos

    def fact(self, said: str, wrong: str, *fact: object) -> None:
        """Something that holds, and the memos that say so: at once, or after something else was said."""
        chance = self.chance
        self.facts.append(fact)
        draw = chance.random()
        first = Memo(said if draw < 0.55 or draw > 0.85 else wrong)
        chain = [first]
        if 0.55 <= draw <= 0.85:
            chain.append(
                Memo(
                    chance.choice(
                        [
                            "What memo {n} says is wrong. Right is: ",
                            "I mixed something up in memo {n}, please strike it. Instead: ",
                        ]
                    )
                    + said,
                    first,
                )
            )
        elif draw > 0.85:
            chain.append(
                Memo(
                    chance.choice(
                        ["Please forget memo {n}.", "Memo {n} was a mistake of mine, it was never so."]
                    ),
                    first,
                )
            )
            again = [
                "It is the other way round: memo {n} is nonsense, what it speaks of was right after all.",
                "Strike memo {n}, please. The one that it takes back holds.",
            ]
            chain.append(Memo(chance.choice(again), chain[-1]))
        self.add(chain)

    def rumour(self, said: str) -> None:
        """Something that is taken back."""
        first = Memo(said)
        chain = [
            first,
            Memo(
                self.chance.choice(
                    [
                        "Forget memo {n}, please.",
                        "Memo {n}: I asked again, there is nothing in it.",
                        "I take back memo {n}.",
                    ]
                ),
                first,
            ),
        ]
        if self.chance.random() < 0.3:
            chain.append(Memo("Forget memo {n}, please.", chain[-1]))
            chain.append(Memo("No, memo {n} was rash, strike that one.", chain[-1]))
        self.add(chain)

    def add(self, chain: list[Memo]) -> None:
        place = self.chance.randint(0, len(self.memos))
        for memo in chain:
            self.memos.insert(place, memo)
            place = self.chance.randint(place + 1, min(len(self.memos), place + 40))

    def written(self) -> str:
        for number, memo in enumerate(self.memos, 1):
            memo.number = number
        texts = [memo.text.replace("{n}", str(memo.about.number if memo.about else 0)) for memo in self.memos]
        return "".join(f"{number}. {text[:1].upper()}{text[1:]}\n" for number, text in enumerate(texts, 1))

    def called(self, order: Order) -> str:
        """How a memo names an order: by its number, or by who made it on which day."""
        chance = self.chance
        mine = [one for one in self.all if one.person is order.person and one.day == order.day]
        if len(mine) == 1 and chance.random() < 0.5:
            key = self.spelt(chance.choice([*order.person.emails, *order.person.cards]))
            return f"the order that {key} made on {order.day.day} {order.day:%B}"
        return f"order {order.ref[:6]}-{order.ref[6:]}"

    def about_orders(self) -> None:
        """Memos about orders; before depot and bank, which then follow what is true."""
        chance = self.chance
        for number, order in enumerate(chance.sample(self.all, 44)):
            other = chance.choice(self.all)
            product = chance.choice(sorted(order.lines))
            pieces, price = order.lines[product]
            code, name = self.new[product], self.called(order)
            if number < 12:
                order.cancelled = not order.cancelled
                words = ["is not cancelled, whatever the shop says", "was cancelled on the telephone"]
                said, wrong = (
                    f"{name} {words[order.cancelled]}.",
                    f"{self.called(other)} {words[not order.cancelled]}.",
                )
                self.fact(said, wrong, "cancel", order.ref, order.cancelled)
            elif number < 28:
                new = price + chance.choice([-30, 45, 110, 275])
                order.lines[product] = (pieces, new)
                said = f"in {name} a piece of {code} costs {new / 100:.2f}."
                self.fact(
                    said,
                    f"in {name} a piece of {code} costs {(new + 90) / 100:.2f}.",
                    "price",
                    order.ref,
                    code,
                    new,
                )
            elif number < 36:
                self.rumour(f"in {name} a piece of {code} costs {(price + 500) / 100:.2f}.")
            else:
                self.rumour(f"{name} {'is not cancelled' if order.cancelled else 'was cancelled'}.")

    def spelt(self, key: str) -> str:
        """A card or an address as somebody writes it."""
        chance = self.chance
        if "@" not in key:
            return key
        name, _, domain = key.partition("@")
        if domain == "post.example":
            domain = chance.choice(["post.example", "mail.example"])
            if chance.random() < 0.6 and len(name) > 3:
                at = chance.randint(1, len(name) - 1)
                name = f"{name[:at]}.{name[at:]}"
        if chance.random() < 0.25:
            name += f"+{chance.choice(['shop', 'x', 'news.1'])}"
        text = f"{name}@{domain}"
        return chance.choice([text, text, text.title(), text.upper()])

    def products(self) -> None:
        chance = self.chance
        self.category = [chance.choice(CATEGORIES) for _ in range(PRODUCTS)]
        self.new = [
            f"{chance.choice('KLMNP')}{chance.choice('XYZ')}-{number}"
            for number in chance.sample(range(100, 999), PRODUCTS)
        ]
        old = [f"{number}" for number in chance.sample(range(10_000, 99_999), PRODUCTS)]
        # some old codes change hands in the middle
        self.old: list[list[tuple[date, date, str]]] = [[] for _ in range(PRODUCTS)]
        start, end = date(2024, 1, 1), date(2026, 12, 31)
        places = list(range(PRODUCTS))
        chance.shuffle(places)
        for one, two in zip(places[::2], places[1::2], strict=True):
            turn = date(2025, 1, 15) + timedelta(days=chance.randrange(150))
            if chance.random() < 0.6:
                self.old[one] = [(start, turn - timedelta(days=1), old[one]), (turn, end, old[two])]
                self.old[two] = [(start, turn - timedelta(days=1), old[two]), (turn, end, old[one])]
            else:
                self.old[one], self.old[two] = [(start, end, old[one])], [(start, end, old[two])]
        rows = [
            f"{code};{self.new[at]};{first};{last}"
            for at, its in enumerate(self.old)
            for first, last, code in its
        ]
        chance.shuffle(rows)
        self.files["products/codes.csv"] = "old;new;first day;last day\n" + "\n".join(rows) + "\n"
        self.files["products/products.csv"] = "code;category\n" + "".join(
            f"{code};{kind}\n" for code, kind in zip(self.new, self.category, strict=True)
        )
        self.cases = [[(date(2024, 1, 1), chance.choice([6, 10, 12, 24]))] for _ in range(PRODUCTS)]
        for its in self.cases:
            if chance.random() < 0.6:
                its.append(
                    (date(2025, 1, 10) + timedelta(days=chance.randrange(330)), chance.choice([4, 8, 20]))
                )
        rows = [
            f"{self.new[at]};{first:%d.%m.%Y};{pieces}"
            for at, its in enumerate(self.cases)
            for first, pieces in its
        ]
        chance.shuffle(rows)
        self.files["products/cases.csv"] = "code;from;pieces\n" + "\n".join(rows) + "\n"
        self.rates = {month: 10_000 + chance.randint(100, 900) for month in range(1, 13)}
        self.files["bank/chf.csv"] = "month;EUR for one CHF\n" + "".join(
            f"2025-{month:02d};{rate / 10_000:.4f}\n".replace(".", ",") for month, rate in self.rates.items()
        )

    def old_code(self, product: int, day: date) -> str:
        return next(code for first, last, code in self.old[product] if first <= day <= last)

    def case(self, product: int, day: date) -> int:
        return [pieces for first, pieces in self.cases[product] if first <= day][-1]

    def orders(self) -> None:
        chance = self.chance
        self.shop: list[tuple[datetime, str]] = []
        self.all: list[Order] = []
        numbers = chance.sample(range(100_000, 999_999), ORDERS)
        for number in numbers:
            at = datetime(2024, 12, 31, 23) + timedelta(minutes=chance.randrange(365 * 1440 - 5))
            if chance.random() < 0.05:  # near the end of a month, by one clock or the other
                at = datetime(2025, chance.randint(2, 12), 1) - timedelta(minutes=chance.randint(-60, 180))
            if at.date() == date(2025, 10, 26) and at.hour < 3:
                at += timedelta(hours=6)
            lines = {
                product: (chance.choice([1, 2, 3, 6, 12, 24, 30]), chance.randint(90, 9900))
                for product in chance.sample(range(PRODUCTS), chance.randint(1, 4))
            }
            order = Order(
                ref_of(number),
                chance.choice(self.persons),
                at,
                chance.choice(["EUR", "EUR", "EUR", "CHF"]),
                lines,
                chance.random() < 0.12,
            )
            self.all.append(order)
            revision = chance.choice([1, 1, 1, 1, 2, 2, 3])
            saved = at + timedelta(minutes=chance.randint(0, 3))
            for number in range(1, revision + 1):
                last = number == revision
                self.write(
                    order,
                    number,
                    saved,
                    {} if last else self.other(lines),
                    order.cancelled if last else chance.random() < 0.2,
                )
                saved += timedelta(minutes=chance.randint(30, 9000))
            draw = chance.random()
            if draw < 0.06:  # the same once more
                self.shop.append(self.shop[-1])
            elif draw < 0.10:  # the same revision saved before, with something else
                self.write(
                    order, revision, saved - timedelta(days=9), self.other(lines), chance.random() < 0.5
                )
            elif draw < 0.16:  # an import again
                self.write(order, 0, saved + timedelta(days=3), self.other(lines), chance.random() < 0.5)
        chance.shuffle(self.shop)
        parts: dict[str, list[str]] = {}
        for saved, line in self.shop:
            parts.setdefault(f"shop/{saved.year % 100}{saved.month:02d}.jsonl", []).append(line)
        self.files |= {name: "\n".join(its) + "\n" for name, its in parts.items()}

    def other(self, lines: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
        chance = self.chance
        return {
            product: (max(1, pieces + chance.randint(-1, 3)), price + chance.choice([0, 0, 50]))
            for product, (pieces, price) in lines.items()
        }

    def write(
        self, order: Order, revision: int, saved: datetime, lines: dict[int, tuple[int, int]], cancelled: bool
    ) -> None:
        """A line of the shop."""
        chance = self.chance
        at = order.at
        forms: list[str | int] = [
            f"{at:%Y-%m-%dT%H:%M:00}Z", f"{at - timedelta(hours=5):%Y-%m-%dT%H:%M:00}-05:00", f"{at + timedelta(hours=9):%Y-%m-%dT%H:%M:00}+09:00",
            int(at.replace(tzinfo=UTC).timestamp() * 1000), f"{local(at):%d.%m.%Y %H:%M}",
        ]  # fmt: skip
        shown = chance.choice(forms)
        code = [
            (self.new[product] if order.day >= NEW_SHOP else self.old_code(product, order.day), n, price)
            for product, (n, price) in (lines or order.lines).items()
        ]
        items = [
            {
                "sku": sku,
                "n": n,
                **({"price": f"{price / 100:.2f}"} if chance.random() < 0.5 else {"cents": price}),
            }
            for sku, n, price in code
        ]
        chance.shuffle(items)
        for item in list(items):  # a position in two parts
            if isinstance(item["n"], int) and item["n"] > 2 and chance.random() < 0.05:
                items.append({**item, "n": 1})
                item["n"] -= 1
        who = self.spelt(chance.choice([*order.person.emails, *order.person.cards]))
        told: dict[str, object] = {
            "ref": f"{order.ref[:6]}-{order.ref[6:]}",
            "rev": revision,
            "saved": f"{saved:%Y-%m-%dT%H:%M:00}Z",
            "at": shown,
            "who": who,
            "cur": order.currency,
            "lines": items,
        }
        if cancelled:
            told["state"] = chance.choice(["cancelled", "CANCELLED", "Cancelled"])
        elif chance.random() < 0.5:
            told["state"] = "ok"
        self.shop.append((saved, json.dumps(told, separators=(",", ":"))))

    def product_of(self, code: str, day: date) -> int | None:
        """The product that a code means on a day."""
        if code in self.new:
            return self.new.index(code)
        its = (
            at
            for at, spans in enumerate(self.old)
            for first, last, old in spans
            if old == code and first <= day <= last
        )
        return next(its, None)

    def meant(self, ref: str, code: str, day: date, returns: bool) -> tuple[Order, int] | None:
        """The order and the product that a line of the depot means."""
        if ref in self.by_ref:
            tries = {ref}
        elif "?" in ref:
            tries = {ref.replace("?", str(digit)) for digit in range(10)}
        else:
            tries = {ref[:at] + ref[at + 1] + ref[at] + ref[at + 2 :] for at in range(7)}
        fits = []
        for order in (self.by_ref[each] for each in tries if each in self.by_ref):
            product = self.product_of(code, order.day if returns else day)
            if product in order.lines and product is not None:
                fits.append((order, product))
        return fits[0] if len(fits) == 1 else None

    def depot(self) -> None:
        chance = self.chance
        self.by_ref = {order.ref: order for order in self.all}
        lines: list[tuple[date, str]] = []
        serial = 10_000_000
        window, windows, begun = 0, 9, 0
        memo_lines = 14
        for order in sorted(self.all, key=lambda one: one.at):
            draw = chance.random()
            if draw < 0.14 or (order.cancelled and draw < 0.75):
                continue
            first = order.day + timedelta(days=chance.randint(0, 12))
            for product, (wanted, _) in order.lines.items():
                if chance.random() < 0.04:
                    continue
                acts = [("S", first, wanted if chance.random() < 0.9 else max(1, wanted - 1))]
                if acts[0][2] > 4 and chance.random() < 0.2:
                    acts = [("S", first, acts[0][2] - 3), ("S", first + timedelta(days=5), 3)]
                if chance.random() < 0.12:
                    acts.append(
                        ("R", first + timedelta(days=chance.randint(6, 60)), chance.randint(1, acts[0][2]))
                    )
                if chance.random() < 0.05:  # and back
                    acts.append(("Z", first, chance.randint(1, 40)))
                for kind, day, pieces in acts:
                    if day.year > 2025:
                        continue
                    serial += chance.choice([1, 1, 2, 7])
                    own = serial
                    code_day = order.day if kind == "R" else day
                    code = self.new[product] if code_day >= NEW_DEPOT else self.old_code(product, code_day)
                    size = self.case(product, day)
                    if not window and windows and chance.random() < 0.0008:
                        window, windows, begun = 5, windows - 1, own
                    if window:
                        pieces = size * max(1, pieces // size)
                    unit, number = (
                        ("C", pieces // size)
                        if pieces % size == 0 and chance.random() < 0.8
                        else ("P", pieces)
                    )
                    if window:
                        unit, number, window = "P", pieces // size, window - 1
                        if not window:
                            serials = f"{begun:08d} to {own:08d}"
                            said = f"The depot lines with the serial numbers {serials} were typed with P, but all of them were cases."
                            said = chance.choice(
                                [said, f"Serial numbers {serials}, both included: cases, not pieces."]
                            )
                            self.fact(
                                said,
                                f"Serial numbers {begun - 40:08d} to {own + 3:08d}: cases, not pieces.",
                                "unit",
                                begun,
                                own,
                            )
                    ref, moved = order.ref, False
                    how = chance.random()
                    if how < 0.05:
                        at = chance.choice([at for at in range(7) if ref[at] != ref[at + 1]])
                        ref = ref[:at] + ref[at + 1] + ref[at] + ref[at + 2 :]
                    elif how < 0.08:
                        at = chance.randrange(8)
                        ref = ref[:at] + "?" + ref[at + 1 :]
                    elif how < 0.09:
                        ref = ref_of(chance.randint(100_000, 999_999))
                    if memo_lines and kind == "S" and chance.random() < 0.002:
                        memo_lines, moved, ref = memo_lines - 1, True, chance.choice(self.all).ref
                        wrong = f"the depot line {own:08d} was for {self.called(chance.choice(self.all))}."
                        self.fact(
                            f"the depot line {own:08d} was for {self.called(order)}.",
                            wrong,
                            "line",
                            own,
                            order.ref,
                        )
                    row = f"{'R' if kind == 'R' else 'S'}{own:08d}{day:%d%m%y}{ref}{code:<8}{unit}{number:06d}{chance.choice(['', 'Müller', 'Tür 3', 'é', 'S10000001'])}"
                    copies = 2 if chance.random() < 0.03 else 1
                    lines += [(day, row)] * copies
                    alive = kind != "Z"
                    storno = own
                    times = {"Z": chance.choice([1, 1, 3])}.get(kind, chance.choice([0] * 24 + [2]))
                    for _ in range(times):
                        serial += 1
                        later = min(date(2025, 12, 31), day + timedelta(days=chance.randint(0, 20)))
                        lines.append((later, f"X{serial:08d}{later:%d%m%y}{storno:08d}"))
                        storno = serial
                    if not alive:
                        continue
                    found = (order, product) if moved else self.meant(ref, code, day, kind == "R")
                    if found is None:
                        continue
                    other, what = found
                    if kind == "R":
                        other.shipped[what] = other.shipped.get(what, 0) - pieces
                        other.returned[what] = other.returned.get(what, 0) + pieces
                    else:
                        other.shipped[what] = other.shipped.get(what, 0) + pieces
                        self.firsts.setdefault(other.ref, []).append(day)
                    other.sent.append(day)
        parts: dict[str, list[str]] = {}
        for day, row in lines:
            parts.setdefault(f"depot/q{(day.month + 2) // 3}.dat", []).append(row)
        for its in parts.values():
            chance.shuffle(its)
        self.files |= {name: ("\n".join(its) + "\n").encode("cp1252") for name, its in parts.items()}

    firsts: dict[str, list[date]]

    def bank(self) -> None:
        chance = self.chance
        bookings: list[tuple[date, str, int, str, str]] = []  # day, id, amount, currency, purpose
        chosen = list(self.all)
        chance.shuffle(chosen)
        ids = iter(chance.sample(range(1_000_000, 9_999_999), ORDERS * 3))
        at = 0
        meant: dict[str, list[Order]] = {}
        memo_bookings, memo_none = 14, 8
        while at < len(chosen):
            order = chosen[at]
            at += 1
            due = order.due
            if due <= 0 or chance.random() < 0.06:
                continue
            its = [order]
            if chance.random() < 0.09:
                its += [each for each in chosen[at : at + chance.randint(1, 2)] if each.due > 0]
                at += len(its) - 1
            same = [each for each in its if each.currency == order.currency]
            total = sum(each.due for each in same)
            draw = chance.random()
            amount = (
                total
                if draw < 0.8
                else total - chance.randint(1, min(500, total - 1))
                if draw < 0.9 and total > 2
                else total + chance.randint(1, 900)
            )
            day = min(
                date(2025, 12, 31), max(each.day for each in its) + timedelta(days=chance.randint(0, 25))
            )
            booking = f"B{next(ids)}"
            parts = [
                chance.choice(
                    [
                        each.ref,
                        f"{each.ref[:6]}-{each.ref[6:]}",
                        f"{each.ref[:4]} {each.ref[4:]}",
                        f"{each.ref[:4]}/{each.ref[4:]}",
                        f"{each.ref[:6]}.{each.ref[6:]}",
                    ]
                )
                for each in its
            ]
            purpose = chance.choice(["Order {}", "RE {}", "{}", "thanks {} !", "Re.{} Tel 0{}"]).replace(
                "{}", chance.choice([", ", " and ", " u. "]).join(parts), 1
            )
            purpose = purpose.replace("0{}", f"0{chance.randint(10**8, 10**9 - 1)}")
            if chance.random() < 0.06:
                purpose += f" ({parts[0]})"
            if chance.random() < 0.05 and len(its) == 1:  # only who paid
                purpose = f"from {self.spelt(chance.choice([*order.person.emails, *order.person.cards]))}"
            elif chance.random() < 0.02:
                purpose = f"order {ref_of(chance.randint(1000, 99_999))}"
            if len(its) == 1 and memo_bookings and chance.random() < 0.006:
                memo_bookings -= 1
                purpose = f"Order {chance.choice(self.all).ref}"
                meant[booking] = [order]
                wrong = f"booking {booking} was meant for {self.called(chance.choice(self.all))}."
                self.fact(
                    f"booking {booking} was meant for {self.called(order)}.", wrong, "pay", booking, order.ref
                )
            elif memo_none and chance.random() < 0.003:
                memo_none -= 1
                meant[booking] = []
                wrong = f"booking {booking} was meant for {self.called(chance.choice(self.all))}."
                self.fact(f"booking {booking} is no payment at all, leave it out.", wrong, "pay", booking, "")
            bookings.append((day, booking, amount, order.currency, purpose))
            if day < date(2025, 12, 31) and chance.random() < 0.04:
                bookings.append(
                    (
                        min(date(2025, 12, 31), day + timedelta(days=chance.randint(1, 30))),
                        f"B{next(ids)}",
                        -amount,
                        order.currency,
                        f"RETURN {booking} account closed",
                    )
                )
        bookings.sort()
        self.unassigned: list[tuple[str, int]] = []
        given: dict[str, list[tuple[Order, int]]] = {}
        by_key = {key: each for each in self.persons for key in (*each.emails, *each.cards)}
        by_due: dict[tuple[int, str, int], list[Order]] = {}
        for order in self.all:
            by_due.setdefault((id(order.person), order.currency, order.due), []).append(order)
        for day, booking, amount, currency, purpose in bookings:
            if purpose.startswith("RETURN"):
                for order, part in given.get(purpose.split()[1], []):
                    order.paid.append((day, -part))
                continue
            if meant.get(booking) == []:
                continue
            named = meant.get(booking) or self.named(purpose, currency)
            if named is None:
                key = purpose.split()[-1]
                person = by_key.get(plain(key) if "@" in key else key)
                fits = by_due.get((id(person), currency, amount), [])
                named = fits if len(fits) == 1 and purpose.startswith("from") else []
            if not named:
                self.unassigned.append((currency, amount))
                continue
            rest = amount
            given[booking] = []
            for number, order in enumerate(named):
                open_now = max(0, order.due - sum(part for _, part in order.paid))
                part = rest if number == len(named) - 1 else min(rest, open_now)
                rest -= part
                order.paid.append((day, part))
                given[booking].append((order, part))
        rows: dict[int, list[str]] = {}
        for day, booking, amount, currency, purpose in bookings:
            text = f"{abs(amount) // 100:,}".replace(",", ".") + f",{abs(amount) % 100:02d}"
            row = f'{booking};{day:%d.%m.%Y};{"-" if amount < 0 else ""}{text};{currency};"{purpose}"'
            for part in range(
                (day.month + 2) // 3, 5 if chance.random() < 0.03 else (day.month + 2) // 3 + 1
            ):
                rows.setdefault(part, []).append(row)
        for part, texts in rows.items():
            chance.shuffle(texts)
            self.files[f"bank/{part}.csv"] = "booking;day;amount;currency;purpose\n" + "\n".join(texts) + "\n"

    def named(self, purpose: str, currency: str) -> list[Order] | None:
        """The orders that a purpose names, in their order; None if it names none at all."""
        found: list[Order] = []
        some = False
        for match in re.finditer(r"(?<!\d)(?:\d{8}|\d{4}[ ./-]\d{4}|\d{6}[ ./-]\d{2})(?!\d)", purpose):
            order = self.by_ref.get(re.sub(r"\D", "", match[0]))
            if order is not None:
                some = True
                if order.currency == currency and order not in found:
                    found.append(order)
        return found if some else None

    def world(self) -> World:
        chance = self.chance
        self.firsts = {}
        self.people()
        self.products()
        self.orders()
        self.about_orders()
        self.depot()
        self.bank()
        self.files["memos.txt"] = self.written()
        self.files["RULES.md"] = RULES.read_text(encoding="utf-8")
        asked: list[tuple[str, object]] = []

        def euros(order: Order, cents: int) -> int:
            """Half cents are rounded up."""
            return (
                cents
                if order.currency == "EUR"
                else (cents * self.rates[order.day.month] * 2 + 10_000) // 20_000
            )

        count = [order for order in self.all if order.due > 0]
        people = {id(order.person) for order in count}
        asked.append(("How many persons have at least one order with a due above 0?", len(people)))
        spent: dict[str, int] = {}
        for order in count:
            spent[order.person.name] = spent.get(order.person.name, 0) + euros(order, order.due)
        asked.append(
            (
                "Which person (by name, as rule 5 has it) has the highest sum of dues, converted into EUR?",
                max(spent, key=lambda name: spent[name]),
            )
        )
        for currency in ("EUR", "CHF"):
            asked.append(
                (
                    f"What is the sum of the dues of all orders in {currency}?",
                    sum(order.due for order in self.all if order.currency == currency),
                )
            )
        category, month = chance.choice(CATEGORIES), chance.randint(2, 12)
        asked.append((
            f"What is the turnover of {category} in month {month}, in EUR?",
            sum(euros(order, order.counted(product) * price) for order in self.all if order.day.month == month for product, (_, price) in order.lines.items() if self.category[product] == category),
        ))  # fmt: skip
        swapped = [at for at in range(PRODUCTS) if len(self.old[at]) > 1]
        product = chance.choice(swapped)
        asked.append(
            (
                f"How many pieces of product {self.new[product]} count, over all orders?",
                sum(order.counted(product) for order in self.all if product in order.lines),
            )
        )
        asked.append((
            "In how many orders with depot lines does some product count otherwise than the shop says (a cancelled order says 0)?",
            sum(any(order.counted(one) != (0 if order.cancelled else n) for one, (n, _) in order.lines.items()) for order in self.all if order.sent),
        ))  # fmt: skip
        asked.append(
            ("How many payments belong to no order (chargebacks not counted)?", len(self.unassigned))
        )
        asked.append(
            (
                "What is the sum of the EUR payments that belong to no order (chargebacks not counted)?",
                sum(amount for currency, amount in self.unassigned if currency == "EUR"),
            )
        )
        still = [(order, order.due - sum(part for _, part in order.paid)) for order in self.all]
        asked.append(
            (
                "What is the sum of what is still open of all orders in EUR of which something is open?",
                sum(rest for order, rest in still if order.currency == "EUR" and rest > 0),
            )
        )
        asked.append(("How many orders were paid too much?", sum(rest < 0 for _, rest in still)))
        region = chance.choice(REGIONS)
        asked.append(
            (
                f"How many persons of region {region} have an order with a due above 0 in the second quarter?",
                len(
                    {
                        id(order.person)
                        for order in count
                        if order.day.month in (4, 5, 6) and order.person.region == region
                    }
                ),
            )
        )
        waits = sorted(
            (min(self.firsts[order.ref]) - order.day).days for order in self.all if order.ref in self.firsts
        )
        asked.append(
            (
                "Over all orders with an S line, what is the sum of the days from the order to its first S line?",
                sum(waits),
            )
        )
        back: dict[int, int] = {}
        for order in self.all:
            for product, pieces in order.returned.items():
                back[product] = back.get(product, 0) + pieces
        best = sorted(back, key=lambda one: (-back[one], self.new[one]))[0]
        asked.append(
            (
                "Of which product were most pieces returned (the new code; of equal ones the first in the alphabet)?",
                self.new[best],
            )
        )
        asked.append(
            (
                "How many orders with a due above 0 were paid in time?",
                sum(order.paid_until(order.day + timedelta(days=14)) >= order.due for order in count),
            )
        )
        answers = {f"Q{number}": str(value) for number, (_, value) in enumerate(asked, 1)}
        return World(self.files, [text for text, _ in asked], answers, self.facts)


@cache
def world(seed: int) -> World:
    """Everything about a seed, made once."""
    return Maker(seed).world()


def files_of(seed: int) -> Mapping[str, str | bytes]:
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
