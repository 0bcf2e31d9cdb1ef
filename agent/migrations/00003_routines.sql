-- Plans that people saved, with blanks.

-- +goose Up
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

-- +goose Down
DROP TABLE agent_routine_runs;
DROP TABLE assistant_routines;
