-- How documents are written, who sends mail, and who is told of orders. Passwords
-- and secrets are not here: they lie in the system's keychain.

-- +goose Up
ALTER TABLE shop ADD COLUMN locale TEXT NOT NULL DEFAULT 'en-US'; -- BCP 47

CREATE TABLE mail_server (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (id = 'mail'),
    host        TEXT    NOT NULL,
    port        INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
    encryption  TEXT    NOT NULL CHECK (encryption IN ('starttls', 'tls', 'none')),
    username    TEXT    NOT NULL DEFAULT '', -- '': the server wants none
    sender      TEXT    NOT NULL,
    sender_name TEXT    NOT NULL DEFAULT ''  -- '': the shop's
) STRICT;

CREATE TABLE webhooks (
    id       TEXT    NOT NULL PRIMARY KEY,
    url      TEXT    NOT NULL,
    position INTEGER NOT NULL
) STRICT;

-- +goose Down
DROP TABLE webhooks;
DROP TABLE mail_server;
ALTER TABLE shop DROP COLUMN locale;
