-- The tables of agent.Modules in PostgreSQL's types: what they mean stands in agent/migrations. Open runs this.
CREATE TABLE IF NOT EXISTS assistant_settings (
    name  text PRIMARY KEY,
    value text NOT NULL
);
CREATE TABLE IF NOT EXISTS assistant_rules (
    subject text PRIMARY KEY,
    rule    text NOT NULL
);
CREATE TABLE IF NOT EXISTS assistant_grants (
    id           text PRIMARY KEY,
    person       text NOT NULL,
    endpoint     text NOT NULL,
    model        text NOT NULL,
    capability   text NOT NULL,
    constraints  text NOT NULL,
    uses         bigint,
    budget       bigint,
    currency     text NOT NULL DEFAULT '',
    conversation text NOT NULL DEFAULT '',
    until        bigint,
    reason       text NOT NULL DEFAULT '',
    status       text NOT NULL,
    created_at   bigint NOT NULL,
    created_by   text NOT NULL,
    ended_at     bigint,
    ended_by     text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS assistant_grants_grantee ON assistant_grants (person, capability, endpoint, model, created_at);
CREATE INDEX IF NOT EXISTS assistant_grants_created ON assistant_grants (created_at, id);

-- What people decide has effects in the records.
CREATE TABLE IF NOT EXISTS assistant_clients (
    name       text PRIMARY KEY,
    person     text NOT NULL,
    scopes     text NOT NULL,
    until      bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS assistant_routines (
    id         text PRIMARY KEY,
    name       text NOT NULL,
    person     text NOT NULL,
    steps      text NOT NULL,
    at         text NOT NULL DEFAULT '',
    created_at bigint NOT NULL
);
CREATE OR REPLACE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON assistant_settings
    FOR EACH ROW EXECUTE FUNCTION journal_effect('name');
CREATE OR REPLACE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON assistant_rules
    FOR EACH ROW EXECUTE FUNCTION journal_effect('subject');
CREATE OR REPLACE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON assistant_grants
    FOR EACH ROW EXECUTE FUNCTION journal_effect('id');
CREATE OR REPLACE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON assistant_clients
    FOR EACH ROW EXECUTE FUNCTION journal_effect('name');

CREATE OR REPLACE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON assistant_routines
    FOR EACH ROW EXECUTE FUNCTION journal_effect('id');

CREATE TABLE IF NOT EXISTS agent_routine_runs (
    routine text PRIMARY KEY,
    planned bigint NOT NULL,
    owner   text NOT NULL,
    done    bigint NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS agent_grant_uses (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    grant_id   text NOT NULL,
    request_id text NOT NULL,
    amount     bigint NOT NULL,
    at         bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS agent_grant_uses_grant ON agent_grant_uses (grant_id, amount);
CREATE TABLE IF NOT EXISTS agent_cards (
    n           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id          text NOT NULL UNIQUE,
    owner       text NOT NULL,
    person      text NOT NULL,
    endpoint    text NOT NULL,
    model       text NOT NULL,
    wanted      text NOT NULL,
    expires_at  bigint NOT NULL,
    body        text NOT NULL,
    answer      text,
    answered_by text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS agent_cards_unread ON agent_cards (owner) WHERE body <> '';
CREATE INDEX IF NOT EXISTS agent_cards_expires ON agent_cards (expires_at);
CREATE INDEX IF NOT EXISTS agent_cards_wanted ON agent_cards (person, wanted) WHERE wanted <> '';
CREATE TABLE IF NOT EXISTS agent_conversations (
    id         text PRIMARY KEY,
    person     text NOT NULL,
    title      text NOT NULL,
    tainted    text NOT NULL DEFAULT '[]',
    autonomy   text NOT NULL DEFAULT 'ask',
    started_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS agent_conversations_person ON agent_conversations (person, updated_at, id);
CREATE TABLE IF NOT EXISTS agent_messages (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    conversation text NOT NULL,
    body         text NOT NULL,
    at           bigint NOT NULL,
    turn         text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS agent_messages_conversation ON agent_messages (conversation, id);
CREATE TABLE IF NOT EXISTS agent_turns (
    id           text PRIMARY KEY,
    conversation text NOT NULL,
    endpoint     text NOT NULL,
    model        text NOT NULL,
    input        bigint NOT NULL,
    output       bigint NOT NULL,
    at           bigint NOT NULL,
    estimated    bigint NOT NULL DEFAULT 0,
    cost         bigint,
    currency     text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS agent_turns_conversation ON agent_turns (conversation);
CREATE INDEX IF NOT EXISTS agent_turns_at ON agent_turns (at);
CREATE TABLE IF NOT EXISTS agent_forgotten (
    token text PRIMARY KEY
);
