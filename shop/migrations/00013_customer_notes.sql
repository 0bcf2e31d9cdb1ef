-- +goose Up
CREATE TABLE customer_notes (
    id          TEXT    NOT NULL PRIMARY KEY,
    customer_id TEXT    NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    text        TEXT    NOT NULL,
    person      TEXT    NOT NULL,
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX customer_notes_by_customer ON customer_notes (customer_id, at);
