-- Plans that people saved, with blanks.

-- +goose Up
CREATE TABLE assistant_routines (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    person     TEXT    NOT NULL,              -- who saved it
    steps      TEXT    NOT NULL CHECK (json_type(steps) = 'array'),
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE assistant_routines;
