def nothing(messages):
    return ""


RANGE = """```sql
SELECT s.name,
       (SELECT count(*)
          FROM readings r
         WHERE r.sensor = s.id AND r.taken >= '2024-03-01' AND r.taken < '2024-04-01') AS n,
       (SELECT r.value
          FROM readings r
         WHERE r.sensor = s.id AND r.taken >= '2024-03-01' AND r.taken < '2024-04-01'
         ORDER BY r.taken DESC
         LIMIT 1) AS latest
  FROM sensors s
 WHERE lower(s.room) = 'attic'
 ORDER BY s.name, s.id;
```"""

RIGHT = {
    "TestOptimizeSQLPlan": [
        "`substr(taken, ...)` hides the column from the index, a range does not; and the latest one is the last of the "
        f"index:\n\n{RANGE}",
        # one pass; sqlite takes the bare column from the row with the maximum
        """```sql
WITH march AS (
    SELECT sensors.id, sensors.name, readings.value, max(readings.taken) AS newest, count(readings.id) AS n
    FROM sensors LEFT JOIN readings
      ON readings.sensor = sensors.id AND readings.taken BETWEEN '2024-03-01 00:00:00' AND '2024-03-31 23:59:59'
    WHERE lower(sensors.room) = 'attic'
    GROUP BY sensors.id
)
SELECT name, n, value AS latest FROM march ORDER BY name, id
```
The bare `value` belongs to the row of the maximum, which sqlite guarantees.""",
        """```sql
SELECT name, n, value AS latest
FROM (
    SELECT s.id, s.name, m.value,
           count(m.taken) OVER (PARTITION BY s.id) AS n,
           row_number() OVER (PARTITION BY s.id ORDER BY m.taken DESC) AS place
    FROM sensors AS s
    LEFT JOIN readings AS m ON m.sensor = s.id AND m.taken GLOB '2024-03*'
    WHERE lower(s.room) = 'attic'
)
WHERE place = 1
ORDER BY name, id;
```""",
    ]
}

WRONG = {
    "TestOptimizeSQLPlan": [
        nothing,
        # equal rows, but the index is used for the sensor only
        RANGE.replace("r.taken >= '2024-03-01' AND r.taken < '2024-04-01'", "r.taken LIKE '2024-03%'"),
        # loses the last day
        RANGE.replace(
            "r.taken >= '2024-03-01' AND r.taken < '2024-04-01'",
            "r.taken BETWEEN '2024-03-01' AND '2024-03-31'",
        ),
        RANGE.replace("lower(s.room) = 'attic'", "s.room = 'attic'"),
        RANGE.replace("r.taken DESC", "r.value DESC"),
        # sensors without a reading in March are gone
        """```sql
SELECT s.name, count(*) AS n, r.value AS latest, max(r.taken)
FROM sensors s JOIN readings r ON r.sensor = s.id AND r.taken >= '2024-03' AND r.taken < '2024-04'
WHERE lower(s.room) = 'attic' GROUP BY s.id ORDER BY s.name, s.id;
```""",
        # reads all of the readings, once
        """```sql
WITH march AS (SELECT sensor, count(*) AS n, max(taken) AS last FROM readings
               WHERE taken >= '2024-03-01' AND taken < '2024-04-01' GROUP BY sensor)
SELECT s.name, coalesce(m.n, 0) AS n, r.value AS latest
FROM sensors s LEFT JOIN march m ON m.sensor = s.id
LEFT JOIN readings r ON r.sensor = s.id AND r.taken = m.last
WHERE lower(s.room) = 'attic' ORDER BY s.name, s.id;
```""",
        "Use the UNIQUE index (sensor, taken) with a range:\n```sql\nSELECT name, 0 AS n, NULL AS latest FROM sensors;\n```",
    ]
}
