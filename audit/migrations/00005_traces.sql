-- +goose Up
-- Where pieces of what was erased may still lie in the file: in its pages from
-- this one on; 0 when only the write-ahead log has some. erasure changes with
-- every erasure. No row: nowhere.
CREATE TABLE audit_traces (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    erasure INTEGER NOT NULL,
    page    INTEGER NOT NULL
) STRICT;

-- Payloads that were erased, until their words and subjects are out of what is
-- searched, which takes longer than others should wait.
CREATE TABLE audit_forgotten (
    id     INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    seq    INTEGER NOT NULL,
    body   BLOB NOT NULL
) STRICT;

-- +goose Down
DROP TABLE audit_forgotten;
DROP TABLE audit_traces;
