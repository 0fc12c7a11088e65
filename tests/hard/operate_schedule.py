"""Jobs of three zones whose schedule does not do what the policy says, in a small scheduler of ours."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

from evaluator import *

from .cases import Cases

DESCRIPTION = (
    "Can an agent mend a schedule so that each run of ten years is the one that the policy asks for?"
)
TAGS = ["hard", "cron", "agent"]
DETERMINISTIC = True

QUESTION = """This folder holds the schedule of a company: jobs/, calendars/ and zones/, read by the scheduler sched.py. MANUAL.md says what the scheduler does, POLICY.md what
must run when. Some jobs ran wrongly, and some are missing; log/2025.log shows what ran in 2025. Change, add or remove files in jobs/, calendars/ and zones/ so that everything runs as
POLICY.md says, in all years from 2024 to 2033. sched.py itself is not yours: the runs of several of these years, with several seeds, are made by its original from your
files and compared with those that are right. You have a shell with Python."""
FOLDER = Path(__file__).parent / "files" / "operate_schedule"
YEARS = ((2024, 11), (2033, 14))
HEAVY = ("sync", "import", "rollup")
RUNNER = (
    "python3 -I -c \"import sys, json; asked = json.load(sys.stdin); space = {'__name__': 'sched'}; "
    "exec(asked['code'], space); space['answer'](asked)\""
)
ANSWER = r'''

def answer(asked):
    """A digest of each job's runs."""
    import json
    from pathlib import Path
    files = {}
    for folder in ("zones", "calendars", "jobs"):
        for path in sorted(Path(folder).iterdir()):
            if path.is_file() and not path.name.startswith("."):
                files[f"{folder}/{path.name}"] = path.read_text()
    print(json.dumps(digests(files, asked)))


def digests(files, asked):
    found = {}
    takes = {name: tuple(both) for name, both in asked["takes"].items()}
    for line in simulate(files, date.fromisoformat(asked["first"]), date.fromisoformat(asked["last"]), asked["seed"], takes):
        name = line.split()[0]
        count, digest = found.get(name, (0, ""))
        found[name] = count + 1, hashlib.sha256((digest + line).encode()).hexdigest()[:20]
    return found
