-- Whether there is an assistant at all.

-- +goose Up
CREATE TABLE assistant_settings (
    name  TEXT NOT NULL PRIMARY KEY CHECK (name IN ('enabled')),
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE assistant_settings;
