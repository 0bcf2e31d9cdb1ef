-- +goose Up
-- What people look for in the log again and again: filter is JSON, the filters
-- of audit.search. saved is ms since 1970.
CREATE TABLE audit_filters (
    id     INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    name   TEXT NOT NULL,
    filter TEXT NOT NULL,
    saved  INTEGER NOT NULL,
    UNIQUE (person, name)
) STRICT;

-- +goose Down
DROP TABLE audit_filters;
