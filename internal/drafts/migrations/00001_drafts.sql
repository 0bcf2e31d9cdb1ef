-- Copies of the shop that are worked on. What they are is kept by no effect: an undo of a merge is not to open one again.

-- +goose Up
CREATE TABLE agent_drafts (
    id        TEXT    NOT NULL PRIMARY KEY,
    opened_by TEXT    NOT NULL,
    opened_at INTEGER NOT NULL,           -- ms since 1970
    ended_at  INTEGER NOT NULL DEFAULT 0  -- when it was merged or discarded; 0: it is open
) STRICT, WITHOUT ROWID;
