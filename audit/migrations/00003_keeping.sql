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
-- removed record and its hash, when (ms since 1970) and by which request.
CREATE TABLE audit_checkpoints (
    stream     TEXT PRIMARY KEY,
    seq        INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    time       INTEGER NOT NULL,
    request_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE audit_checkpoints;
DROP TABLE audit_erasures;
