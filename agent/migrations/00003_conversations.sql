-- The bridge's own bookkeeping: what was said. Times are milliseconds since 1970.

-- +goose Up
CREATE TABLE agent_conversations (
    id         TEXT    NOT NULL PRIMARY KEY,
    person     TEXT    NOT NULL, -- whose it is: nobody else sees it
    title      TEXT    NOT NULL,
    tainted    TEXT    NOT NULL DEFAULT '[]', -- titles of what gave the model text of others, JSON
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_conversations_person ON agent_conversations (person, updated_at, id);

CREATE TABLE agent_messages (
    id           INTEGER PRIMARY KEY, -- their order
    conversation TEXT    NOT NULL,
    body         TEXT    NOT NULL,    -- JSON
    at           INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_messages_conversation ON agent_messages (conversation, id);

CREATE TABLE agent_turns (
    id           TEXT    NOT NULL PRIMARY KEY,
    conversation TEXT    NOT NULL,
    input        INTEGER NOT NULL, -- tokens, as far as the endpoint says
    output       INTEGER NOT NULL,
    at           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_turns_conversation ON agent_turns (conversation);

-- That somebody was forgotten, not whom, or a conversation removed: what a running
-- program has in memory from before is read anew.
CREATE TABLE agent_forgotten (
    token TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE agent_forgotten;
DROP TABLE agent_turns;
DROP TABLE agent_messages;
DROP TABLE agent_conversations;
