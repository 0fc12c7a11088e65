"""A store of keys and values, damaged in many places at once, of which some proves the rest."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from evaluator import *

DESCRIPTION = (
    "Can an agent restore from a damaged store all that can be proven, and name exactly what cannot?"
)
TAGS = ["hard", "binary", "agent"]
DETERMINISTIC = True

QUESTION = """This folder holds what is left of a store of keys and values: store/ and the feed of its replica, replica/feed.txt. Many files were damaged.
FORMAT.md says how all of it is written and what counts as proof, CHANGES.md what was different in older versions. Work out the state of every key
and which records are lost, and write state.tsv and lost.tsv into this folder, as section 6 of FORMAT.md says. Every line of both will be checked.
You have a shell with Python."""
SHOW = "head -c 2000000 state.tsv; echo; echo =====; head -c 200000 lost.tsv"
FOLDER = Path(__file__).parent / "files" / "operate_store"
SEGMENTS = (
    (1, 1),
    (2, 1),
    (3, 2),
    (4, 2),
    (5, 2),
    (6, 3),
    (8, 3),
    (9, 3),
)  # number, version; 7 and 10 are outputs
PER_SEGMENT = 190
ACTIVE, REMOVED = 9, 2
PUT, DELETE, DELTA, TOUCH, COMMIT = 1, 2, 3, 4, 5
PACKED = 0x80
SECTION = 30  # lines of the feed between two marks
WORDS = (
    "anchor", "basket", "candle", "Delta", "ember", "Falcon", "garnet", "harbor", "Indigo", "jasper", "kettle", "lantern",
    "Marble", "nectar", "Orchid", "pebble", "quartz", "Ribbon", "saddle", "timber", "umber", "Velvet", "walnut", "yarrow",
)  # fmt: skip


@dataclass
class Rec:
    """A record as it was meant. `value` is the whole value, `base` the seq that a delta or a touch goes by."""

    seq: int
    kind: int
    key: str = ""
    value: bytes = b""
    time: int = 0
    ttl: int = 0
    batch: int = 0
    size: int = 0  # of its batch
    back: int = 0
    base: int = 0
    patch: bytes = b""
    packed: bool = False
    committed: bool = True


@dataclass
class Slot:
    """A record in a file."""

    rec: Rec
    at: int
    end: int
    crc: int
    counts: bool = True  # False: torn, or written again
    damage: str = ""


@dataclass
class Segment:
    """A file of the store as it was before the damage."""

    number: int
    version: int
    first: int
    time: int
    output: bool = False
    data: bytearray = field(default_factory=bytearray)
    slots: list[Slot] = field(default_factory=list)
    sealed: bool = True

    def slot(self, seq: int) -> Slot:
        return next(each for each in self.slots if each.counts and each.rec.seq == seq)


def varint(number: int) -> bytes:
    """Seven bits a byte, the low ones first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def crc(data: bytes) -> int:
    return zlib.crc32(data)


def body(rec: Rec, segment: Segment) -> bytes:
    """The bytes of a record before its checksum."""
    value, kind = rec.value, rec.kind
    if segment.output and kind in (DELTA, TOUCH):
        kind = PUT
    if kind in (DELTA, TOUCH):
        value = rec.patch
    if kind == COMMIT:
        value = varint(rec.size)
    if rec.packed and not segment.output:
        kind, value = kind | PACKED, zlib.compress(value, 9)
    minutes = segment.version == 1 or (segment.output and segment.version == 2)
    key = rec.key.encode()
    if segment.output and rec.seq < FIRST_V2:
        key = key.lower()
    numbers = (
        0 if segment.output else rec.batch, len(key), len(value), rec.seq - segment.first, rec.seq - rec.back if rec.back else 0,
        rec.time - segment.time, rec.ttl // 60 if minutes else rec.ttl,
    )  # fmt: skip
    return bytes([0xC5, kind]) + b"".join(map(varint, numbers)) + key + value


FIRST_V2 = 1 + 2 * PER_SEGMENT  # the seq with which the first segment of version 2 begins


