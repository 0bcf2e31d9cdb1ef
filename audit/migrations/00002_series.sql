-- +goose Up
-- The last number of each series that applications count. The row '' is in a copy that gives no numbers.
CREATE TABLE audit_series (
    series TEXT    NOT NULL PRIMARY KEY,
    last   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
