-- +goose Up
-- Heads of the tree as the log's key has signed them: a checkpoint of C2SP for each size of the tree, and the public key.
CREATE TABLE audit_signed (
    size       INTEGER PRIMARY KEY,
    key        TEXT NOT NULL,
    checkpoint TEXT NOT NULL
) STRICT;
