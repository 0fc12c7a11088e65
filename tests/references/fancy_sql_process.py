def nothing(messages):
    return ""


SCRIPT = """```sql
drop table if exists streaks;

create table streaks as
with counted as (
    select distinct m.id, date(v.at) as day
    from members m
    join visits v on v.member_id = m.id
    where date(v.at) >= m.joined and (m.left is null or date(v.at) <= m.left)
),
numbered as (
    select id, day, julianday(day) - row_number() over (partition by id order by day) as run
    from counted
),
runs as (
    select id, min(day) as first_day, max(day) as last_day, count(*) as days
    from numbered
    group by id, run
),
ranked as (
    select *, row_number() over (partition by id order by days desc, first_day desc) as place
    from runs
)
select m.name, r.first_day, r.last_day, coalesce(r.days, 0) as days
from members m
left join ranked r on r.id = m.id and r.place = 1;
```"""

RIGHT = {
    "TestFancySQLProcess": [
        f"Gaps and islands: day minus row number is the same all through a run.\n\n{SCRIPT}",
        """```sql
BEGIN;
DROP TABLE IF EXISTS streaks;
CREATE TABLE streaks (name TEXT, first_day TEXT, last_day TEXT, days INTEGER);

CREATE TEMP TABLE d AS
  SELECT DISTINCT v.member_id AS id, substr(v.at, 1, 10) AS day
  FROM visits AS v JOIN members AS mem ON mem.id = v.member_id
  WHERE substr(v.at, 1, 10) BETWEEN mem.joined AND ifnull(mem.left, '9999-12-31');

CREATE TEMP TABLE runs AS
WITH RECURSIVE run(id, first, last) AS (
  SELECT id, day, day FROM d
  WHERE NOT EXISTS (SELECT 1 FROM d AS p WHERE p.id = d.id AND p.day = date(d.day, '-1 day'))
  UNION ALL
  SELECT run.id, run.first, d.day FROM run JOIN d ON d.id = run.id AND d.day = date(run.last, '+1 day')
)
SELECT id, first, max(last) AS last, count(*) AS n FROM run GROUP BY id, first;

INSERT INTO streaks
SELECT name,
  (SELECT first FROM runs r WHERE r.id = members.id ORDER BY n DESC, first DESC LIMIT 1),
  (SELECT last FROM runs r WHERE r.id = members.id ORDER BY n DESC, first DESC LIMIT 1),
  ifnull((SELECT max(n) FROM runs r WHERE r.id = members.id), 0)
FROM members;
COMMIT;
```

Run it with `sqlite3 database.db < streaks.sql`.""",
    ]
}

WRONG = {
    "TestFancySQLProcess": [
        nothing,
        SCRIPT.replace("select distinct m.id", "select m.id"),  # two visits on a day break a run
        SCRIPT.replace("left join ranked", "join ranked"),  # without those who never came
        SCRIPT.replace("first_day desc", "first_day"),  # the earliest of equal runs
        SCRIPT.replace("date(v.at) <= m.left", "v.at <= m.left"),  # the last day has hours
        SCRIPT.replace("drop table if exists streaks;\n", ""),
        SCRIPT.replace(
            "julianday(day)", "cast(strftime('%d', day) as integer)"
        ),  # not over the end of a month
        SCRIPT.replace("date(v.at) >= m.joined and ", ""),
        "```sql\n-- longest streak of days for each member\nselect name, min(at), max(at), count(*) from members "
        "join visits on id = member_id group by id;\n```",
    ]
}
