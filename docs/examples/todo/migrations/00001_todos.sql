-- +goose Up
CREATE TABLE todos (
    id   TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0
) STRICT;
