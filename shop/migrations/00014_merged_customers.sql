-- +goose Up
-- Records that became a part of another customer's. What they were known by is kept, so that an erasure finds them too.
CREATE TABLE merged_customers (
    id          TEXT    NOT NULL PRIMARY KEY, -- of the record that is gone
    customer_id TEXT    NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    email       TEXT    NOT NULL DEFAULT '',
    phone       TEXT    NOT NULL DEFAULT '',
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX merged_customers_by_customer ON merged_customers (customer_id);
