"""Which runs jobs/, calendars/ and zones/ would make: python3 sched.py FIRST LAST [--seed N] [--job NAME].

FIRST and LAST are days (in UTC, LAST included); --seed decides how long runs take. Each line of the output is
job, date, due, start, end and how it ended; times are in UTC. MANUAL.md says what all of this means.
"""

import hashlib
import heapq
import sys
from datetime import date, datetime, timedelta

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
NAMES = {"mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7}
KEYS = {"when", "zone", "on", "else", "gap", "fold", "weeks", "from", "until", "after", "busy", "lock", "limit", "takes"}


class Bad(Exception):
    """What is wrong with a file."""


def lines_of(text):
    found = (" " + line.strip() for line in text.splitlines())
    return [line.partition(" #")[0].strip() for line in found if line.partition(" #")[0].strip()]


def last_day(year, month):
    return (date(year + month // 12, month % 12 + 1, 1) - DAY).day


def nth_weekday(year, month, weekday, nth):
    """The day of the nth such weekday; nth may be "L"."""
    days = [n for n in range(1, last_day(year, month) + 1) if date(year, month, n).isoweekday() == weekday]
    if nth == "L":
        return days[-1]
    return days[nth - 1] if nth <= len(days) else None


def easter(year):
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def numbers(field, low, high):
    """The numbers of a field such as 1-5,9 or */15; None for a star alone."""
    if field == "*":
        return None
    found = set()
    for part in field.split(","):
        part, _, step = part.partition("/")
        first, _, last = part.partition("-")
        if part == "*":
            first, last = low, high
        elif not last:
            last = high if step else first
        first, last = int(first), int(last)
        if not low <= first <= last <= high:
            raise Bad(f"{field!r} is not within {low} and {high}")
        found.update(range(first, last + 1, int(step or 1)))
    return found


class Days:
    """Day of month, month and weekday, the last three fields of a `when`."""

    def __init__(self, dom, month, dow):
        self.months = numbers(month, 1, 12)
        self.special = [part for part in dom.split(",") if part.startswith("L")]
        plain = ",".join(part for part in dom.split(",") if not part.startswith("L"))
        self.doms = numbers(plain, 1, 31) if plain else set()
        self.nths = [part.split("#") for part in dow.split(",") if "#" in part]
        plain = ",".join(part for part in dow.split(",") if "#" not in part)
        self.dows = numbers(plain, 1, 7) if plain else set()

    def fit(self, day):
        if self.months is not None and day.month not in self.months:
            return False
        by_dom = self.doms is None or day.day in self.doms or any(
            day.day == last_day(day.year, day.month) - int(each[2:] or 0) for each in self.special
        )
        by_dow = self.dows is None or day.isoweekday() in self.dows or any(
            day.day == nth_weekday(day.year, day.month, int(each), "L" if nth == "L" else int(nth)) and day.isoweekday() == int(each)
            for each, nth in self.nths
        )
        if self.doms is not None and self.dows is not None:
            return by_dom or by_dow
        return by_dom and by_dow


class World:
    """All files."""

    def __init__(self, files):
        self.files, self.known, self.turns = files, {}, {}
        self.zones, self.calendars, self.jobs = {}, {}, {}
        for path, text in sorted(files.items()):
            folder, _, name = path.partition("/")
            try:
                if folder == "zones":
                    self.zones[name.removesuffix(".zone")] = zone(text)
                elif folder == "calendars":
                    self.calendars[name.removesuffix(".cal")] = [line.split() for line in lines_of(text)]
                elif folder == "jobs":
                    self.jobs[name.removesuffix(".job")] = job(text)
            except (ValueError, IndexError, KeyError) as error:
                raise Bad(f"{path}: {error}") from None
        self.zones["utc"] = (0, None)

    # calendars

    def has(self, name, day):
        """Whether a calendar has a day."""
        key = name, day.year
        if key not in self.known:
            if name not in self.calendars:
                raise Bad(f"there is no calendar {name}")
            self.known[key] = set()  # of a calendar that needs itself
            self.known[key] = self.days(name, day.year)
        return day in self.known[key]

    def days(self, name, year):
        found = set()
        whole = [date(year, 1, 1) + n * DAY for n in range((date(year + 1, 1, 1) - date(year, 1, 1)).days)]
        for word, *rest in self.calendars[name]:
            minus = word.startswith("-")
            word = word.lstrip("-")
            if word == "date":
                its = {date.fromisoformat(rest[0])}
            elif word == "yearly":
                first, last = rest[0], rest[-1]
                its = {each for each in whole if (first <= f"{each:%m-%d}" <= last if first <= last else not last < f"{each:%m-%d}" < first)}
            elif word == "easter":
                its = {easter(year) + int(rest[0]) * DAY}
            elif word == "days":
                fits = Days(*rest)
                its = {each for each in whole if fits.fit(each)}
            elif word == "all":
                its = {each for each in whole if self.has(rest[0], each)}
            elif word == "shift":
                its = {each for each in whole if self.has(rest[1], each - int(rest[0]) * DAY)}
            elif word == "nth":
                its, count = set(), int(rest[0])
                for month in range(1, 13):
                    those = [each for each in whole if each.month == month and self.has(rest[1], each)]
                    if len(those) >= abs(count):
                        its.add(those[count - 1 if count > 0 else count])
            elif word == "substitute":  # for what lies on a Sunday the next day that is not yet there
                its = set()
                for each in sorted(found):
                    if each.isoweekday() == 7:
                        other = each
                        while other in found | its:
                            other += DAY
                        its.add(other)
            else:
                raise Bad(f"calendar {name}: what is {word}?")
            found = found - its if minus else found | its
        return found

    def allowed(self, names, day):
        return all(not self.has(each[1:], day) if each.startswith("!") else self.has(each, day) for each in names)

    # zones

    def offset(self, name, at):
        """Minutes that a zone is ahead of UTC at a moment."""
        if name not in self.zones:
            raise Bad(f"there is no zone {name}")
        base, summer = self.zones[name]
        if summer is None:
            return base
        plus, first, last = summer
        standard = at + base * MINUTE
        key = name, standard.year
        if key not in self.turns:
            self.turns[key] = moment(standard.year, *first), moment(standard.year, *last)
        begin, end = self.turns[key]
        inside = begin <= standard < end if begin < end else not end <= standard < begin
        return base + plus * inside

    def moments(self, name, local):
        """The moments in UTC at which a zone's clocks show a time."""
        base, summer = self.zones[name] if name in self.zones else (0, None)
        offsets = sorted({base, base + (summer[0] if summer else 0)}, reverse=True)
        return [at for at in (local - each * MINUTE for each in offsets) if self.offset(name, at) == round((local - at) / MINUTE)]

    # jobs

    def due(self, name, first, last):
        """(moment, date) of each run of a job that is due from the day first to the day last in UTC."""
        it = self.jobs[name]
        names = it["on"]
        times = {}
        for hours, minutes, days in it["when"]:
            for number in range((last - first).days + 81):
                day = first + (number - 40) * DAY
                if not days.fit(day) or not self.in_weeks(it, day):
                    continue
                if not self.allowed(names, day):
                    if it["else"] == "drop":
                        continue
                    step = DAY if it["else"] == "after" else -DAY
                    for _ in range(35):
                        day += step
                        if self.allowed(names, day):
                            break
                    else:
                        continue
                if (it["from"] and day < it["from"]) or (it["until"] and day > it["until"]):
                    continue
                for hour in hours:
                    for minute in minutes:
                        local = datetime(day.year, day.month, day.day, hour, minute)
                        those = self.moments(it["zone"], local)
                        if not those and it["gap"] == "shift":
                            while not those:
                                local += MINUTE
                                those = self.moments(it["zone"], local)
                            those = those[:1]
                        if len(those) == 2 and it["fold"] != "both":
                            those = [those[it["fold"] == "second"]]
                        for at in those:
                            times.setdefault(at, day)
        return [(at, day) for at, day in sorted(times.items()) if first <= at.date() <= last]

    def in_weeks(self, it, day):
        if it["weeks"] is None:
            return True
        every, since = it["weeks"]
        monday = since - (since.isoweekday() - 1) * DAY
        return (day - monday).days // 7 % every == 0


def moment(year, nth, weekday, month, clock):
    names = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": "L"}
    hour, minute = clock.split(":")
    return datetime(year, int(month), nth_weekday(year, int(month), NAMES[weekday], names[nth]), int(hour), int(minute))


def zone(text):
    base, summer = 0, None
    for word, *rest in map(str.split, lines_of(text)):
        if word == "offset":
            base = int(rest[0])
        elif word == "summer":  # summer 60 from last sun 3 02:00 to last sun 10 02:00
            summer = int(rest[0]), tuple(rest[2:6]), tuple(rest[7:11])
            moment(2024, *summer[1]), moment(2024, *summer[2])
        else:
            raise Bad(f"what is {word}?")
    return base, summer


def job(text):
    it = {"when": [], "zone": "utc", "on": [], "else": "drop", "gap": "drop", "fold": "both", "weeks": None, "from": None, "until": None,
          "after": [], "busy": "both", "lock": None, "limit": None, "takes": (1, 1)}
    for line in lines_of(text):
        key, sign, value = (part.strip() for part in line.partition("="))
        if not sign or key not in KEYS:
            raise Bad(f"what is {line!r}?")
        if key == "when":
            minute, hour, *days = value.split()
            it["when"].append((sorted(numbers(hour, 0, 23) or range(24)), sorted(numbers(minute, 0, 59) or range(60)), Days(*days)))
        elif key in ("on", "after"):
            it[key] = [each.strip() for each in value.split(",") if each.strip()]
        elif key == "weeks":
            every, _, since = value.partition("/")
            it[key] = int(every), date.fromisoformat(since)
        elif key in ("from", "until"):
            it[key] = date.fromisoformat(value)
        elif key == "limit":
            it[key] = int(value)
        elif key == "takes":
            it[key] = tuple(map(int, value.split("-")))
        else:
            it[key] = value
    for key, values in (("else", ("drop", "before", "after")), ("gap", ("drop", "shift")), ("fold", ("first", "second", "both")),
                        ("busy", ("drop", "wait", "both"))):
        if it[key] not in values:
            raise Bad(f"{key} cannot be {it[key]!r}")
    return it


def simulate(files, first, last, seed, takes=None):
    """All runs from one day to another, as lines. `takes`: how long jobs take, if not as in their files."""
    world = World(files)
    jobs = world.jobs
    queue, dated, last_of = [], {}, {}
    for name in jobs:
        for dep in jobs[name]["after"]:
            if dep not in jobs:
                raise Bad(f"{name}: there is no job {dep}")
        for at, day in world.due(name, first - 2 * DAY, last):
            heapq.heappush(queue, (at, 1, name, day))
            dated.setdefault((name, day), []).append(None)
    over = {}  # job, date -> how its runs of that date ended
    running, waiting, locks, out = {}, [], {}, []
    while queue:
        now = queue[0][0]
        while queue and queue[0][0] == now:
            _, sort, name, info = heapq.heappop(queue)
            if sort == 0:
                day, due, start, end, how = info
                running[name] -= 1
                if jobs[name]["lock"]:
                    locks[jobs[name]["lock"]] = False
                over.setdefault((name, day), []).append(how)
                out.append((due, name, day, start, end, how))
            elif jobs[name]["busy"] == "drop" and (running.get(name) or any(each[1] == name for each in waiting)):
                over.setdefault((name, info), []).append("dropped")
            else:
                heapq.heappush(waiting, (now, name, info))
        again = True
        while again:
            again = False
            for each in sorted(waiting):
                due, name, day = each
                it = jobs[name]
                states = [over.get((dep, day), []) for dep in it["after"] if (dep, day) in dated]
                counts = [len(dated[dep, day]) for dep in it["after"] if (dep, day) in dated]
                ready = all(len(state) == count for state, count in zip(states, counts))
                if ready and any(how not in ("ok", "dropped") for state in states for how in state):
                    waiting.remove(each)
                    over.setdefault((name, day), []).append("left out")
                    again = True
                    break
                if not ready or (it["busy"] == "wait" and running.get(name)) or (it["lock"] and locks.get(it["lock"])):
                    continue
                waiting.remove(each)
                low, high = (takes or {}).get(name) or it["takes"]
                digest = hashlib.sha256(f"{seed} {name} {show(due)}".encode()).digest()
                length = low + int.from_bytes(digest[:4], "big") % (high - low + 1)
                how = "ok"
                if it["limit"] is not None and length > it["limit"]:
                    length, how = it["limit"], "killed"
                running[name] = running.get(name, 0) + 1
                if it["lock"]:
                    locks[it["lock"]] = True
                end = now + length * MINUTE
                heapq.heappush(queue, (end, 0, name, (day, due, now, end, how)))
                again = True
                break
        heapq.heapify(waiting)
    return [
        f"{name} {day} {show(due)} {show(start)} {show(end)} {how}" for due, name, day, start, end, how in sorted(out) if due.date() >= first
    ]


def show(at):
    return at.isoformat(timespec="minutes")


def main():
    from pathlib import Path

    words = sys.argv[1:]
    seed = only = None
    if "--seed" in words:
        at = words.index("--seed")
        seed = words[at + 1]
        del words[at : at + 2]
    if "--job" in words:
        at = words.index("--job")
        only = words[at + 1]
        del words[at : at + 2]
    files = {f"{folder}/{path.name}": path.read_text() for folder in ("zones", "calendars", "jobs") for path in Path(folder).iterdir()}
    for line in simulate(files, date.fromisoformat(words[0]), date.fromisoformat(words[1]), seed or "1"):
        if only in (None, line.split()[0]):
            print(line)


if __name__ == "__main__":
    try:
        main()
    except Bad as error:
        sys.exit(f"sched: {error}")
    except BrokenPipeError:
        pass