def checksum(segment: Segment, at: int, data: bytes) -> int:
    """The checksum of a record at its place."""
    place = b"" if segment.version == 1 else segment.number.to_bytes(2, "little") + at.to_bytes(4, "little")
    return crc(place + data)


def write(segment: Segment, rec: Rec, counts: bool = True) -> Slot:
    """Append a record."""
    step = 4 if segment.version == 1 else 8
    segment.data += bytes(-len(segment.data) % step)
    at, data = len(segment.data), body(rec, segment)
    check = checksum(segment, at, data)
    segment.data += data + check.to_bytes(4, "little")
    slot = Slot(rec, at, len(segment.data), check, counts)
    segment.slots.append(slot)
    return slot


def begin(segment: Segment) -> None:
    head = b"KIST" + bytes([segment.version, segment.output]) + segment.number.to_bytes(2, "little")
    head += segment.first.to_bytes(8, "little") + segment.time.to_bytes(4, "little") + bytes(8)
    segment.data += head + crc(head).to_bytes(4, "little")


def seal(segment: Segment) -> None:
    """Append the footer."""
    segment.data += bytes(-len(segment.data) % 8)
    slots = [each for each in segment.slots if each.counts]
    keys = checks = 0
    for each in slots:
        key = each.rec.key.encode()
        if segment.version == 1:  # it left out the last letter
            key = key[:-1]
        keys ^= crc(key.lower() if segment.output and each.rec.seq < FIRST_V2 else key)
        checks ^= each.crc
    foot = b"TSIK" + len(slots).to_bytes(4, "little") + slots[-1].rec.seq.to_bytes(8, "little")
    foot += b"".join(each.to_bytes(4, "little") for each in (keys, checks, len(segment.data)))
    segment.data += foot + crc(foot).to_bytes(4, "little")


class Refused(Exception):
    """This draw lacks something that each seed must have."""


@dataclass
class World:
    """Everything about a seed."""

    files: Mapping[str, str | bytes]
    state: Sequence[str]
    lost: Sequence[str]
    counts: Mapping[str, int]


