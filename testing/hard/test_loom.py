# ruff: noqa: E501
"""The market in Loom prints what its documents say, worked out by another program."""

from __future__ import annotations

import random

from tests.hard import loom
from tests.hard.repair_loom import program, script


class Market:
    def __init__(self):
        self.book, self.asleep, self.money, self.traded = [], [], {}, {}
        self.made, self.last, self.out = 0, None, []

    def bad(self, units, price):
        return (
            units < 1
            or price < 5
            or price % 5
            or (self.last is not None and abs(price - self.last) > self.last // 10)
        )

    def numbered(self):
        self.made += 1
        self.out.append(f"order {self.made}")
        return self.made

    def against(self, side, price):
        sign = 1 if side == "buy" else -1
        found = [
            o for o in self.book if o["side"] != side and (price is None or sign * price >= sign * o["price"])
        ]
        return sorted(found, key=lambda o: sign * o["price"])  # the book is in the order of places

    def match(self, new, stays=True):
        while new["units"] and (found := self.against(new["side"], new["price"])):
            old = found[0]
            if old["owner"] == new["owner"]:
                self.out.append(f"gone {old['n']}")
                self.book.remove(old)
                continue
            units, price = min(new["units"], old["shown"]), old["price"]
            buyer, seller = (new, old) if new["side"] == "buy" else (old, new)
            self.out.append(f"trade {buyer['n']} {seller['n']} {units} {price}")
            rate = 2 if self.traded.get(new["owner"], 0) >= 100 else 3
            for each, sum_ in (
                (buyer, -units * price),
                (seller, units * price),
                (new, -units * price * rate // 1000),
            ):
                self.money[each["owner"]] = self.money.get(each["owner"], 0) + sum_
            for each in (buyer, seller):
                self.traded[each["owner"]] = self.traded.get(each["owner"], 0) + units
            self.last = price
            for each in (new, old):
                each["units"] -= units
            old["shown"] -= units
            if not old["shown"]:
                self.book.remove(old)
                if old["units"]:
                    self.rest(old)
        if new["units"] and stays:
            self.rest(new)
        elif new["units"]:
            self.out.append(f"dropped {new['units']}")

    def rest(self, order):
        order["shown"] = min(order["units"], order["slice"]) if order["slice"] else order["units"]
        self.book.append(order)

    def wake(self):
        def ripe(o):
            return self.last is not None and (
                self.last >= o["at"] if o["side"] == "buy" else self.last <= o["at"]
            )

        while found := [o for o in self.asleep if ripe(o)]:
            self.asleep.remove(found[0])
            self.out.append(f"woken {found[0]['n']}")
            self.match(found[0])

    def do(self, word, *rest):
        say = self.out.append
        rest = [int(each) if each.isdigit() else each for each in rest]
        if word in ("buy", "sell"):
            word, rest = "new", [word, *rest]
        if word in ("new", "ice", "fill", "take", "stop"):
            side, owner, units, price, more = [*rest, None, None][:5]
            if (
                units < 1
                if word == "take"
                else self.bad(units, price) or (word in ("ice", "stop") and more < 1)
            ):
                return say("bad")
            there = sum(o["units"] for o in self.against(side, price) if o["owner"] != owner)
            if word == "fill" and there < units:
                return say("no")
            order = {
                "n": self.numbered(),
                "side": side,
                "owner": owner,
                "units": units,
                "price": price,
                "slice": more if word == "ice" else 0,
                "at": more,
            }
            if word == "stop":
                self.asleep.append(order)
            else:
                self.match(order, word != "take")
            self.wake()
        elif word == "clear":
            gone = sorted(o["n"] for o in [*self.book, *self.asleep] if o["owner"] == rest[0])
            self.book, self.asleep = (
                [o for o in part if o["owner"] != rest[0]] for part in (self.book, self.asleep)
            )
            self.out += [f"gone {n}" for n in gone] or ["none"]
        elif word == "cancel":
            here = [o for o in [*self.book, *self.asleep] if o["n"] == rest[0]]
            self.book, self.asleep = (
                [o for o in part if o["n"] != rest[0]] for part in (self.book, self.asleep)
            )
            say("ok" if here else "no")
        elif word == "amend":
            number, units, price = rest
            order = next((o for o in self.book if o["n"] == number), None)
            if order is None or self.bad(units, price):
                return say("no" if order is None else "bad")
            say("ok")
            if price == order["price"] and units <= order["units"]:
                order.update(units=units, shown=min(units, order["shown"]))
                return None
            self.book.remove(order)
            order.update(units=units, price=price)
            self.match(order)
            self.wake()
        elif word == "money":
            say(str(self.money.get(rest[0], 0)))
        else:
            before = len(self.out)
            for side in ("sell", "buy"):
                for price in sorted({o["price"] for o in self.book if o["side"] == side}, reverse=True):
                    level = [o["shown"] for o in self.book if (o["side"], o["price"]) == (side, price)]
                    say(f"{side} {price} {sum(level)} {len(level)}")
            if len(self.out) == before:
                say("empty")
        return None


def test_the_market_in_loom_prints_what_a_market_in_python_prints():
    chance, source = random.Random(5), program()["market.loom"]
    for text in [script(chance) for _ in range(40)]:
        market = Market()
        for line in text.splitlines():
            market.do(*line.split())
        assert "\n".join(market.out) + "\n" == loom.run(source, text), text


def test_the_market_before_its_extension_knows_the_old_commands():
    said = loom.run(
        program(full=False)["market.loom"], "sell a 3 10\nbuy b 5 10\nbook\nmoney b\nice buy a 3 10 2\n"
    )
    assert said == "order 1\norder 2\ntrade 2 1 3 10\nbuy 10 2 1\n-31\n"


def test_operators_group_from_the_right_and_parameters_are_the_caller_s_variables():
    source = "to main\na = 2\ndo f(a, a + 1)\nprint a, 9 - a - 1, words.(0 - 1), [1, 2] ++ 3\nfor i = 1, 0\nprint i\nend\nend\nto f x y\nx = x * y + 1\nend\n"
    assert loom.run(source, "p q 7\n") == "8 2 7 1 2 3\n1\n0\n"
