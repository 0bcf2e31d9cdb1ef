CREATE TABLE IF NOT EXISTS rooms (name TEXT PRIMARY KEY) STRICT;
CREATE TABLE IF NOT EXISTS bookings (
    id     INTEGER PRIMARY KEY,
    room   TEXT NOT NULL,
    day    TEXT NOT NULL,
    hour   INTEGER NOT NULL,
    title  TEXT NOT NULL,
    person TEXT NOT NULL,
    UNIQUE (room, day, hour)
) STRICT;
INSERT OR IGNORE INTO rooms VALUES ('Attic'), ('Cellar');
