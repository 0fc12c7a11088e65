def nothing(messages):
    return ""


SCRIPT = """```sql
CREATE TABLE trails (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    km REAL NOT NULL CHECK (km > 0)
);

CREATE TABLE hikes (
    id INTEGER PRIMARY KEY,
    trail_id INTEGER NOT NULL REFERENCES trails (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    minutes INTEGER CHECK (minutes >= 0),
    UNIQUE (trail_id, day)
);

INSERT INTO trails (name, km) VALUES ('Ridge Loop', 12.5), ('Lake Path', 4), ('Bear''s Tooth', 18.2);

INSERT INTO hikes (trail_id, day, minutes) VALUES
    ((SELECT id FROM trails WHERE name = 'Ridge Loop'), '2024-05-04', 190),
    ((SELECT id FROM trails WHERE name = 'Ridge Loop'), '2024-06-16', 175),
    ((SELECT id FROM trails WHERE name = 'Bear''s Tooth'), '2024-06-16', NULL);

CREATE VIEW trail_stats AS
SELECT name, COUNT(hikes.id) AS hikes, MIN(minutes) AS best
FROM trails LEFT JOIN hikes ON hikes.trail_id = trails.id
GROUP BY trails.id
ORDER BY name;
```"""

RIGHT = {
    "TestMakeSQLiteTable": [
        SCRIPT,
        """Here is the script:

```sqlite
PRAGMA foreign_keys = ON;
BEGIN;
CREATE TABLE trails (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, km NUMERIC NOT NULL,
                     CONSTRAINT positive CHECK (km > 0));
CREATE UNIQUE INDEX trail_names ON trails (lower(name));
CREATE TABLE hikes (id INTEGER PRIMARY KEY AUTOINCREMENT, trail_id INTEGER NOT NULL, day TEXT NOT NULL, minutes INTEGER,
                    FOREIGN KEY (trail_id) REFERENCES trails (id) ON DELETE CASCADE,
                    CHECK (minutes IS NULL OR minutes >= 0));
CREATE UNIQUE INDEX one_a_day ON hikes (trail_id, day);
INSERT INTO trails VALUES (1, 'Ridge Loop', 12.5), (2, 'Lake Path', 4.0), (3, 'Bear''s Tooth', 18.2);
INSERT INTO hikes (trail_id, day, minutes) VALUES (1, '2024-05-04', 190), (1, '2024-06-16', 175);
INSERT INTO hikes (trail_id, day) VALUES (3, '2024-06-16');
CREATE VIEW trail_stats (name, hikes, best) AS
    SELECT t.name,
           (SELECT count(*) FROM hikes h WHERE h.trail_id = t.id),
           (SELECT min(h.minutes) FROM hikes h WHERE h.trail_id = t.id)
    FROM trails t ORDER BY t.name;
COMMIT;
```""",
    ]
}

WRONG = {
    "TestMakeSQLiteTable": [
        nothing,
        SCRIPT.replace(" COLLATE NOCASE", ""),
        SCRIPT.replace(" ON DELETE CASCADE", ""),
        SCRIPT.replace("LEFT JOIN", "JOIN"),  # trails without hikes are missing
        SCRIPT.replace("COUNT(hikes.id)", "COUNT(*)"),  # and here they count as one
        SCRIPT.replace("'Bear''s Tooth'", "'Bear\\'s Tooth'"),
        SCRIPT.replace("    UNIQUE (trail_id, day)\n", "").replace("(minutes >= 0),", "(minutes >= 0)"),
        "```sql\n-- CREATE TABLE trails (id, name UNIQUE COLLATE NOCASE, km CHECK (km > 0));\n"
        "SELECT 'Ridge Loop', 2, 175;\n```",
    ]
}
