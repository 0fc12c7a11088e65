"""The words of a command, and amounts as they are printed."""
import calendar
import re
import sys
from datetime import date
from fractions import Fraction

sys.set_int_max_str_digits(0)


class Bad(Exception):
    """Why a command cannot be done."""


def matched(pattern, word, what):
    found = re.fullmatch(pattern, word)
    if not found:
        raise Bad(what)
    return found


def amount(word):
    found = matched(r"(-?)([0-9]+)(?:\.([0-9]{2}))?", word, "amount")
    cents = int(found[2] + (found[3] or "00"))
    return -cents if found[1] else cents


def positive(word):
    cents = amount(word)
    if cents <= 0:
        raise Bad("amount")
    return cents


def floor(word):
    return None if word == "none" else amount(word)


def shown(cents):
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


def day(word):
    found = matched("([0-9]{4})-([0-9]{2})-([0-9]{2})", word, "day")
    try:
        return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        raise Bad("day") from None


def name(word):
    if not all(word.split("/")):
        raise Bad("name")
    return word


def number(word):
    return int(matched("[0-9]+", word, "number")[0])


def whole(word):  #+
    found = int(matched("[0-9]+", word, "number")[0])  #+
    if not found:  #+
        raise Bad("number")  #+
    return found  #+


def count(word):  #+
    found = whole(word)  #+
    if found > 1000:  #+
        raise Bad("number")  #+
    return found  #+


def percent(word):  #+
    return Fraction(matched(r"[0-9]+(\.[0-9]+)?", word, "percent")[0])  #+


def period(word):  #+
    return matched("week|month|year", word, "period")[0]  #+


def text(word):
    return word


def months_after(day, months):  #+
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)  #+
    if year > 9999:  #+
        raise Bad("day")  #+
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))  #+


FORMS = {
    "open": "name", "close": "name", "rename": "name name", "floor": "name floor", "accounts": "", "undo": "",
    "move": "day name name positive ?rest", "void": "number", "balance": "name ?day", "list": "name ?day ?day",
    "split": "day name positive +name,whole", "every": "day whole count name name positive ?rest",  #+
    "merge": "name name", "tag": "number text", "untag": "number text", "tagged": "text", "find": "rest",  #+
    "redo": "", "begin": "", "commit": "", "cancel": "", "save": "text", "back": "text",  #+
    "interest": "name percent day day", "table": "day day", "seal": "day", "by": "name period",  #+
}
KINDS = {"name": name, "floor": floor, "day": day, "positive": positive, "number": number, "text": text, "rest": text,
         "whole": whole, "count": count, "percent": percent, "period": period,  #+
         }


def parsed(line):
    """A line's command, and its words as what they mean."""
    command = line.split(" ")[0]
    if command not in FORMS:
        raise Bad("command")
    kinds = FORMS[command].split()
    rest = len(kinds) if kinds and kinds[-1].endswith("rest") else 0
    words = re.split(" +", line, maxsplit=rest)[1:]
    if kinds and kinds[-1][0] == "+":  #+
        repeated = kinds.pop()[1:].split(",")  #+
        kinds += repeated * max(1, (len(words) - len(kinds)) // len(repeated))  #+
    if not sum(kind[0] != "?" for kind in kinds) <= len(words) <= len(kinds):
        raise Bad("words")
    return command, [KINDS[kind.lstrip("?")](word) for kind, word in zip(kinds, words)]
