-- Other programs whose capabilities are on the bus, each as it was looked at when it was added.

-- +goose Up
CREATE TABLE peers (
    name     TEXT    NOT NULL PRIMARY KEY,
    file     TEXT    NOT NULL,              -- capabilities.yaml, whole: what a file becomes later changes nothing
    digest   TEXT    NOT NULL,              -- SHA-256 of it
    added_by TEXT    NOT NULL,
    added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
