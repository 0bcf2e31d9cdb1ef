-- +goose Up
CREATE TABLE parts (
    name  TEXT PRIMARY KEY,
    count INTEGER NOT NULL CHECK (count >= 0)
) STRICT;

-- +goose Down
DROP TABLE parts;