class Maker:
    """Draws a store, damages it, and works out what is still proven, from what it knows and not from the bytes."""

    def __init__(self, name: str) -> None:
        self.chance = random.Random(name)

    def name(self, key: str, seq: int) -> str:
        """A key as the state has it."""
        return key.lower() if seq < FIRST_V2 else key

    def history(self) -> None:
        chance = self.chance
        total = PER_SEGMENT * len(SEGMENTS)
        keys = [
            f"{a}/{b}{chance.randint(1, 99)}"
            for a in WORDS
            for b in chance.sample(("a", "B", "cx", "Dy", "e", "q"), 6)
        ]
        keys = list(dict.fromkeys(keys))
        weights = [1 / (1 + n) ** 0.7 for n in range(len(keys))]
        chance.shuffle(keys)
        now = 1_780_000_000 + chance.randrange(10_000_000)
        recs: list[Rec] = []
        last: dict[str, int] = {}  # of a name, also of batches that came to nothing
        live: dict[str, int] = {}  # of a name, the record with its value
        by_seq: dict[int, Rec] = {}
        self.by_seq = by_seq
        images: list[bytes] = []
        probe = Segment(1, 1, 1, now)
        plan: list[tuple[int, int, bool]] = []  # batch, size, committed
        while len(recs) < total:
            seq = len(recs) + 1
            now += chance.choice([0, 1, 3, 20, 240])
            left = total - seq
            # a batch lies within one segment
            room = PER_SEGMENT - (seq - 1) % PER_SEGMENT
            if not plan and room > 12 and left > 60 and chance.random() < 0.06:
                size = chance.randint(2, 6)
                plan = [(seq, size, chance.random() < 0.7)] * size
            batch, size, committed = plan.pop() if plan else (0, 0, True)
            version = next(v for n, (_, v) in enumerate(SEGMENTS) if seq <= (n + 1) * PER_SEGMENT)
            key = chance.choices(keys, weights)[0]
            if seq < FIRST_V2:
                key = chance.choice([key, key.lower(), key.upper()])
            name = self.name(key, seq)
            rec = Rec(seq, PUT, key, b"", now, 0, batch, size, last.get(name, 0), committed=committed)
            rec.ttl = chance.choice([0, 0, 0, 60 * chance.randint(1, 300), 60 * chance.randint(100, 1500)])
            known = live.get(name, 0)
            draw = chance.random()
            if draw < 0.12 and known:
                rec.kind, rec.ttl = DELETE, 0
            elif draw < 0.36 and version > 1 and (known or live):
                other = known if known and chance.random() < 0.8 else chance.choice(sorted(live.values()))
                old = by_seq[other].value
                rec.kind, rec.base = DELTA, other
                head = chance.randint(0, len(old))
                tail = chance.randint(0, len(old) - head)
                middle = self.text(chance.randint(1, 14))
                rec.patch = varint(seq - other) + varint(head) + varint(tail) + middle
                rec.value = old[:head] + middle + old[len(old) - tail :]
            elif draw < 0.46 and version > 2 and known:
                rec.kind, rec.base, rec.ttl = TOUCH, known, 60 * chance.randint(100, 900)
                rec.patch, rec.value = varint(seq - known), by_seq[known].value
            else:
                rec.value = self.text(chance.randint(3, 50))
                if len(images) > 9 and chance.random() < 0.07:  # a record in a value is none
                    rec.value = (
                        self.text(chance.randint(0, 9))
                        + chance.choice(images[:-4])
                        + self.text(chance.randint(4, 9))
                    )
            rec.packed = version > 2 and rec.kind == PUT and len(rec.value) > 30
            if version == 1 and rec.kind == PUT and len(rec.value) < 60:
                data = body(rec, probe)
                images.append(data + crc(data).to_bytes(4, "little"))
            recs.append(rec)
            by_seq[seq] = rec
            last[name] = seq
            if committed:
                live[name] = seq
                if rec.kind == DELETE:
                    del live[name]
            if batch and not plan and committed:
                done = Rec(seq + 1, COMMIT, "", b"", now, 0, batch, size)
                recs.append(done)
                by_seq[seq + 1] = done
        self.recs = recs[:total]
        self.end = 0

    def text(self, size: int) -> bytes:
        chance = self.chance
        letters = "abcdefghij klmnopqrs tuvwxyz0123456789-_.,:;\\\t\n"
        return "".join(chance.choice(letters) for _ in range(size)).encode()

    def pack(self) -> None:
        """Write the segments and the outputs."""
        chance = self.chance
        self.segments: dict[int, Segment] = {}
        self.home: dict[int, int] = {}
        for n, (number, version) in enumerate(SEGMENTS):
            its = self.recs[n * PER_SEGMENT : (n + 1) * PER_SEGMENT]
            segment = Segment(number, version, its[0].seq, its[0].time - chance.randint(0, 5))
            begin(segment)
            plain = [each.seq for each in its[20:-20] if each.kind in (PUT, DELTA)]
            torn, again = sorted(chance.sample(plain, 2)) if number in (4, 5, 8, 9) else (0, 0)
            for rec in its:
                if rec.seq in (torn, again):
                    first = Rec(
                        rec.seq,
                        PUT,
                        chance.choice(its).key or "spare/a1",
                        self.text(30),
                        rec.time,
                        0,
                        0,
                        0,
                        rec.back,
                    )
                    write(segment, first, False)
                    if rec.seq == torn:
                        del segment.data[-chance.randint(5, 20) :]
                    segment.data += bytes(-len(segment.data) % 512)
                write(segment, rec)
                self.home[rec.seq] = number
            segment.sealed = number != ACTIVE
            if segment.sealed:
                seal(segment)
            self.segments[number] = segment
        needed = {each.base for each in self.recs if each.base}
        for number, version, inputs, whole in ((7, 2, (2, 3), True), (10, 3, (5, 6), False)):
            source = [each for each in self.recs if self.home[each.seq] in inputs]
            final = {
                self.name(each.key, each.seq): each.seq
                for each in source
                if each.kind != COMMIT and each.committed
            }
            low, high = source[0].seq, source[-1].seq
            kept = {each.base for each in self.recs if each.seq > high and low <= each.base <= high}
            assert kept <= needed
            keep = sorted({*final.values(), *kept})
            output = Segment(number, version, low, self.segments[inputs[0]].time, True)
            begin(output)
            for seq in keep if whole else keep[: len(keep) * 2 // 3]:
                write(output, self.by_seq[seq])
            output.sealed = whole
            if whole:
                seal(output)
            else:
                cut = write(output, self.by_seq[keep[len(keep) * 2 // 3]], False)
                del output.data[-((cut.end - cut.at) // 2) :]
            self.segments[number] = output

    def feed(self) -> None:
        """What the replica was sent, in sections that are right, wrong or missing."""
        chance = self.chance
        start = PER_SEGMENT + 60
        sent = [
            each
            for each in self.recs
            if each.seq > start and each.kind not in (TOUCH, COMMIT) and each.committed
        ]
        self.good: set[int] = set()
        self.hint: set[int] = set()  # right lines of wrong sections
        out: list[str] = []
        sections = [sent[at : at + SECTION] for at in range(0, len(sent), SECTION)]
        for number, its in enumerate(sections):
            lines = [self.line(each) for each in its]
            draw = 0.0 if number >= len(sections) - 2 else chance.random()
            if 0.35 <= draw < 0.75:
                mark = hashlib.sha256("".join(lines).encode()).hexdigest()[:16]
                self.hint |= {each.seq for each in its}
                spoilt = chance.sample(range(len(its)), 2 if len(its) > 2 else 1)
                for at in spoilt:
                    self.hint.discard(its[at].seq)
                    other = Rec(**{**vars(its[at]), "value": self.text(12), "kind": PUT})
                    lines[at] = self.line(other)
                if chance.random() < 0.5:
                    lines[spoilt[0]] = ""
            elif draw < 0.35:
                mark = hashlib.sha256("".join(lines).encode()).hexdigest()[:16]
                self.good |= {each.seq for each in its}
            else:
                continue
            out += [*lines, f"# {mark}\n"]
        self.feed_text = "".join(out)
        # what the store itself no longer has of its end
        self.tail = [each.seq for each in self.recs if each.seq in self.good][-chance.randint(6, 9)]

    def line(self, rec: Rec) -> str:
        said: dict[str, object] = {
            "s": rec.seq,
            "op": "del" if rec.kind == DELETE else "put",
            "k": rec.key,
            "t": rec.time * 1000 + rec.seq % 1000,
        }
        if rec.kind != DELETE:
            said["v"] = rec.value.decode("latin-1")
            said["ttl"] = rec.ttl
        if rec.kind == DELTA:
            said["d"] = 1
        if rec.batch:
            said["b"] = [rec.batch, rec.size]
        said["p"] = rec.back
        return json.dumps(said, ensure_ascii=True) + "\n"

    def index(self) -> None:
        """The last record of each key at some moment."""
        chance = self.chance
        self.checkpoint = PER_SEGMENT * 6 + chance.randint(30, 160)
        while self.by_seq[self.checkpoint].batch or self.by_seq[self.checkpoint + 1].batch:
            self.checkpoint -= 1
        final: dict[str, int] = {}
        for rec in self.recs[: self.checkpoint]:
            if rec.kind != COMMIT and rec.committed:
                final[self.name(rec.key, rec.seq)] = rec.seq
        entries = []
        for name, seq in sorted(final.items(), key=lambda item: crc(item[0].encode())):
            number = self.home[seq]
            data = (
                crc(name.encode()).to_bytes(4, "little")
                + seq.to_bytes(4, "little")
                + number.to_bytes(2, "little")
            )
            data += self.segments[number].slot(seq).at.to_bytes(4, "little")
            entries.append((seq, bytearray(data + crc(data).to_bytes(4, "little"))))
        self.indexed = set(final.values())
        head = b"KIX1" + self.checkpoint.to_bytes(8, "little") + len(entries).to_bytes(4, "little")
        single = chance.sample(range(len(entries)), 9)
        for at in single:
            self.flip(entries[at][1], chance.randrange(len(entries[at][1]) * 8))
        final = {self.name(rec.key, rec.seq): rec.seq for rec in self.recs if rec.kind != COMMIT}
        self.finals = set(final.values())
        apart = [
            at for at, (seq, _) in enumerate(entries)
            if self.home[seq] == 4 and seq in self.finals and seq not in self.good | self.hint and at not in single and not self.by_seq[seq].batch
        ]  # fmt: skip
        if not apart:
            raise Refused
        alone = chance.choice(apart)  # only the footer will say its key
        self.alone = entries[alone][0]
        for at in [alone, *chance.sample(sorted(set(range(len(entries))) - {alone, *single}), 5)]:
            self.indexed.discard(entries[at][0])
            for bit in chance.sample(range(len(entries[at][1]) * 8), 2):
                self.flip(entries[at][1], bit)
        self.index_data = (
            head + crc(head).to_bytes(4, "little") + b"".join(bytes(data) for _, data in entries)
        )

    @staticmethod
    def flip(data: bytearray, bit: int) -> None:
        data[bit // 8] ^= 1 << bit % 8

    def spoil(self) -> None:
        """Damage records: one bit, or more than that."""
        chance = self.chance
        counts = {1: 4, 3: 4, 4: 1, 5: 7, 6: 1, 8: 9, 9: 6, 7: 1, 10: 2}
        sent = {self.by_seq[seq].batch for seq in self.good}
        copied = {each.rec.seq for each in self.segments[10].slots}
        nothing = {
            seq
            for one in self.recs
            if not one.committed
            for seq in range(one.batch, one.batch + one.size + 1)
        }
        for number, segment in self.segments.items():
            if number == REMOVED:
                continue
            places = [
                n for n, each in enumerate(segment.slots) if 2 < n < len(segment.slots) - 4
                and all(one.counts for one in segment.slots[n - 1 : n + 3]) and segment.slots[n].rec.seq not in nothing and (number != ACTIVE or segment.slots[n].rec.seq < self.tail - 6)
            ]  # fmt: skip
            taken: set[int] = set()

            def pick(
                want: Sequence[int],
                taken: set[int] = taken,
                number: int = number,
                places: Sequence[int] = places,
            ) -> int:
                free = [n for n in want if not taken & {n - 1, n, n + 1}]
                free = (
                    free or [n for n in places if not taken & {n - 1, n, n + 1}] if number in (5, 8) else free
                )
                if not free:
                    raise Refused
                taken.add(found := chance.choice(free))
                return found

            for nth in range(counts[number]):
                want = places
                if nth == 0 and number in (5, 8):
                    want = [n for n in places if segment.slots[n].rec.kind == COMMIT]
                    if number == 8:
                        want = [n for n in want if segment.slots[n].rec.batch not in sent]
                elif number == 1 and nth == 0:
                    want = [n for n in places if len(segment.slots[n].rec.value) > 50]
                elif number == 4:
                    want = [n for n in places if segment.slots[n].rec.seq == self.alone]
                elif nth in (3, 4):
                    want = [
                        n
                        for n in places
                        if segment.slots[n].rec.seq in (self.finals & self.indexed) - self.good
                    ]
                    want = want or places
                elif number == 7:
                    want = [n for n in places if self.only_indexed(segment.slots[n].rec)]
                elif number == 6:
                    places = [n for n in places if segment.slots[n].rec.seq not in self.good | copied]
                    want = [
                        n
                        for n in places
                        if segment.slots[n].rec.kind == PUT and not segment.slots[n].rec.packed
                    ]
                elif nth in (1, 2):
                    want = [n for n in places if segment.slots[n].rec.kind in (PUT, DELETE) and segment.slots[n].rec.seq in self.hint
                            and not segment.slots[n].rec.packed]  # fmt: skip
                    want = want or places
                slot = segment.slots[pick(want)]
                self.ruin(segment, slot, number)
            for nth in range(5):
                slot = segment.slots[pick(places)]
                at = chance.randrange((slot.end - slot.at) * 8) if nth else chance.randrange(16, 9 * 8)
                self.flip(segment.data, min(slot.at * 8 + at, slot.end * 8 - 1))
                slot.damage = "bit"

    def only_indexed(self, rec: Rec) -> bool:
        """A record of the removed segment that nothing else than the output and the index knows."""
        name = self.name(rec.key, rec.seq)
        others = any(
            self.name(each.key, each.seq) == name and self.home[each.seq] in (1, 3)
            for each in self.recs[: 3 * PER_SEGMENT]
        )
        return (
            self.home[rec.seq] == REMOVED and rec.seq not in self.good and rec.seq in self.indexed and others
        )

    def ruin(self, segment: Segment, slot: Slot, number: int) -> None:
        chance = self.chance
        style = chance.choice(["body", "body", "both", "end", "run"])
        if number == 6:
            style = chance.choice(["both", "end"] if slot.rec.seq in self.hint else ["both"])
        inside = (slot.end - slot.at - 4) * 8
        if style == "body":  # the checksum that is stored stays right
            for bit in chance.sample(range(inside), 2):
                self.flip(segment.data, slot.at * 8 + bit)
        elif style == "both":
            self.flip(segment.data, slot.at * 8 + chance.randrange(inside))
            self.flip(segment.data, slot.end * 8 - 1 - chance.randrange(32))
        elif style == "end":
            for at in range(slot.end - 9, slot.end):
                segment.data[at] ^= chance.randint(1, 255)
        else:
            for at in range(slot.at + 2, slot.at + 9):
                segment.data[at] ^= chance.randint(1, 255)
        slot.damage = style

    def proven(self) -> None:
        """Which records are proven, and by what."""
        self.how: dict[int, str] = {}
        for number, segment in self.segments.items():
            if number == REMOVED:
                continue
            gone = [each for each in segment.slots if each.counts and each.damage not in ("", "bit")]
            for each in segment.slots:
                seq = each.rec.seq
                if number == ACTIVE and seq >= self.tail:
                    continue
                if not each.counts or each.damage not in ("", "bit"):
                    continue
                if segment.output:
                    self.how.setdefault(seq, "copy")
                else:
                    self.how[seq] = each.damage or "whole"
            if segment.output:
                continue
            for each in gone:  # a stored checksum and a line of a wrong section
                encodable = (
                    each.rec.kind in (PUT, DELETE) and not each.rec.packed and each.rec.seq in self.hint
                )
                if encodable and each.damage in ("body", "run"):
                    self.how[each.rec.seq] = "line"
            left = [each for each in gone if self.how.get(each.rec.seq) != "line"]
            # a record of which the feed or a copy says the same as the checksum that is stored must not matter
            told = self.good | {each.rec.seq for output in (7, 10) for each in self.segments[output].slots}
            open_to_doubt = [
                each for each in left if each.rec.seq not in told or each.damage not in ("body", "run")
            ]
            doubtful = [each for each in open_to_doubt if each.damage == "both" or each.rec.seq in self.hint]
            if segment.sealed and len(left) > 1 and len(open_to_doubt) == 1 and doubtful:
                raise Refused
            if segment.sealed and len(left) == 1:
                each = left[0]
                encodable = (
                    each.rec.kind in (PUT, DELETE) and not each.rec.packed and each.rec.seq in self.hint
                )
                if each.damage == "both":
                    self.how[each.rec.seq] = "footer"
                elif encodable:
                    self.how[each.rec.seq] = "footer and line"
        for seq in sorted(self.good):
            self.how.setdefault(seq, "feed")
        self.batches_by_feed = {self.by_seq[seq].batch for seq in self.good} - {0}
        for batch in self.batches_by_feed:
            self.how.setdefault(batch + self.by_seq[batch].size, "batch")
        self.last = max(self.how)
        if self.by_seq[self.last].kind == COMMIT:
            raise Refused
        copied = {
            each.rec.seq
            for n in (7, 10)
            for each in self.segments[n].slots
            if each.counts and each.damage in ("", "bit")
        }
        self.batches_by_copy = {self.by_seq[seq].batch for seq in copied} - {0}
        removed = range(PER_SEGMENT + 1, 2 * PER_SEGMENT + 1)
        ruined = [each.rec.seq for each in self.segments[7].slots if each.damage not in ("", "bit")]
        self.gone = sorted(
            seq
            for seq in range(1, self.last + 1)
            if seq not in self.how and (seq not in removed or seq in ruined)
        )

    def keys_of_lost(self) -> None:
        """Which keys the lost records had, as far as that is proven."""
        known = {
            self.name(rec.key, rec.seq) for rec in self.recs if rec.seq in self.how and rec.kind != COMMIT
        }
        self.lost: dict[int, str] = {}
        self.why: dict[int, str] = {}
        for seq in sorted(self.how):
            back = self.by_seq[seq].back
            if back in self.gone:
                self.lost[back], self.why[back] = self.name(self.by_seq[seq].key, seq), "back"
        for seq in self.gone:
            rec = self.by_seq[seq]
            name = self.name(rec.key, seq)
            if seq in self.indexed and name in known:
                if self.lost.setdefault(seq, name) != name:
                    raise Refused
                self.why.setdefault(seq, "index")
            elif seq <= 2 * PER_SEGMENT and self.home[seq] == REMOVED:
                raise Refused  # not even its seq is known
        for number, segment in self.segments.items():
            if not segment.sealed or number == REMOVED:
                continue
            missing = [
                each.rec
                for each in segment.slots
                if each.counts and each.rec.seq in self.gone and each.rec.seq not in self.lost
            ]
            if segment.output or segment.version == 1:
                continue
            if len(missing) == 1:
                rec = missing[0]
                name = self.name(rec.key, rec.seq)
                if rec.kind == COMMIT or name not in known:
                    continue
                self.lost[rec.seq], self.why[rec.seq] = name, "footer"
        self.known = known

    def value_known(self, seq: int) -> bool:
        """Whether the whole value of a proven record is known."""
        rec = self.by_seq[seq]
        if seq not in self.how:
            return False
        if rec.kind not in (DELTA, TOUCH):
            return True
        if seq in self.good or any(
            each.rec.seq == seq and each.counts and each.damage in ("", "bit")
            for n in (7, 10)
            for each in self.segments[n].slots
        ):
            return True
        return self.value_known(rec.base)

    def finish(self) -> World:
        chance = self.chance
        now = self.by_seq[self.last].time
        undecided: set[int] = set()
        void: set[int] = set()
        for rec in self.recs:
            if (
                not rec.batch
                or rec.kind == COMMIT
                or rec.batch in self.batches_by_feed | self.batches_by_copy
            ):
                continue
            its = [
                one.seq
                for one in self.recs
                if one.batch == rec.batch and one.seq in self.how and one.kind != COMMIT
            ]
            end = rec.batch + rec.size
            if rec.committed:
                if end in self.how:
                    continue
                undecided.add(rec.seq)
            else:
                # a lost record among or behind a batch that came to nothing would be another question
                if any(seq in self.gone for seq in range(rec.batch, end + 1)):
                    raise Refused
                void.add(rec.seq)
            if rec.committed and its and max(its) + 1 not in self.gone:
                raise Refused
        counted: dict[str, list[int]] = {}
        for rec in self.recs[: self.last]:
            if rec.kind != COMMIT and rec.seq in self.how and rec.seq not in void:
                counted.setdefault(self.name(rec.key, rec.seq), []).append(rec.seq)
        for seq, name in self.lost.items():
            if self.name(self.by_seq[seq].key, seq) != name:
                raise Refused
            counted.setdefault(name, []).append(seq)
        state = []
        tally: dict[str, int] = {}
        for name, seqs in sorted(counted.items()):
            seq = max(seqs)
            rec = self.by_seq[seq]
            said = "live"
            if seq not in self.how or seq in undecided:
                said = "lost"
            elif rec.kind == DELETE:
                said = "deleted"
            elif rec.ttl and rec.time + rec.ttl <= now:
                said = "expired"
            elif not self.value_known(seq):
                said, tally["no base"] = "lost", tally.get("no base", 0) + 1
            if seq in undecided:
                tally["undecided"] = tally.get("undecided", 0) + 1
            tally[said] = tally.get(said, 0) + 1
            state.append(f"{name}\t{said}\t{seq}" + (f"\t{shown(rec.value)}" if said == "live" else ""))
        twice = self.good | {each.rec.seq for number in (7, 10) for each in self.segments[number].slots}
        for seq, how in self.how.items():
            alone = (
                seq not in twice
                if how in ("line", "footer", "footer and line")
                else self.home[seq] != REMOVED
            )
            tally[how] = tally.get(how, 0) + alone
        for why in self.why.values():
            tally[f"by {why}"] = tally.get(f"by {why}", 0) + 1
        tally["?"] = sum(seq not in self.lost for seq in self.gone)
        wanted = {
            "no base": 1, "undecided": 1, "lost": 6, "expired": 5, "bit": 20, "copy": 2, "line": 1, "feed": 5, "batch": 1,
            "by back": 3, "by index": 2, "by footer": 1, "?": 1,
        }  # fmt: skip
        self.tally = tally
        if any(tally.get(name, 0) < count for name, count in wanted.items()):
            raise Refused
        if not tally.get("footer", 0) + tally.get("footer and line", 0):
            raise Refused
        # the end of the active segment, heads, and names of files
        files: dict[str, bytes] = {}
        active = self.segments[ACTIVE]
        slot = active.slot(self.tail)
        del active.data[(slot.at + slot.end) // 2 :]
        self.flip(self.segments[1].data, chance.randrange(32 * 8))
        self.flip(self.segments[6].data, (len(self.segments[6].data) - 32) * 8 + chance.randrange(32 * 8))
        self.segments[8].data[:32] = bytes(32)
        named = {**{number: number for number in self.segments}, 5: 8, 8: 5, 4: 6, 6: 4}
        for number, segment in self.segments.items():
            if number != REMOVED:
                files[f"store/seg-{named[number]:04d}.kst"] = bytes(segment.data)
        manifest = "".join(
            f"segment {number} version {each.version} first {each.first} time {each.time}\n"
            for number, each in sorted(self.segments.items()) if not each.output and number < 10
        )  # fmt: skip
        manifest += "compact 2 3 into 7: begun\ncompact 2 3 into 7: sealed\ncompact 2 3 into 7: removed 2\ncompact 5 6 into 10: begun\n"
        return World(
            {**files, "store/MANIFEST": manifest, "store/index.kix": self.index_data, "replica/feed.txt": self.feed_text},
            state, [f"{seq}\t{self.lost.get(seq, '?')}" for seq in self.gone], tally,
        )  # fmt: skip


def shown(value: bytes) -> str:
    """A value in printable characters."""
    return "".join(chr(each) if 32 <= each < 127 and each != 92 else f"\\x{each:02x}" for each in value)


@cache
def world(seed: int) -> World:
    """Everything about a seed, made once: the first draw that has all that each seed must have."""
    for attempt in range(4000):
        maker = Maker(f"store {seed} {attempt}")
        maker.history()
        maker.pack()
        maker.feed()
        try:
            maker.index()
            maker.spoil()
            maker.proven()
            maker.keys_of_lost()
            return maker.finish()
        except Refused:
            continue
    raise ValueError(f"seed {seed} has no store")


def files_of(seed: int) -> Mapping[str, str | bytes]:
    """The store of a seed and what is written about it."""
    return {
        **world(seed).files,
        **{name: (FOLDER / name).read_text(encoding="utf-8") for name in ("FORMAT.md", "CHANGES.md")},
    }


def judge(seed: int, printed: str) -> tuple[Score, str]:
    """The share of lines that are right."""
    made = world(seed)
    state, _, lost = printed.partition("\n=====\n")
    wrong, total = [], 0
    for name, wanted, said in (("state.tsv", made.state, state), ("lost.tsv", made.lost, lost)):
        found = [line.rstrip("\r\n") for line in said.split("\n") if line.strip()]
        total += len(wanted)
        extra = set(found) - set(wanted)
        wrong += [f"{name} lacks {line[:80]!r}" for line in wanted if line not in set(found)]
        wrong += [f"{name} has {line[:80]!r}" for line in sorted(extra)]
        if not extra and set(found) == set(wanted) and found != list(wanted):
            wrong.append(f"{name} is not in the right order, or says a line twice")
    return Score(max(0.0, 1 - len(wrong) / total), not wrong), "\n".join(wrong[:30])


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), Python()], max_turns=40)
    return work >> SHOW >> TerminalRun(time_limit_s=30) >> PyFunc(partial(judge, seed))
