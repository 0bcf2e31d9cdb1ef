-- Which model answers in the chat. Its key lies in the system's keychain.

-- +goose Up
CREATE TABLE model_endpoint (
    id       TEXT NOT NULL PRIMARY KEY CHECK (id = 'model'),
    endpoint TEXT NOT NULL,
    model    TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE model_endpoint;
