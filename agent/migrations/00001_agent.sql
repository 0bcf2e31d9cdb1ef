-- The tables of the bridge and its policy. Times are milliseconds since 1970, money
-- is an integer of minor units.
--
-- assistant_… is what people decided about the assistant: every change is an
-- invocation with its effects in the record. agent_… is bookkeeping without effects.

-- +goose Up
CREATE TABLE assistant_settings (
    name  TEXT NOT NULL PRIMARY KEY CHECK (name IN ('enabled', 'masked', 'budget', 'rules', 'review')),
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE assistant_rules (
    subject TEXT NOT NULL PRIMARY KEY CHECK (subject LIKE 'capability:%' OR subject LIKE 'class:%'),
    rule    TEXT NOT NULL CHECK (rule IN ('allowed', 'confirmation_required', 'forbidden'))
) STRICT, WITHOUT ROWID;

-- Standing permissions of an assistant's profile, at work for a person.
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
CREATE INDEX assistant_grants_grantee ON assistant_grants (person, capability, endpoint, model, created_at);
CREATE INDEX assistant_grants_created ON assistant_grants (created_at, id);

-- Reserved in the transaction of the effect, and not given back when that is undone.
CREATE TABLE agent_grant_uses (
    id         INTEGER PRIMARY KEY,
    grant_id   TEXT    NOT NULL,
    request_id TEXT    NOT NULL,
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_grant_uses_grant ON agent_grant_uses (grant_id, amount);

-- Cards while they wait for an answer, and how they ended. What is said with an answer takes the place of the card, and goes
-- when it was read.
CREATE TABLE agent_cards (
    n           INTEGER PRIMARY KEY,          -- their order
    id          TEXT    NOT NULL UNIQUE,      -- of the approval
    owner       TEXT    NOT NULL,             -- the program that waits, as audit.Log.Program names it
    person      TEXT    NOT NULL,             -- whose call it is…
    endpoint    TEXT    NOT NULL,             -- …by which assistant; '' for none
    model       TEXT    NOT NULL,
    wanted      TEXT    NOT NULL,             -- the capability that an assistant asks a grant of; '' for none
    expires_at  INTEGER NOT NULL,
    body        TEXT    NOT NULL,             -- JSON: the card, then what is said with its answer; ''
    answer      TEXT,                         -- null: it is open
    answered_by TEXT    NOT NULL DEFAULT ''   -- the request of approval.answer
) STRICT;
CREATE INDEX agent_cards_unread ON agent_cards (owner) WHERE body <> '';
CREATE INDEX agent_cards_expires ON agent_cards (expires_at);
CREATE INDEX agent_cards_wanted ON agent_cards (person, wanted) WHERE wanted <> '';

CREATE TABLE agent_conversations (
    id         TEXT    NOT NULL PRIMARY KEY,
    person     TEXT    NOT NULL,              -- the owner, who alone sees it
    title      TEXT    NOT NULL,
    tainted    TEXT    NOT NULL DEFAULT '[]', -- titles of what gave the model text of others, JSON
    autonomy   TEXT    NOT NULL DEFAULT 'ask' CHECK (autonomy IN ('look', 'ask', 'grants')),
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_conversations_person ON agent_conversations (person, updated_at, id);

CREATE TABLE agent_messages (
    id           INTEGER PRIMARY KEY,     -- their order
    conversation TEXT    NOT NULL,
    body         TEXT    NOT NULL,        -- JSON
    at           INTEGER NOT NULL,
    turn         TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX agent_messages_conversation ON agent_messages (conversation, id);

-- What each turn cost. A row stays when its conversation is removed: budgets count it.
CREATE TABLE agent_turns (
    id           TEXT    NOT NULL PRIMARY KEY,
    conversation TEXT    NOT NULL,
    endpoint     TEXT    NOT NULL,        -- of the model…
    model        TEXT    NOT NULL,        -- …and which
    input        INTEGER NOT NULL,        -- tokens
    output       INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    estimated    INTEGER NOT NULL DEFAULT 0 CHECK (estimated IN (0, 1)), -- the endpoint did not count all
    cost         INTEGER CHECK (cost >= 0), -- billionths of the currency; null: no price was set
    currency     TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_turns_conversation ON agent_turns (conversation);
CREATE INDEX agent_turns_at ON agent_turns (at);

-- One row for each erasure of a person and each removed conversation, without names:
-- a running program reads its conversations again when their number changes.
CREATE TABLE agent_forgotten (
    token TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Other programs whose assistants may work here.
CREATE TABLE assistant_clients (
    name       TEXT    NOT NULL PRIMARY KEY,
    person     TEXT    NOT NULL,              -- who enrolled it, and whom it works for
    scopes     TEXT    NOT NULL CHECK (json_type(scopes) = 'array'),
    until      INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Plans that people saved, with blanks.
CREATE TABLE assistant_routines (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    person     TEXT    NOT NULL,              -- who saved it
    steps      TEXT    NOT NULL CHECK (json_type(steps) = 'array'),
    at         TEXT    NOT NULL DEFAULT '' CHECK (at = '' OR json_type(at) = 'object'), -- when it runs by itself
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last run of each routine at its time: one program makes it. It is made again if that ended before it was done.
CREATE TABLE agent_routine_runs (
    routine TEXT    NOT NULL PRIMARY KEY,
    planned INTEGER NOT NULL,
    owner   TEXT    NOT NULL,                 -- the program, as audit.Log.Program names it
    done    INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1))
) STRICT, WITHOUT ROWID;
