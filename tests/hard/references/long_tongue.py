"""Right and wrong sentences for long_tongue, by a reader of the prompt's own words."""

from __future__ import annotations

import re
from functools import cache

from ..long_tongue import NOUNS, TASK, plural
from .lines import near_misses, right_forms

V = "aeiou"
ONE = {plural(noun): noun for noun in NOUNS}


class _Reader:
    """Tables and corrections; `forgotten`: the number of a rule that a hurried reader leaves out, or what else."""

    def __init__(self, text: str, forgotten: str) -> None:
        self.forgotten, self.table = forgotten, dict[str, list[str]]()
        part = {
            name: body
            for name, body in re.findall(r"(?ms)^([A-Z][A-Z ]+\b[^\n]*)\n\n(.*?)(?=\n\n[A-Z]{3,}|\Z)", text)
        }
        body = {name.split(" (")[0]: each for name, each in part.items()}
        for what in ("NOUNS", "ADJECTIVES", "VERBS"):
            for key, its in re.findall(r"(?m)^(.*): (.*)$", body[f"ENDINGS OF {what}"]):
                for number, one in zip(("one", "two", "many"), its.split(", "), strict=True):
                    self.table[f"{what.lower()} {key}, {number}"] = [one.strip("-")]
        for key, its in re.findall(r"(?m)^(.*): (.*)$", body["PREFIXES"]):
            for what, one in zip(("adjectives", "verbs"), its.split(", "), strict=True):
                self.table[f"prefix of {what} {key}"] = [one.strip("-")]
        for key, stem, kind in re.findall(r"(?m)^(\w+): (\w+)-, (\w+)$", body["DICTIONARY"]):
            self.table[f"stem {key}"], self.table[f"kind {key}"] = [stem], [kind]
        for key, word in re.findall(r"(?m)^(\w+, \w+, \w+): (\w+)$", body["DICTIONARY"]):
            self.table[key] = [word]
        lines = dict(re.findall(r"(?m)^(\d+)\. (.*)$", body["CORRECTIONS"]))
        back = {n for each in lines.values() for n in re.findall(r"correction (\d+) is withdrawn", each)}
        for n, line in lines.items():
            if (n not in back or forgotten == "withdrawals") and forgotten != "corrections":
                self.correct(line)

    def correct(self, line: str) -> None:
        if m := re.fullmatch(r"ending of (\w+), (?:class|kind) (.*): -(\w+)", line):
            self.table[f"{m[1]} {m[2]}"] = [m[3]]
        elif m := re.fullmatch(r"prefix of (\w+), class (\w+): (\w+)-", line):
            self.table[f"prefix of {m[1]} {m[2]}"] = [m[3]]
        elif m := re.fullmatch(r"the stem of (\w+) is (\w+)-", line):
            self.table[f"stem {m[1]}"] = [m[2]]
        elif m := re.fullmatch(r"(\w+) is of (?:class|kind) (\w+)", line):
            self.table[f"kind {m[1]}"] = [m[2]]
        elif m := re.fullmatch(r"irregular: (.*): (\w+)", line):
            self.table[m[1]] = [m[2]]

    def look(self, key: str) -> str:
        return self.table[key][0]

    def word(self, prefix: str, stem: str, ending: str, soft: bool) -> str:
        """Letter by letter, with the changes that are not forgotten."""
        if soft and self.forgotten != "8":
            stem = re.sub("[ptks]$", lambda m: {"p": "b", "t": "d", "k": "g", "s": "z"}[m[0]], stem)
        if re.search(f"[ei][^{V}]*$", stem) and self.forgotten != "9":
            ending = ending.translate(str.maketrans("au", "ei"))
        parts = [prefix, stem, ending]
        for n in (0, 1):
            if re.search(f"[{V}]$", parts[n]) and re.match(f"[{V}]", parts[n + 1]):
                parts[n] = parts[n][:-1]
        letters = list("".join(parts))
        size = range(1, len(letters) - 1)
        if self.forgotten != "11":
            weak = [n for n in size if letters[n] in "sz" and letters[n - 1] in V and letters[n + 1] in V]
            for n in weak:
                letters[n] = "r"
        for n, each in enumerate(letters[1:]):
            if letters[n] in "mn" and self.forgotten != "12":
                letters[n] = (
                    "m"
                    if letters[n] == "n" and each in "pb"
                    else "n"
                    if letters[n] == "m" and each in "tdkg"
                    else letters[n]
                )
        for n, each in enumerate(letters[1:]):
            if letters[n] in "ptkbdg" and each in "ptkbdg":
                letters[n] = each
        found: list[str] = []
        for each in letters:
            if len(found) > 1 and not any(one in V for one in (*found[-2:], each)):
                found.append("e")
            found.append(each)
        vowels = [n for n, each in enumerate(found) if each in V]
        if len(vowels) > 4 and self.forgotten != "15":
            shorter = "".join(found[: vowels[1]] + found[vowels[1] + 1 :])
            if all(len(each) < 3 for each in re.split(f"[{V}]", shorter)):
                return shorter
        return "".join(found)

    def group(self, words: list[str], case: str) -> list[str]:
        """From "the two old kings of the queen"."""
        if "of" in words:
            at = words.index("of")
            owner, its = words[at + 1 :], self.group(words[:at], case)
            more = self.group(owner, "owner")
            return [*its, *more] if owner[-1] in ONE and "two" not in owner else [*more, *its]
        noun = ONE.get(words[-1], words[-1])
        number = "two" if "two" in words else "many" if words[-1] in ONE else "one"
        kind, found = self.look(f"kind {noun}"), list[str]()
        stem, ending = self.look(f"stem {noun}"), self.look(f"nouns {kind}, {case}, {number}")
        irregular = self.table.get(f"{noun}, {case}, {number}", [""])[0]
        found.append(irregular or self.word("", stem, ending, number != "one"))
        adjectives = [each for each in words[1:-1] if each != "two"]
        for each in adjectives:
            ending = self.look(f"adjectives {self.look(f'kind {each}')}, {case}, {number}")
            found.append(
                self.word(self.look(f"prefix of adjectives {kind}"), self.look(f"stem {each}"), ending, False)
            )
        return found[::-1] if kind in ("I", "III", "V") else found

    def sentence(self, text: str) -> str:
        m = re.fullmatch(r"(.*) (does|do|did|will) (\w+) (.*) (in|with) (.*)\.", text.lower())
        assert m
        does, verb, how = m[2], m[3], "place" if m[5] == "in" else "means"
        subject, what, at = m[1].split(), m[4].split(), m[6].split()
        noun = what[: what.index("of")][-1] if "of" in what else what[-1]
        tense = {"did": "past", "will": "future"}.get(does, "now")
        first = subject[: subject.index("of")] if "of" in subject else subject
        number = "two" if "two" in first else "many" if first[-1] in ONE else "one"
        ending = self.look(f"verbs {self.look(f'kind {verb}')}, {tense}, {number}")
        prefix = self.look(f"prefix of verbs {self.look(f'kind {ONE.get(noun, noun)}')}")
        said = self.table.get(f"{verb}, {tense}, {number}", [""])[0] or self.word(
            prefix, self.look(f"stem {verb}"), ending, False
        )
        parts = [self.group(subject, "subject"), [said], self.group(what, "object"), self.group(at, how)]
        if tense == "past":
            parts = [parts[0], parts[3], parts[2], parts[1]]
        return " ".join(word for part in parts for word in part)


@cache
def _sentences(seed: int, forgotten: str = "") -> dict[str, str]:
    text = TASK.puzzle(seed)[0]
    reader = _Reader(text, forgotten)
    return {name: reader.sentence(each) for name, each in re.findall(r"(?m)^(Q\d+): (The .*)$", text)}


def right(seed: int) -> list[str]:
    return right_forms(_sentences(seed))


def wrong(seed: int) -> list[str]:
    """Without a change of sound, or without corrections."""
    return near_misses(
        _sentences(seed),
        *(_sentences(seed, each) for each in ("corrections", "withdrawals", "9", "12", "15")),
    )
