-- What a turn cost, and which turn a message belongs to.

-- +goose Up
ALTER TABLE agent_turns ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0 CHECK (estimated IN (0, 1)); -- the endpoint did not count all
ALTER TABLE agent_turns ADD COLUMN cost INTEGER CHECK (cost >= 0);                                   -- billionths of the currency; null: no price was set
ALTER TABLE agent_turns ADD COLUMN currency TEXT NOT NULL DEFAULT '';
ALTER TABLE agent_messages ADD COLUMN turn TEXT NOT NULL DEFAULT ''; -- '': said before turns were noted

-- +goose Down
ALTER TABLE agent_messages DROP COLUMN turn;
ALTER TABLE agent_turns DROP COLUMN currency;
ALTER TABLE agent_turns DROP COLUMN cost;
ALTER TABLE agent_turns DROP COLUMN estimated;
