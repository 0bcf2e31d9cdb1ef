-- Standing permissions of an assistant's profile, at work for a person.
-- Times are milliseconds since 1970, money is an integer of minor units.

-- +goose Up
CREATE TABLE assistant_grants (
    id           TEXT    NOT NULL PRIMARY KEY,
    person       TEXT    NOT NULL,            -- for whom the assistant works
    endpoint     TEXT    NOT NULL,            -- profile: where the model is…
    model        TEXT    NOT NULL,            -- …and which
    capability   TEXT    NOT NULL,
    constraints  TEXT    NOT NULL CHECK (json_type(constraints) = 'object'),
    uses         INTEGER CHECK (uses > 0),    -- null: any number
    budget       INTEGER CHECK (budget > 0),  -- of all uses together; null: none
    currency     TEXT    NOT NULL DEFAULT '', -- of the budget
    conversation TEXT    NOT NULL DEFAULT '', -- the only one it holds in; '': in all
    until        INTEGER,                     -- null: for ever
    reason       TEXT    NOT NULL DEFAULT '',
    status       TEXT    NOT NULL CHECK (status IN ('active', 'revoked')),
    created_at   INTEGER NOT NULL,
    created_by   TEXT    NOT NULL,
    ended_at     INTEGER,
    ended_by     TEXT    NOT NULL DEFAULT '',
    CHECK ((budget IS NULL) = (currency = ''))
) STRICT, WITHOUT ROWID;
CREATE INDEX assistant_grants_grantee ON assistant_grants (person, capability);

-- The bridge's own bookkeeping: reserved in the transaction of the effect, and
-- not given back when that is undone.
CREATE TABLE agent_grant_uses (
    id         INTEGER PRIMARY KEY,
    grant_id   TEXT    NOT NULL,
    request_id TEXT    NOT NULL,
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_grant_uses_grant ON agent_grant_uses (grant_id, amount);

-- +goose Down
DROP TABLE agent_grant_uses;
DROP TABLE assistant_grants;
