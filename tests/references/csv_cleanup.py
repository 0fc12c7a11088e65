def nothing(messages):
    return ""


SCRIPT = r"""```python
import csv
import re
from datetime import date

FORMS = [
    (r"(\d{4})-(\d{1,2})-(\d{1,2})", lambda a, b, c: (a, b, c)),
    (r"(\d{1,2})\.(\d{1,2})\.(\d{4})", lambda a, b, c: (c, b, a)),
    (r"(\d{1,2})/(\d{1,2})/(\d{4})", lambda a, b, c: (c, a, b)),
]


def parse_date(text):
    for pattern, order in FORMS:
        match = re.fullmatch(pattern, text.strip())
        if match:
            return date(*map(int, order(*match.groups())))
    raise ValueError(text)


kept = {}
total = 0
with open("members.csv", encoding="utf-8-sig", newline="") as file:
    reader = csv.reader(file)
    header = [cell.strip().lower() for cell in next(reader)]
    for cells in reader:
        if not cells:
            continue
        total += 1
        row = dict(zip(header, cells))
        email = row["email"].strip().lower()
        if not re.fullmatch(r"[^@]+@[^@]+", email):
            continue
        try:
            since = parse_date(row["since"])
        except ValueError:
            continue
        paid = float(row["paid"].strip().lstrip("$").replace(",", "") or 0)
        if email not in kept or since > kept[email][2]:
            kept[email] = (" ".join(row["name"].split()), email, since, f"{paid:.2f}")

rows = sorted(kept.values(), key=lambda row: (row[0].lower(), row[1]))
with open("clean.csv", "w", encoding="utf-8", newline="") as file:
    writer = csv.writer(file, delimiter=";")
    writer.writerow(["name", "email", "since", "paid"])
    writer.writerows(rows)
print(f"{total - len(rows)} dropped")
```"""

RIGHT = {
    "TestCSVCleanup": [
        SCRIPT,
        r"""```python
#!/usr/bin/env python3
import csv
from datetime import datetime
from decimal import Decimal


def day(text):
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y"):
        try:
            return datetime.strptime(text.strip(), form).strftime("%Y-%m-%d")
        except ValueError:
            pass


def main():
    with open("members.csv", encoding="utf-8-sig") as f:
        lines = list(csv.DictReader(f, skipinitialspace=True))
    best = {}
    for line in lines:
        line = {k.strip().lower(): v for k, v in line.items()}
        mail = line["email"].strip().lower()
        local, at, host = mail.partition("@")
        since = day(line["since"])
        if not (local and host) or "@" in host or since is None:
            continue
        paid = Decimal(line["paid"].replace("$", "").replace(",", "").strip() or "0")
        entry = {"name": " ".join(line["name"].split()), "email": mail, "since": since, "paid": format(paid, ".2f")}
        if mail in best and best[mail]["since"] >= since:
            continue
        best[mail] = entry
    with open("clean.csv", "w", encoding="utf-8") as f:
        out = csv.DictWriter(f, ["name", "email", "since", "paid"], delimiter=";", lineterminator="\n")
        out.writeheader()
        for entry in sorted(best.values(), key=lambda e: (e["name"].casefold(), e["email"])):
            out.writerow(entry)
    print(len(lines) - len(best), "dropped")


if __name__ == "__main__":
    main()
```""",
    ]
}

WRONG = {
    "TestCSVCleanup": [
        nothing,
        SCRIPT.replace('encoding="utf-8-sig"', 'encoding="utf-8"').replace(
            "cell.strip()", 'cell.strip().strip("\\ufeff")'
        ),
        SCRIPT.replace("since > kept", "since >= kept"),  # of equal ones the last
        SCRIPT.replace("lambda a, b, c: (c, a, b)", "lambda a, b, c: (c, b, a)"),  # not the american way
        SCRIPT.replace("row[0].lower()", "row[0]"),
        SCRIPT.replace('delimiter=";"', 'delimiter=","'),
        "```python\n# makes a tidy clean.csv\nprint('8 dropped')\n```",
    ]
}
