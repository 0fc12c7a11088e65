from evaluator import *

DESCRIPTION = "Can the model rewrite a slow query so that it uses the index, and returns the same rows?"
TAGS = ["sql", "performance"]
DETERMINISTIC = True

schema = """CREATE TABLE sensors (id INTEGER PRIMARY KEY, name TEXT, room TEXT);
CREATE TABLE readings (id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL, taken TEXT NOT NULL, value REAL,
                       UNIQUE (sensor, taken));
"""

slow = """SELECT s.name,
       (SELECT count(*) FROM readings r
         WHERE r.sensor = s.id AND substr(r.taken, 1, 7) = '2024-03') AS n,
       (SELECT r.value FROM readings r
         WHERE r.sensor = s.id AND substr(r.taken, 1, 7) = '2024-03'
           AND NOT EXISTS (SELECT 1 FROM readings later
                            WHERE later.sensor = r.sensor AND substr(later.taken, 1, 7) = '2024-03'
                              AND later.taken > r.taken)) AS latest
  FROM sensors s
 WHERE lower(s.room) = 'attic'
 ORDER BY s.name, s.id;
"""

question = f"""
This query on our sqlite database takes ages: readings has years of data of every sensor, sensors is small. taken is always
like 2024-03-09 17:45:00. Can you rewrite it so that it only touches the readings of that March, by the index which the UNIQUE
gives us? I can't change the tables or add indexes. It must return exactly the same rows in the same order. One statement
please, sqlite 3.40.

{schema}
{slow}"""


def fast_and_equal(query):
    import sqlite3

    def database(fill):
        base = sqlite3.connect(":memory:")
        base.executescript(schema)
        fill(base, random.Random(3))
        return base

    def fill_small(base, rng):
        rooms = ["attic", "Attic", "ATTIC", "attic ", "cellar", None, "attic"]
        for number, room in enumerate(rooms * 3, 1):
            base.execute(
                "INSERT INTO sensors VALUES (?, ?, ?)", (number, rng.choice(["b", "a", "c", None]), room)
            )
        edges = ["2024-02-29 23:59:59", "2024-03-01 00:00:00", "2024-03-31 00:00:00", "2024-03-31 23:59:59"]
        edges += ["2024-04-01 00:00:00", "2023-03-15 12:00:00", "2024-03-15 12:00:00", "2025-03-01 00:00:00"]
        for number in range(1, 24):
            for taken in edges:
                if rng.random() < 0.55:
                    value = rng.choice([None, 1.5, -2.0, 0.0, 30.25])
                    base.execute(
                        "INSERT INTO readings (sensor, taken, value) VALUES (?, ?, ?)", (number, taken, value)
                    )

    def fill_large(base, rng):
        for number in range(1, 41):
            base.execute(
                "INSERT INTO sensors VALUES (?, ?, ?)",
                (number, f"s{number % 7}", ["attic", "hall"][number % 2]),
            )
            days = [
                f"{year}-{month:02d}-{day:02d} 06:00:00"
                for year in range(2018, 2026)
                for month in range(1, 13)
                for day in range(1, 29, 3)
            ]
            base.executemany(
                "INSERT INTO readings (sensor, taken, value) VALUES (?, ?, ?)",
                [(number, taken, rng.random()) for taken in days],
            )

    small, large = database(fill_small), database(fill_large)
    for base in (small, large):
        wanted, got = base.execute(slow).fetchall(), base.execute(query).fetchall()
        if got != wanted:
            different = [pair for pair in zip(got, wanted, strict=False) if pair[0] != pair[1]][:3]
            return False, f"{len(got)} rows instead of {len(wanted)}; got and wanted: {different}"

    plan = [row[3] for row in large.execute("EXPLAIN QUERY PLAN " + query)]
    keywords = "on|where|join|left|inner|cross|group|order|using|natural|limit|union|indexed|as"
    names = {"readings", *re.findall(rf"(?i)\breadings\s+(?:as\s+)?(?!(?:{keywords})\b)(\w+)", query)}
    touching = [line for line in plan if line.split()[1:2] and line.split()[1] in names]
    slow_steps = [line for line in touching if "(sensor=? AND taken" not in line]

    def work(text):
        ticks = []
        large.set_progress_handler(lambda: ticks.append(1), 100)
        large.execute(text).fetchall()
        large.set_progress_handler(None, 0)
        return len(ticks)

    share = work(query) / work(slow)
    good = bool(touching) and not slow_steps and share < 0.2
    return good, f"{share:.1%} of the slow query's work; plan:\n" + "\n".join(plan)


TestOptimizeSQLPlan = (
    question
    >> LLMRun()
    >> ExtractCode(lang="sql", keep_main=True)
    >> PyEvaluator(fast_and_equal, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestOptimizeSQLPlan))
