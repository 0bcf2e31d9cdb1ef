-- Windows on other computers that may work at this shop, and the codes by which one asks for it.

-- +goose Up
CREATE TABLE tills (
    id       TEXT    NOT NULL PRIMARY KEY,  -- the public key of the till, an nkey
    name     TEXT    NOT NULL UNIQUE,
    asked_at INTEGER NOT NULL,
    added_by TEXT    NOT NULL DEFAULT '',   -- '': it only asked
    added_at INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE till_codes (
    digest  TEXT    NOT NULL PRIMARY KEY,   -- SHA-256 of the code's secret
    made_at INTEGER NOT NULL,
    tries   INTEGER NOT NULL DEFAULT 0      -- wrong secrets that came since it was made
) STRICT, WITHOUT ROWID;