'''


def engine() -> Any:
    """The scheduler as a module."""
    spec = importlib.util.spec_from_loader("sched_of_ours", None)
    assert spec
    module = importlib.util.module_from_spec(spec)
    exec(compile(code(), "sched.py", "exec"), vars(module))
    return module


@cache
def code() -> str:
    """The scheduler with what the judge asks it."""
    return (FOLDER / "sched.py").read_text(encoding="utf-8") + ANSWER


@dataclass
class Job:
    """A job: what the policy says, the lines that do that, and lines that nearly do. `wrong` none: it is right or missing."""

    name: str
    takes: str
    prose: str
    right: str
    wrong: Sequence[str] = ()
    before: str = ""  # what is right but for the exceptions
    missing: bool = False


@dataclass
class Story:
    """Everything about a seed."""

    jobs: Sequence[Job]
    calendars: Mapping[str, str]
    zones: Mapping[str, str]
    broken_calendars: Mapping[str, str]
    broken_zones: Mapping[str, str]
    added: Mapping[str, str]  # calendars of the right state that are not there
    chosen: Mapping[str, str]  # the wrong lines of jobs
    policy: str = ""
    log: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


POLICY = """# What must run

All of this holds for the years 2024 to 2033. A job that is named here must exist under this name, and there must be no other job. `takes` is measured; leave it as it is, and for new jobs write what stands here.

## Clocks and days off

- *north* is an hour ahead of UTC, in summer two: clocks go forward on the last Sunday of March at 2:00 and back on the last Sunday of October, at 3:00 of summer time.
- *south* is ten hours ahead of UTC, in its summer eleven: forward on the first Sunday of October at 2:00, back on the first Sunday of April at 3:00 of summer time.
- *west* is five hours behind UTC, in summer four: forward on the second Sunday of March at 2:00, back on the first Sunday of November at 2:00 of summer time.
- Days off of north: 1 January, Easter Monday, 1 May, Ascension (39 days after Easter Sunday) and the Friday after it, {jubilee}, 25 and 26 December. If one of these falls on a Sunday, the next day that is not a day off already is one, too.
- Days off of west: 1 January, the third Monday of January, the last Monday of May, 4 July, the first Monday of September, the fourth Thursday of November and the day after it, 25 December; and the same rule for Sundays.
- A *working day* of north or west is a Monday to Friday that is not a day off there.
- The *freeze* is from 15 December to {thaw} January, and the last three days of each quarter.

## Jobs

Where a time of day has a place in brackets, it is by the clocks of that place, and so is the day. Where a time of day does not exist on a day, the job does not run; where it exists twice, it runs twice; if nothing else is said.
Of jobs nothing is to be assumed that is not said: they wait for nothing, may run beside each other and beside themselves, and are not killed.

{jobs}

## Exceptions

Days are compared as dates, each by the clocks of its own job.

- No deploy runs on a day on which invoices or payroll runs.
- The fortnight of a Thursday is left out if the board meets in the week of that Thursday (Monday to Sunday), on whatever day the board then really meets.
- On the last working day of north of each year there is neither close nor report.
- On the first working day of west after a day on which returns runs no mail is sent. What is said above of jobs that wait for mail holds then, too.
"""


@cache
def story(seed: int) -> Story:
    """Draws the details of a seed and what is wrong."""
    chance = random.Random(f"schedule {seed}")

    def minute() -> int:
        return chance.choice([5, 10, 15, 25, 35, 40, 50, 55])

    thaw = chance.choice([6, 7])
    jubilee_month, jubilee_day = chance.choice([(6, 17), (9, 12), (10, 3), (8, 15)])
    jubilee = (
        f"{jubilee_day} {('June', 'August', 'September', 'October')[(6, 8, 9, 10).index(jubilee_month)]}"
    )
    m = {
        name: minute()
        for name in (
            "backup",
            "rollup",
            "invoices",
            "payroll",
            "board",
            "fort",
            "close",
            "audit",
            "settle",
            "mail",
            "purge",
        )
    }
    paid, december = chance.choice([(25, 18), (26, 19), (24, 17)])
    second, weekday = chance.choice([(2, 2), (3, 3), (2, 4)])
    ordinal = {2: "second", 3: "third"}[second]
    days = ["", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    anchor = chance.choice(["2024-01-04", "2024-01-11"])
    other = {"2024-01-04": "2024-01-11", "2024-01-11": "2024-01-04"}[anchor]
    nth, nth_word = chance.choice([(3, "third"), (2, "second")])
    span = 8 * 60 + chance.choice([0, 20, 40])
    last = chance.choice(["2027-06-30", "2028-02-29", "2026-12-31"])
    last_wrong = (date.fromisoformat(last) - timedelta(days=1)).isoformat()
    limit = chance.choice([240, 280, 300])
    low, high = second * 7 - 6, second * 7
    hours = chance.choice([(6, 20), (5, 21), (7, 19)])
    jobs = [
        Job("backup", "20-70", f"at 2:{m['backup']:02d} (north) every day; on the day on which that time does not exist in the first minute after the gap, on the day on which it exists twice only at the first of the two.",
            f"when = {m['backup']} 2 * * *\nzone = north\ngap = shift\nfold = first",
            [f"when = {m['backup']} 2 * * *\nzone = north\nfold = first", f"when = {m['backup']} 2 * * *\nzone = north\ngap = shift\nfold = second",
             f"when = {m['backup']} 1 * * *\nzone = utc"]),
        Job("rollup", "3-9", f"at minute {m['rollup']} of every hour that passes in north, so 23 times on the day on which clocks go forward and 25 times when they go back.",
            f"when = {m['rollup']} * * * *\nzone = north",
            [f"when = {m['rollup']} * * * *\nzone = north\ngap = shift\nfold = both", f"when = {m['rollup']} * * * *\nzone = north\nfold = first"]),
        Job("invoices", "30-90", f"at 18:{m['invoices']:02d} (north) on the last working day of north of each month.",
            f"when = {m['invoices']} 18 L * *\nzone = north\non = work-north\nelse = before",
            [f"when = {m['invoices']} 18 L * *\nzone = north\non = work-west\nelse = before", f"when = {m['invoices']} 18 L * *\nzone = north\non = work-north\nelse = after",
             f"when = {m['invoices']} 18 L-1 * *\nzone = north\non = work-north\nelse = before"]),
        Job("payroll", "15-40", f"at 9:{m['payroll']:02d} (north) on the {paid}th of each month, but in December on the {december}th; if that is no working day of north, on the last one before it.",
            f"when = {m['payroll']} 9 {paid} 1-11 *\nwhen = {m['payroll']} 9 {december} 12 *\nzone = north\non = work-north\nelse = before",
            [f"when = {m['payroll']} 9 {paid} * *\nwhen = {m['payroll']} 9 {december} 12 *\nzone = north\non = work-north\nelse = before",
             f"when = {m['payroll']} 9 {paid} 1-11 1-5\nwhen = {m['payroll']} 9 {december} 12 *\nzone = north\non = work-north\nelse = before"]),
        Job("board", "5-15", f"at 10:{m['board']:02d} (north) on the {ordinal} {days[weekday]} of each month, or, if that is no working day of north, on the next one.",
            f"when = {m['board']} 10 * * {weekday}#{second}\nzone = north\non = work-north\nelse = after",
            [f"when = {m['board']} 10 {low}-{high} * {weekday}\nzone = north\non = work-north\nelse = after", f"when = {m['board']} 10 * * {weekday}#{second}\nzone = north\non = work-north"]),
        Job("fortnight", "10-20", f"at 16:{m['fort']:02d} (north) every second Thursday, counted from {anchor} without regard to years; if that is a day off of north, on the last working day before it.",
            f"when = {m['fort']} 16 * * 4\nweeks = 2/{anchor}\nzone = north\non = work-north\nelse = before",
            [f"when = {m['fort']} 16 * * 4\nweeks = 2/{other}\nzone = north\non = work-north\nelse = before",
             f"when = {m['fort']} 16 * * 4#1,4#3\nzone = north\non = work-north\nelse = before", f"when = {m['fort']} 16 * * 4\nweeks = 2/{anchor}\nzone = north\non = work-north"]),
        Job("purge", "40-80", f"at 12:{m['purge']:02d} UTC on the last day of February, and on the last day but two of every other month.",
            f"when = {m['purge']} 12 L 2 *\nwhen = {m['purge']} 12 L-2 1,3-12 *",
            [f"when = {m['purge']} 12 28 2 *\nwhen = {m['purge']} 12 L-2 1,3-12 *", f"when = {m['purge']} 12 28,29 2 *\nwhen = {m['purge']} 12 L-2 1,3-12 *",
             f"when = {m['purge']} 12 L 2 *\nwhen = {m['purge']} 12 L-3 1,3-12 *"]),
        Job("settle", "5-30", f"at 2:{m['settle']:02d} (south) every day.", f"when = {m['settle']} 2 * * *\nzone = south",
            [f"when = {m['settle']} 2 * * *\nzone = south\ngap = shift", f"when = {m['settle']} 16 * * *\nzone = utc"]),
        Job("close", "5-45", f"at 23:{m['close']:02d} (north) on working days of north.", f"when = {m['close']} 23 * * *\nzone = north\non = work-north",
            [f"when = {m['close']} 23 * * 1-5\nzone = north"]),
        Job("report", "10-12", "at 23:58 (north) on working days of north; it waits for the close of the same day.", "when = 58 23 * * *\nzone = north\non = work-north\nafter = close",
            ["when = 58 23 * * *\nzone = north\non = work-north", "when = 28 0 * * *\nzone = north\non = work-north\nafter = close"]),
        Job("audit", "60-90", f"at 8:{m['audit']:02d} (north) on the first working day of north of each quarter.",
            f"when = {m['audit']} 8 1 1,4,7,10 *\nzone = north\non = work-north\nelse = after",
            [f"when = {m['audit']} 8 1 */3 *\nzone = north\non = work-north\nelse = after".replace("*/3", "1-12/3") + "\nuntil = 2027-12-31",
             f"when = {m['audit']} 8 1 3,6,9,12 *\nzone = north\non = work-north\nelse = after", f"when = {m['audit']} 8 1-3 1,4,7,10 1\nzone = north\non = work-north"]),
        Job("sync", "4-31", f"every 20 minutes from {hours[0]}:00 to {hours[1]}:40 UTC; one that is due while the one before it is still running is dropped.",
            f"when = */20 {hours[0]}-{hours[1]} * * *\nbusy = drop", [f"when = */20 {hours[0]}-{hours[1]} * * *\nbusy = wait", f"when = */20 {hours[0]}-{hours[1]} * * *",
            f"when = */20 {hours[0]}-{hours[1] + 1} * * *\nbusy = drop"]),
        Job("import", "2-5", "every 45 minutes, counted from midnight UTC.", "when = 0,45 */3 * * *\nwhen = 30 1-23/3 * * *\nwhen = 15 2-23/3 * * *", ["when = */45 * * * *"]),
        Job("reindex", "10-90", "at 1:00 (west) on Sundays; reindex, scrub and vacuum use the same disk: only one of them at a time, in the order in which they are due.",
            "when = 0 1 * * 7\nzone = west\nlock = disk"),
        Job("scrub", "10-90", "at 1:10 (west) on Sundays.", "when = 10 1 * * 7\nzone = west\nlock = disk", ["when = 10 1 * * 7\nzone = west\nlock = disc", "when = 10 1 * * 7\nzone = west\nafter = reindex\nlock = disk"]),
        Job("vacuum", "10-60", "at 1:05 (west) on the first Sunday of each month, and on the first day of each month.",
            "when = 5 1 1 * 7#1\nzone = west\nlock = disk", ["when = 5 1 1-7 * 7\nzone = west\nlock = disk"]),
        Job("deploy", "15-50", "at 14:00 (west) on Mondays to Thursdays that are working days of west and not in the freeze.",
            "when = 0 14 * * 1-4\nzone = west\non = work-west, !freeze", ["when = 0 14 * * 1-4\nzone = west\non = work-west", "when = 0 14 * * 1-4\nzone = west\non = work-west, !freeze\nelse = after"]),
        Job("mail", "5-75", "on working days of west, at the time of day (west) at which it ran until 30 June 2025.",
            f"when = {m['mail']} 9 * * *\nzone = west\non = work-west", [f"when = {m['mail']} 13 * * *\non = work-west"]),
        Job("digest", "5-10", "at 10:00 (west) on Fridays; it waits for the mail of the same day, and does not run on a day without mail.",
            "when = 0 10 * * 5\nzone = west\non = work-west\nafter = mail", ["when = 0 10 * * 5\nzone = west\nafter = mail", "when = 0 10 * * 5\nzone = west\non = work-west"]),
        Job("ping", "1-2", f"at noon (south) every day, from 2025-02-10 to {last}, both included.", f"when = 0 12 * * *\nzone = south\nfrom = 2025-02-10\nuntil = {last}",
            [f"when = 0 12 * * *\nzone = south\nfrom = 2025-02-10\nuntil = {last_wrong}", f"when = 0 12 * * *\nzone = south\nfrom = 2025-02-11\nuntil = {last}"]),
        Job("sweep", "30-60", "at 22:00 UTC on the last Friday of each month.", "when = 0 22 * * 5#L", ["when = 0 22 * * 5#4", "when = 0 22 L-6 * *"]),
        Job("crunch", "60-400", f"at 20:00 (north) on Saturdays; it is killed after {limit} minutes.", f"when = 0 20 * * 6\nzone = north\nlimit = {limit}",
            [f"when = 0 20 * * 6\nzone = north\nlimit = {limit - 200}", "when = 0 20 * * 6\nzone = north"]),
        Job("publish", "5-10", "at 20:05 (north) on Saturdays, as soon as the crunch of that day has ended; not if that was killed.",
            "when = 5 20 * * 6\nzone = north\nafter = crunch", ["when = 5 20 * * 6\nzone = north\nlock = crunch"]),
        Job("forecast", "10-30", "takes 10-30; at 17:00 (north) on the last working day of north but one of each month.", "when = 0 17 * * *\nzone = north\non = last-but-one", missing=True),
        Job("returns", "20-40", f"takes 20-40; at 11:00 (west) on the {nth_word} working day of west of each month; if that lies in the freeze, on the first working day of west after it that does not.",
            "when = 0 11 * * *\nzone = west\non = returns", missing=True),
        Job("expiry", "5-10", "takes 5-10; at 7:00 (north) on the Monday after the third Friday of each month, or, if that is a day off of north, on the next working day of north.",
            "when = 0 7 * * *\nzone = north\non = expiry", missing=True),
        Job("patrol", "100-1800", f"takes 100-1800; at {span // 60}:{span % 60:02d} (south) every day. At most one runs at a time: one that is due while another is running waits for its end, and so does one that is due while another waits.",
            f"when = {span % 60} {span // 60} * * *\nzone = south\nbusy = wait", missing=True),
    ]  # fmt: skip
    sunday = "substitute\n"
    north = [
        "yearly 01-01",
        "easter 1",
        "yearly 05-01",
        "easter 39",
        "easter 40",
        f"yearly {jubilee_month:02d}-{jubilee_day:02d}",
        "yearly 12-25",
        "yearly 12-26",
    ]
    west = [
        "yearly 01-01",
        "days * 1 1#3",
        "days * 5 1#L",
        "yearly 07-04",
        "days * 9 1#1",
        "all thanks",
        "shift 1 thanks",
        "yearly 12-25",
    ]
    freeze = f"yearly 12-15 01-{thaw:02d}\ndays L,L-1,L-2 3,6,9,12 *\n"
    calendars = {
        "off-north": "\n".join(north) + "\n" + sunday, "off-west": "\n".join(west) + "\n" + sunday, "thanks": "days * 11 4#4\n",
        "work-north": "days * * 1-5\n-all off-north\n", "work-west": "days * * 1-5\n-all off-west\n", "freeze": freeze,
    }  # fmt: skip
    broken = {
        "off-north": chance.choice([
            "\n".join([*north[:-2], "substitute", *north[-2:]]) + "\n", "\n".join(north) + "\n",
            "\n".join(["date 2024-04-01", "date 2025-04-21", "date 2026-04-06", *(one for one in north if one != "easter 1")]) + "\n" + sunday,
        ]),
        "off-west": chance.choice([
            "\n".join(one if one != "shift 1 thanks" else "days * 11 5#4" for one in west) + "\n" + sunday,
            "\n".join(one if one != "days * 5 1#L" else "days * 5 1#4" for one in west) + "\n" + sunday,
            "\n".join(["substitute", *west]) + "\n",
        ]),
        "freeze": chance.choice([
            f"yearly 12-15 12-31\nyearly 01-01 01-{thaw - 1:02d}\ndays L,L-1,L-2 3,6,9,12 *\n", f"yearly 12-15 01-{thaw:02d}\ndays L,L-1,L-2,L-3 3,6,9,12 *\n",
            f"yearly 12-15 01-{thaw:02d}\ndays 29,30,31 3,6,9,12 *\n",
        ]),
    }  # fmt: skip
    zones = {
        "north": "offset 60\nsummer 60 from last sun 3 02:00 to last sun 10 02:00\n", "south": "offset 600\nsummer 60 from first sun 10 02:00 to first sun 4 02:00\n",
        "west": "offset -300\nsummer 60 from second sun 3 02:00 to first sun 11 01:00\n",
    }  # fmt: skip
    broken_zones = dict([chance.choice([
        ("west", "offset -300\nsummer 60 from second sun 3 02:00 to last sun 10 01:00\n"), ("west", "offset -300\nsummer 60 from second sun 3 02:00 to first sun 11 02:00\n"),
        ("south", "offset 600\nsummer 60 from first sun 10 02:00 to first sun 4 03:00\n"), ("south", "offset 600\nsummer 60 from first sun 10 02:00 to last sun 3 02:00\n"),
    ])])  # fmt: skip
    added = {
        "last-but-one": "nth -2 work-north\n",
        "january": "all work-west\n-all freeze\n-yearly 02-01 12-31\n",
        "returns": f"nth {nth} work-west\n-yearly 01-01 01-31\nnth 1 january\n",
        "fridays": "days * * 5#3\n", "mondays": "shift 3 fridays\n", "late": "all mondays\n-all work-north\n",
        "expiry": "all mondays\n-all late\nshift 1 late\n",
    }  # fmt: skip
    can = [each for each in jobs if each.wrong and each.name != "mail"]
    chosen = {each.name: chance.choice(list(each.wrong)) for each in chance.sample(can, 11)}
    chosen["mail"] = next(iter(next(each for each in jobs if each.name == "mail").wrong))
    order = list(jobs)
    chance.shuffle(order)
    told = Story(
        jobs,
        calendars,
        zones,
        {name: broken[name] for name in chance.sample(sorted(broken), 2)},
        broken_zones,
        added,
        chosen,
    )
    told.policy = POLICY.format(
        jubilee=jubilee, thaw=thaw, jobs="\n".join(f"- **{each.name}**: {each.prose}" for each in order)
    )
    except_days(told)
    found = {
        f"jobs/{each.name}.job": f"{chosen.get(each.name, each.before or each.right)}\ntakes = {each.takes}\n"
        for each in jobs
        if not each.missing
    }
    found |= {
        f"calendars/{name}.cal": told.broken_calendars.get(name, text) for name, text in calendars.items()
    }
    found |= {f"zones/{name}.zone": broken_zones.get(name, text) for name, text in zones.items()}
    found["jobs/cleanup.job"] = "when = 0 3 * * *\ntakes = 5-9\n"  # nobody asks for it
    module = engine()
    past = right_files_of(told) | {"jobs/cleanup.job": found["jobs/cleanup.job"]}
    lines = []
    for files, first, final, only in (
        (found, date(2025, 1, 1), date(2025, 12, 31), None),
        (past, date(2025, 1, 1), date(2025, 6, 30), "mail"),
    ):
        some = {
            path: text for path, text in files.items() if path not in [f"jobs/{name}.job" for name in HEAVY]
        }
        for line in module.simulate(some, first, final, "2025"):
            name, due = line.split()[0], line.split()[2]
            if only in (None, name) and not (only is None and name == "mail" and due < "2025-07-01"):
                lines.append(line)
    told.log = "\n".join(sorted(lines, key=lambda line: line.split()[3])) + "\n"
    told.files = found
    return told


def except_days(told: Story) -> None:
    """Adds the exceptions to the jobs that they concern, as calendars with every date."""
    world = engine().World(right_files_of(told))
    first, last = date(2023, 10, 1), date(2034, 3, 31)
    days = {
        name: {day for _, day in world.due(name, first, last)}
        for name in ("invoices", "payroll", "board", "returns")
    }
    jobs = {each.name: each for each in told.jobs}
    one = timedelta(days=1)

    def until(day: date, calendar: str, step: timedelta) -> date:
        while not world.has(calendar, day):
            day += step
        return day

    met = {day.isocalendar()[:2] for day in days["board"]}
    anchor = date.fromisoformat(
        next(line for line in jobs["fortnight"].right.splitlines() if line.startswith("weeks"))[-10:]
    )
    thursdays = [anchor + timedelta(weeks=2 * number) for number in range(-6, 270)]
    kept = [day for day in thursdays if day.isocalendar()[:2] not in met]
    dates = {
        "fortnights": {until(day, "work-north", -one) for day in kept},
        "pay-days": days["invoices"] | days["payroll"],
        "year-ends": {until(date(year, 12, 31), "work-north", -one) for year in range(2023, 2035)},
        "no-mail": {until(day + one, "work-west", one) for day in days["returns"]},
    }
    told.added = {
        **told.added,
        **{name: "".join(f"date {day}\n" for day in sorted(those)) for name, those in dates.items()},
    }
    changes = {
        "deploy": "!freeze, !pay-days",
        "close": "work-north, !year-ends",
        "report": "work-north, !year-ends",
        "mail": "work-west, !no-mail",
        "digest": "work-west, !no-mail",
    }
    for name, new in changes.items():
        each = jobs[name]
        each.before, old = each.right, new.partition(",")[0]
        each.right = each.right.replace(old, new)
    each = jobs["fortnight"]
    each.before = each.right
    each.right = "\n".join([each.right.splitlines()[0][:-1] + "*", "zone = north", "on = fortnights"])


def right_files_of(told: Story) -> dict[str, str]:
    """Files that do what the policy says."""
    files = {f"jobs/{each.name}.job": f"{each.right}\ntakes = {each.takes}\n" for each in told.jobs}
    files |= {f"calendars/{name}.cal": text for name, text in {**told.calendars, **told.added}.items()}
    return files | {f"zones/{name}.zone": text for name, text in told.zones.items()}


def files_of(seed: int) -> Mapping[str, str]:
    """The folder as the agent finds it."""
    told = story(seed)
    own = {name: (FOLDER / name).read_text(encoding="utf-8") for name in ("MANUAL.md", "sched.py")}
    return {**told.files, **own, "POLICY.md": told.policy, "log/2025.log": told.log}


def agree(printed: str, expected: Any) -> float:
    """The share of jobs with exactly the right runs; one too many counts like a wrong one."""
    try:
        said, wanted = json.loads(printed), json.loads(expected)
    except ValueError:
        return 0.0
    if not isinstance(said, dict):
        return 0.0
    names = set(said) | set(wanted)
    return float(sum(said.get(name) == wanted.get(name) for name in names) / len(names))


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """What the scheduler is asked for years, and the digests of each job's runs."""
    told, module = story(seed), engine()
    takes = {each.name: [int(part) for part in each.takes.split("-")] for each in told.jobs}
    found = []
    for year, number in YEARS:
        asked = {
            "first": f"{year}-01-01",
            "last": f"{year}-12-31",
            "seed": f"{seed} {number}",
            "takes": takes,
        }
        wanted = module.digests(right_files_of(told), asked)
        found.append((json.dumps({**asked, "code": code()}), json.dumps(wanted)))
    return found


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=40)
    return work >> Cases(
        RUNNER,
        partial(cases, seed),
        files=["jobs", "calendars", "zones"],
        agrees=agree,
        case_limit_s=60,
        time_limit_s=400,
    )
