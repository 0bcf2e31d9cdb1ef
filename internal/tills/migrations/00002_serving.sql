-- The port at which the window of the shop's computer serves tills. There is no row while it serves none.

-- +goose Up
CREATE TABLE till_serving (
    id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535)
) STRICT;
