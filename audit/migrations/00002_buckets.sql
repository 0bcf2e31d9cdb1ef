-- +goose Up
-- The buckets of rate limits, in nanoseconds since 1970: changed in the commit of the
-- record of the call that took a token.
CREATE TABLE audit_buckets (
    capability TEXT    NOT NULL PRIMARY KEY,
    full_at    INTEGER NOT NULL,
    used_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE audit_buckets;
