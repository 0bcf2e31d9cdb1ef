-- +goose Up
-- What is missing from the log on purpose, and who asked for it.

-- Records whose payload was erased, and the request that erased it.
CREATE TABLE audit_erasures (
    stream     TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    PRIMARY KEY (stream, seq)
) STRICT, WITHOUT ROWID;

-- Where each stream begins since its oldest segments were removed: the last
-- removed record and its hash, how many were removed in all and how many of
-- them had been erased, when (ms since 1970) and by which request.
CREATE TABLE audit_checkpoints (
    stream     TEXT PRIMARY KEY,
    seq        INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    erased     INTEGER NOT NULL,
    time       INTEGER NOT NULL,
    request_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A payload may have been deleted before erasures were noted.
INSERT INTO audit_erasures SELECT 'main', seq, '' FROM audit_records WHERE seq NOT IN (SELECT seq FROM audit_payloads);
INSERT INTO audit_erasures SELECT 'reads', seq, '' FROM audit_reads WHERE seq NOT IN (SELECT seq FROM audit_read_payloads);

-- +goose Down
DROP TABLE audit_checkpoints;
DROP TABLE audit_erasures;
