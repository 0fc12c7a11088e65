from evaluator import *

DESCRIPTION = "Can the model write SQL that makes tables with constraints that hold, and fills them?"
TAGS = ["code", "sql"]
DETERMINISTIC = True

question = """
Give me the SQL for a new sqlite database, one script that I can pipe into sqlite3.

Tables: trails (id, name, km) and hikes (id, trail_id, day, minutes). Ids number themselves. Names of trails are
required and unique, whether in capitals or not. km is required, more than 0. A hike belongs to a trail that exists, and when
a trail is deleted its hikes go too (I do switch foreign keys on in my program). day is text like 2024-06-30, required (you
needn't check that there is such a day), minutes a whole number, may be unknown but not negative. The same trail at most once a day.

Fill in: Ridge Loop 12.5 km, hiked on 2024-05-04 in 190 minutes and on 2024-06-16 in 175; Lake Path 4 km, never hiked;
Bear's Tooth 18.2 km, hiked on 2024-06-16, I forgot the time. And a view trail_stats with name, hikes (how many) and
best (fewest minutes, NULL if there are none), for every trail, ordered by name.
"""


def tables_are_right():
    import sqlite3

    database = sqlite3.connect("database.db")
    database.execute("PRAGMA foreign_keys = ON")

    def fails(statement):
        try:
            database.execute(statement)
        except sqlite3.IntegrityError:
            return True
        return False

    def all_of(statement):
        return database.execute(statement).fetchall()

    stats = all_of("SELECT name, hikes, best FROM trail_stats")
    joined = (
        "SELECT name, km, day, minutes FROM trails LEFT JOIN hikes ON trails.id = trail_id ORDER BY name, day"
    )
    checks = {
        "stats": stats == [("Bear's Tooth", 1, None), ("Lake Path", 0, None), ("Ridge Loop", 2, 175)],
        "rows": all_of(joined)
        == [
            ("Bear's Tooth", 18.2, "2024-06-16", None),
            ("Lake Path", 4, None, None),
            ("Ridge Loop", 12.5, "2024-05-04", 190),
            ("Ridge Loop", 12.5, "2024-06-16", 175),
        ],
        "name required": fails("INSERT INTO trails (name, km) VALUES (NULL, 3)"),
        "name unique": fails("INSERT INTO trails (name, km) VALUES ('Lake Path', 3)"),
        "whatever the case": fails("INSERT INTO trails (name, km) VALUES ('lake PATH', 3)"),
        "km positive": fails("INSERT INTO trails (name, km) VALUES ('Flat', 0)"),
        "trail exists": fails("INSERT INTO hikes (trail_id, day) VALUES (999, '2024-01-01')"),
        "day required": fails("INSERT INTO hikes (trail_id, day) SELECT id, NULL FROM trails"),
        "minutes": fails(
            "INSERT INTO hikes (trail_id, day, minutes) SELECT id, '2020-01-01', -1 FROM trails"
        ),
        "once a day": fails("INSERT INTO hikes (trail_id, day) SELECT trail_id, day FROM hikes"),
    }
    database.execute("INSERT INTO trails (name, km) VALUES ('Mill Walk', 0.5)")
    database.execute(
        "INSERT INTO hikes (trail_id, day, minutes) SELECT id, '2024-06-16', 0 FROM trails WHERE km < 1"
    )
    checks["new rows"] = all_of("SELECT * FROM trail_stats")[2] == ("Mill Walk", 1, 0)
    database.execute("DELETE FROM trails WHERE name = 'Ridge Loop'")
    checks["cascade"] = all_of("SELECT count(*) FROM hikes") == [(2,)]
    return all(checks.values()), "not right: " + ", ".join(name for name, good in checks.items() if not good)


TestMakeSQLiteTable = (
    question
    >> LLMRun()
    >> ExtractCode(lang="sql", keep_main=True)
    >> SQLRun()
    >> PyEvaluator(tables_are_right)
)

if __name__ == "__main__":
    print(run_test(TestMakeSQLiteTable))
