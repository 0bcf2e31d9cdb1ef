-- +goose Up
CREATE TABLE notes (
    id    TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    text  TEXT NOT NULL DEFAULT ''
) STRICT;
