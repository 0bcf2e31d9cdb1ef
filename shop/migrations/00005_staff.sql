-- People may have a PIN. Who is already here signs in without one, as before.

-- +goose Up
ALTER TABLE staff ADD COLUMN without_pin INTEGER NOT NULL DEFAULT 1 CHECK (without_pin IN (0, 1)); -- may sign in while there is no PIN

CREATE TABLE staff_pins (
    staff_id   TEXT    NOT NULL PRIMARY KEY REFERENCES staff (id),
    hash       TEXT    NOT NULL, -- argon2id, with its parameters and salt
    good_since INTEGER NOT NULL  -- ms since 1970: when it was set or last given right
) STRICT;

-- +goose Down
DROP TABLE staff_pins;
ALTER TABLE staff DROP COLUMN without_pin;
