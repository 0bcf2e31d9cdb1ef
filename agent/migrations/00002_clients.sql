-- Other programs whose assistants may work here.

-- +goose Up
CREATE TABLE assistant_clients (
    name       TEXT    NOT NULL PRIMARY KEY,
    person     TEXT    NOT NULL,              -- who enrolled it, and whom it works for
    scopes     TEXT    NOT NULL CHECK (json_type(scopes) = 'array'),
    until      INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE assistant_clients;
