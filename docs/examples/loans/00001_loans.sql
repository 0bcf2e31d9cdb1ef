-- +goose Up
CREATE TABLE tools (
    id   TEXT PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

-- The loans that have not ended; those that have are in the log.
CREATE TABLE loans (
    tool_id TEXT PRIMARY KEY REFERENCES tools (id),
    person  TEXT NOT NULL
) STRICT;

INSERT INTO tools (id, name) VALUES ('t1', 'Ladder'), ('t2', 'Drill'), ('t3', 'Tile cutter');
