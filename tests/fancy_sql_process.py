from evaluator import *

DESCRIPTION = "Can the model write an SQL script that finds everyone's longest run of days?"
TAGS = ["code", "sql", "data"]
DETERMINISTIC = True

question = """
We use sqlite (3.40) and I need an SQL script that our cron job runs every night. These are our tables:

create table members (id integer primary key, name text not null, joined text not null, left text);
create table visits (member_id integer not null, at text not null, door text);

joined and left are days like 2024-03-01, left is null for those who still are members. at is like 2024-03-01 18:05:00,
one row for each time somebody goes through a door, so there can be several on one day.

The script has to make a table streaks (name, first_day, last_day, days): for each member the longest run of days in a
row with at least one visit on each. If there are several of that length, the latest of them. Visits before the day they
joined or after the day they left don't count (the two days themselves do). Members without any visit that counts have
NULL, NULL and 0. There may be a streaks table from yesterday, which has to be replaced.
"""


def make_gym():
    import sqlite3

    database = sqlite3.connect("database.db")
    database.executescript(
        """
        create table members (id integer primary key, name text not null, joined text not null, left text);
        create table visits (member_id integer not null, at text not null, door text);
        create table streaks (name, first_day, last_day, days);
        insert into streaks values ('yesterday', '2020-01-01', '2020-01-02', 2);
        insert into members values
            (1, 'Ada', '2023-01-01', null), (2, 'Bo', '2024-02-28', '2024-03-02'), (3, 'Cy', '2024-01-01', null),
            (4, 'Di', '2024-01-01', '2024-01-05'), (5, 'Bo', '2023-12-01', null), (6, 'Ed', '2024-06-01', null),
            (7, 'Flo', '2023-01-01', '2023-06-30'), (9, 'Gus', '2023-10-01', null);
        """
    )
    days = {
        1: "2023-12-30 2023-12-31 2023-12-31 2024-01-01 2024-01-03 2024-05-01 2024-05-02 2024-05-03",
        2: "2024-02-26 2024-02-27 2024-02-28 2024-02-29 2024-03-01 2024-03-02 2024-03-03",
        3: "2024-04-30 2024-04-30 2024-04-30 2024-05-02 2024-05-04",
        5: "2023-02-28 2023-12-31 2024-01-02 2024-01-02 2024-01-01 2024-01-03 2024-02-01",
        6: "2024-05-30 2024-05-31",
        7: "2023-02-27 2023-02-28 2023-03-01 2023-06-29 2023-06-30 2023-07-01 2023-07-02",
        8: "2024-01-01 2024-01-02 2024-01-03 2024-01-04 2024-01-05",
        9: "2023-10-28 2023-10-29 2023-10-30 2024-03-29 2024-03-30 2024-03-31 2024-04-01",
    }
    for member, text in days.items():
        for i, day in enumerate(text.split()):
            clock = ("00:00:00", "23:59:59", "12:30:00")[i % 3]
            database.execute("insert into visits values (?, ?, ?)", (member, f"{day} {clock}", "north"))
    database.commit()


expected = [
    ("Ada", "2024-05-01", "2024-05-03", 3),
    ("Bo", "2023-12-31", "2024-01-03", 4),
    ("Bo", "2024-02-28", "2024-03-02", 4),
    ("Cy", "2024-05-04", "2024-05-04", 1),
    ("Di", None, None, 0),
    ("Ed", None, None, 0),
    ("Flo", "2023-02-27", "2023-03-01", 3),
    ("Gus", "2024-03-29", "2024-04-01", 4),
]


def has_the_streaks():
    import sqlite3

    database = sqlite3.connect("database.db")
    rows = database.execute("select name, first_day, last_day, days from streaks").fetchall()
    visits = database.execute("select count(*) from visits").fetchone()[0]
    rows.sort(key=lambda row: (row[0], row[1] or ""))
    return rows == expected and visits == 48, f"{visits} visits, {rows}"


TestFancySQLProcess = (
    Setup(make_gym)
    >> question
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="sql")
    >> SQLRun()
    >> PyEvaluator(has_the_streaks)
)

if __name__ == "__main__":
    print(run_test(TestFancySQLProcess))
