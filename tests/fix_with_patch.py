from evaluator import *

DESCRIPTION = "Can the model fix a bug by a unified diff that patch really applies?"
TAGS = ["code", "python", "patch", "debug"]
REQUIRES = ["patch"]
DETERMINISTIC = True

source = '''"""Room bookings."""

from datetime import date, timedelta


class Calendar:
    def __init__(self):
        self.bookings = []  # (first day, day of departure, guest)

    def is_free(self, start, nights):
        end = start + timedelta(days=nights)
        for first, last, _ in self.bookings:
            if start >= first and end <= last:
                return False
        return True

    def book(self, start, nights, guest):
        if nights < 1:
            raise ValueError("at least one night")
        if not self.is_free(start, nights):
            return False
        self.bookings.append((start, start + timedelta(days=nights), guest))
        return True

    def guests_on(self, day):
        """Who sleeps here in the night that begins on `day`."""
        return [guest for first, last, guest in self.bookings if first <= day <= last]


def parse_day(text):
    year, month, day = text.split("-")
    return date(int(year), int(month), int(day))
'''

question = f"""
bookings.py below has two bugs: a room can be booked twice if the stays overlap only in part, and guests_on still counts
a guest on the day of departure (leaving in the morning, so another guest may arrive that day). Send me a patch, a
unified diff that I apply with `patch bookings.py < fix.patch`. Only the diff, in one code block, and don't touch
anything else.

{source}"""


def save_source():
    with open("bookings.py", "w") as file:
        file.write(source)


check = """patch -f bookings.py < fix.patch && cat > check.py <<'END'
from bookings import Calendar, parse_day as day

c = Calendar()
print([c.book(day("2024-07-10"), 3, "A"), c.book(day("2024-07-13"), 2, "B"), c.book(day("2024-07-08"), 2, "C")])
print([c.is_free(day(d), n) for d, n in [("2024-07-09", 2), ("2024-07-11", 1), ("2024-07-12", 9), ("2024-07-01", 60),
       ("2024-07-10", 3), ("2024-07-15", 1), ("2024-07-07", 1), ("2024-07-14", 1)]])
print([c.guests_on(day(d)) for d in ("2024-07-07", "2024-07-08", "2024-07-10", "2024-07-12", "2024-07-13", "2024-07-15")])
print(len(c.bookings), c.book(day("2024-7-15"), 1, "D"), c.guests_on(day("2024-07-15")))
END
python3 check.py && wc -l < bookings.py"""

expected = """[True, True, True]
[False, False, False, False, False, True, True, False]
[[], ['C'], ['A'], ['A'], ['B'], []]
3 True ['D']
"""


def mostly_unchanged():
    """A patch that writes the whole file anew is not what was asked for."""
    import difflib

    with open("bookings.py") as file:
        changed = difflib.SequenceMatcher(None, source.splitlines(), file.read().splitlines())
    return changed.ratio() > 0.85


TestFixWithPatch = (
    Setup(save_source)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="diff", keep_main=True)
    >> MakeFile("fix.patch")
    >> check
    >> TerminalRun()
    >> (SubstringEvaluator(expected) & PyEvaluator(mostly_unchanged))
)

if __name__ == "__main__":
    print(run_test(TestFixWithPatch))
